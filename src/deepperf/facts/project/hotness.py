"""How often a place runs: the loops around it, in its own function and through the calls that reach it."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.guards import Guard, guards, leaves_if_made
from deepperf.facts.loops import Loop, LoopKind, Trips
from deepperf.facts.project.keeping import Entry
from deepperf.facts.scopes import CallSite, Context, Function, Located, Scope
from deepperf.facts.syntax import dotted_name, walk_own
from deepperf.facts.values import Api, Made
from deepperf.knowledge import lookup
from deepperf.model import Hot, Place

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 3
_STEP_METHODS = frozenset({"apply_gradients", "train_on_batch", "minimize", "backward", "apply_updates"})


_MODEL_RUNNERS = frozenset("predict fit evaluate train_on_batch test_on_batch predict_on_batch".split())
_RUNNERS = _MODEL_RUNNERS | {"run", "eval", "partial_run"}


class Around(NamedTuple):
    """A loop that runs a place: `chain` are the calls from its body to the place's function, none for its own loops.

    `context` is where the loop's own function is left: the place itself, or the first call of the chain.
    """

    loop: Loop
    chain: tuple[Entry, ...]
    context: Context

    @property
    def is_certain(self) -> bool:
        """Whether every call of the chain surely reaches the function it is taken to reach."""
        return all(entry.certain for entry in self.chain)


class Run(NamedTuple):
    """A call that runs a graph, found in a loop; `certain` is False where only its form speaks for it."""

    call: ast.Call
    place: Place
    certain: bool


class Hotness:
    """Answers how often places run."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._runs: dict[ast.AST, Run | None] = {}
        self._runs_within: dict[tuple[Function, int], Run | None] = {}
        self._steps: dict[ast.AST, bool] = {}
        self._steps_when_called: dict[tuple[Function, int], bool] = {}

    def around(self, call: Located) -> Iterator[Around]:
        """Yield the loops that run a call: those of its own function innermost first, then those of its callers."""
        for loop in self._loops(call.context):
            yield Around(loop, (), call.context)
        if call.function is not None and not self._is_in_lambda(call.context):
            yield from self._through(call.function, (), set())

    def _through(self, function: Function, chain: tuple[Entry, ...], seen: set[Function]) -> Iterator[Around]:
        if len(chain) >= _DEPTH or function in seen or self.is_memoised(function):
            return
        seen.add(function)
        for caller in self.project.calls.callers(function).sites:
            longer = (Entry(caller.call, function, caller.bound, caller.certain), *chain)
            for loop in self._loops(caller.call.context):
                yield Around(loop, longer, caller.call.context)
            if caller.call.function is not None and not self._is_in_lambda(caller.call.context):
                yield from self._through(caller.call.function, longer, seen)

    @staticmethod
    def is_memoised(function: Function) -> bool:
        """Tell whether a decorator keeps the function's results, so that its body runs once for the same arguments."""
        names = [
            ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator).lower()
            for decorator in function.node.decorator_list
        ]
        return any(word in name for name in names for word in ("cache", "memoi", "singleton"))

    def _loops(self, context: Context) -> list[Loop]:
        found: list[Loop] = []
        for step in context.within_function():
            if step.kind == "lambda":
                break
            if step.kind in ("loop", "comprehension"):
                found.append(Loop(step, self.project.inference))
        return found

    @staticmethod
    def _is_in_lambda(context: Context) -> bool:
        return any(step.kind == "lambda" for step in context.within_function())

    def guards(self, around: Around, call: Located) -> list[Guard]:
        """Return what keeps a call from running on each pass of a loop around it, through all calls of the chain."""
        found = guards(around.context, around.loop)
        inner = [entry.call.context for entry in around.chain[1:]]
        inner += [call.context] if around.chain else []
        for context in inner:
            found += guards(context, around.loop)
        if self._leaves_early(around, call):
            found.append(Guard.FIRST_PASS)
        return found

    @staticmethod
    def _leaves_early(around: Around, call: Located) -> bool:
        """Tell whether a function on the way returns where the thing was made before."""
        if not around.chain:
            return False
        places = [entry.call.node for entry in around.chain[1:]] + [call.node]
        return any(
            leaves_if_made(entry.function.node.body, place)
            for entry, place in zip(around.chain, places, strict=True)
        )

    def runs_graph(self, around: Around) -> Run | None:
        """Return a call in a loop, in what it calls, or in the functions on the way to a place, that runs a graph."""
        found = self._run_in(around.loop)
        for entry in around.chain:
            if found is not None and found.certain:
                break
            found = self._run_within(entry.function, 1) or found
        return found

    def run_around(self, place: Located) -> Run | None:
        """Return the call that runs what a place makes, in the same statement, in the session that the object keeps."""
        function = place.function
        if function is None or function.self_name is None:
            return None
        parents = place.module.parents(place.statement)
        node: ast.AST | None = parents.get(place.node)
        while node is not None:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                path = dotted_name(node.func.value) or ""
                run = self._is_run(node, place.scope) if path.startswith(function.self_name + ".") else None
                if run is not None:
                    return run
            node = parents.get(node)
        return None

    def _run_in(self, loop: Loop) -> Run | None:
        if loop.node not in self._runs:
            self._runs[loop.node] = None
            self._runs[loop.node] = self._run_among(self._body_nodes(loop), loop.scope, 0)
        return self._runs[loop.node]

    def _run_within(self, function: Function, depth: int) -> Run | None:
        """Return a call that runs a graph in a function that is entered `depth` calls deep."""
        key = (function, depth)
        if key not in self._runs_within:
            self._runs_within[key] = self._run_among(walk_own(function.node), function.scope, depth)
        return self._runs_within[key]

    @staticmethod
    def _body_nodes(loop: Loop) -> list[ast.AST]:
        if isinstance(loop.node, ast.comprehension):
            return list(ast.walk(loop.owner)) if loop.owner is not None else []
        roots: list[ast.AST] = list(loop.node.body)
        return [node for root in roots for node in (root, *walk_own(root))]

    def _run_among(self, nodes: Iterable[ast.AST], scope: Scope, depth: int) -> Run | None:
        possible: Run | None = None
        for node in nodes:
            if not isinstance(node, ast.Call):
                continue
            run = self._is_run(node, scope)
            if run is not None and run.certain:
                return run
            possible = possible or run
            if depth < _DEPTH:
                for target in self.project.calls.targets(node, scope):
                    inner = self._run_within(target.function, depth + 1)
                    if inner is not None and inner.certain:
                        return inner
                    possible = possible or inner
        return possible

    def _is_run(self, node: ast.Call, scope: Scope) -> Run | None:
        module = scope.module
        place = module.source.place(node.func, "the graph is run here")
        for value in self.project.inference.values(node.func, scope):
            if isinstance(value, Made) and value.api == "keras.backend.function":
                return Run(node, place, certain=True)
            if isinstance(value, Api) and "runs-graph" in lookup(value.name).effects:
                return Run(node, place, certain=True)
        if not isinstance(node.func, ast.Attribute) or node.func.attr not in _RUNNERS:
            return None
        receivers = self.project.inference.values(node.func.value, scope)
        kinds = {value.kind for value in receivers if isinstance(value, Made)}
        attribute = node.func.attr
        if attribute in ("run", "partial_run") and "session" in kinds:
            return Run(node, place, certain=True)
        if attribute == "eval" and kinds & {"tensor", "variable"}:
            return Run(node, place, certain=True)
        if attribute in _MODEL_RUNNERS and "model" in kinds:
            return Run(node, place, certain=True)
        if any(keyword.arg == "feed_dict" for keyword in node.keywords):
            return Run(node, place, certain=True)
        last = (
            node.func.value.attr
            if isinstance(node.func.value, ast.Attribute)
            else getattr(node.func.value, "id", "")
        )
        if attribute == "run" and last.lower().strip("_") in ("sess", "session") and node.args:
            return Run(node, place, certain=False)
        return None

    def is_step_loop(self, loop: Loop) -> bool:
        """Tell whether a loop trains: it runs over data, or takes optimiser steps in its body."""
        if loop.kind is LoopKind.DATA:
            return True
        if loop.node not in self._steps:
            calls = [call for call in self.project.calls.of_scope(loop.scope) if loop.runs(call.node)]
            self._steps[loop.node] = self._takes_step(calls, 0)
        return self._steps[loop.node]

    def _takes_step(self, calls: list[CallSite], depth: int) -> bool:
        return any(call.method_name in _STEP_METHODS for call in calls) or (
            depth < _DEPTH
            and any(
                self._takes_step_when_called(target.function, depth + 1)
                for call in calls
                for target in self.project.calls.targets(call.node, call.scope)
            )
        )

    def _takes_step_when_called(self, function: Function, depth: int) -> bool:
        """Tell whether a call of a function, entered `depth` calls deep, is one step; its own loops would take many."""
        key = (function, depth)
        if key not in self._steps_when_called:
            calls = self.project.calls.of_scope(function.scope)
            single = [call for call in calls if not self._loops(call.context)]
            self._steps_when_called[key] = self._takes_step(single, depth)
        return self._steps_when_called[key]

    def of(self, call: Located) -> Hot:
        """Return how often a call runs, as far as its loops say."""
        for around in self.around(call):
            if around.loop.trips in (Trips.ONCE, Trips.FEW):
                continue
            if self.is_step_loop(around.loop):
                return Hot.PER_BATCH
            if around.loop.kind is LoopKind.EPOCHS:
                return Hot.PER_EPOCH
        return Hot.UNKNOWN
