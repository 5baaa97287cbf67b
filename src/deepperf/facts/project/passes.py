"""What one pass of a loop does with data: whether it gets the same dataset as the pass before, and whether it is one step."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from deepperf.facts.loops import Loop, LoopKind, Trips
from deepperf.facts.project.hotness import Around
from deepperf.facts.project.invariance import Invariant
from deepperf.facts.scopes import CallSite, Function, Scope
from deepperf.facts.values import Instance, Made, Pipeline
from deepperf.knowledge import is_dataset_source
from deepperf.model import Confidence

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 3
_STEPS = frozenset("apply_gradients train_on_batch test_on_batch predict_on_batch predict minimize".split())
_EPOCHS = frozenset({"fit", "fit_generator"})


class Passes:
    """Answers what the passes of loops do with data."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._known: dict[Function, frozenset[bool]] = {}

    def same_dataset(self, node: ast.expr, scope: Scope, around: Around) -> Invariant | None:
        """Return the proof that an expression is the same dataset on each pass of a loop, None if it may not be."""
        proofs = [
            self.project.invariance.of(part, scope, around.loop, around.chain)
            for part in self._parts(node, scope)
        ]
        known = [proof for proof in proofs if proof is not None]
        if len(known) < len(proofs):
            return None
        doubt = min((proof.confidence for proof in known), default=Confidence.HIGH)
        return Invariant(doubt, tuple(dict.fromkeys(place for proof in known for place in proof.because)))

    def _parts(self, node: ast.expr, scope: Scope) -> Iterator[ast.expr]:
        """Yield what the elements of a dataset depend on: the arguments of the calls that make and transform it.

        How many elements are skipped is left out: what is skipped is read all the same.
        """
        if isinstance(node, ast.Tuple | ast.List):
            for element in node.elts:
                yield from self._parts(element, scope)
            return
        if not isinstance(node, ast.Call) or not self._makes_dataset(node, scope):
            yield node
            return
        is_method = not is_dataset_source(self.project.inference.api(node.func, scope) or "")
        if is_method and isinstance(node.func, ast.Attribute):
            yield from self._parts(node.func.value, scope)
            if node.func.attr == "skip":
                return
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            yield from self._parts(argument, scope)

    def _makes_dataset(self, node: ast.Call, scope: Scope) -> bool:
        """Tell whether a call is that of a source of data, or a method of a dataset."""
        if is_dataset_source(self.project.inference.api(node.func, scope) or ""):
            return True
        if not isinstance(node.func, ast.Attribute):
            return False
        receivers = self.project.inference.values(node.func.value, scope)
        return all(isinstance(value, Pipeline) for value in receivers)

    def is_step(self, around: Around, within: ast.AST) -> bool:
        """Tell whether one pass of a loop is one step of training or prediction, or about that: no epoch of many steps.

        `within` is the place in question: loops of the pass that hold it do not make it an epoch.
        """
        loop = around.loop
        found = set(self._steps_in(loop.scope, 0, loop, within))
        if found:
            return False not in found
        return loop.kind is LoopKind.WHILE or (loop.trips is Trips.MANY and loop.kind is not LoopKind.EPOCHS)

    def takes_steps(self, loop: Loop) -> bool:
        """Tell whether a pass of a loop surely runs a model or a step of its training."""
        return any(True for _ in self._steps_in(loop.scope, 0, loop, loop.header))

    def _steps_in(self, scope: Scope, depth: int, loop: Loop | None, within: ast.AST) -> Iterator[bool]:
        """Yield for each step that a pass or a function takes whether it is taken just once."""
        for call in scope.module.index.calls:
            if call.scope is not scope or not (loop is None or loop.runs(call.node)):
                continue
            is_single = not self._is_repeated(call, loop, within)
            last = call.method_name
            if last in _EPOCHS:
                yield False
            elif last in _STEPS or self._runs_model(call):
                yield is_single
            elif depth < _DEPTH:
                for target in self.project.calls.targets(call.node, scope):
                    for single in self._steps_of(target.function, depth + 1):
                        yield single and is_single

    def _steps_of(self, function: Function, depth: int) -> frozenset[bool]:
        known = self._known.get(function)
        if known is None:
            self._known[function] = frozenset()
            found = frozenset(self._steps_in(function.scope, depth, None, function.node))
            known = self._known[function] = found
        return known

    def _is_repeated(self, call: CallSite, loop: Loop | None, within: ast.AST) -> bool:
        """Tell whether another loop runs a call several times in a pass; a short one does not count."""
        for step in call.context.within_function():
            if loop is not None and step.node is loop.node:
                return False
            if step.kind in ("loop", "comprehension"):
                inner = Loop(step, self.project.inference)
                is_own = inner.header is within or inner.runs(within)
                if inner.trips not in (Trips.ONCE, Trips.FEW) and not is_own:
                    return True
        return False

    def _runs_model(self, call: CallSite) -> bool:
        return any(self._models(value) for value in self.project.inference.values(call.node.func, call.scope))

    def _models(self, value: object) -> bool:
        if isinstance(value, Instance):
            return any(str(name).endswith("Model") for name in self.project.classes.order(value.cls))
        return isinstance(value, Made) and value.kind == "model"
