"""Keras models: which expressions are one, and what a pass of a loop does with it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from deepperf.facts.project.hotness import Around
from deepperf.facts.scopes import CallSite, Function, Scope
from deepperf.facts.values import ClassRef, Instance, Made, Value, Values

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project

Calls = tuple[CallSite, ...]

_DEPTH = 4
_FUNCTIONS = 200
_BASES = frozenset({"keras.Model", "keras.Sequential"})
TRAINING = frozenset({"fit", "fit_generator", "train_on_batch"})
PREDICTING = frozenset(
    "predict predict_on_batch predict_generator predict_classes predict_proba evaluate evaluate_generator "
    "test_on_batch".split()
)


class Models:
    """Answers which values are Keras models, and which calls of a loop's pass work with them."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._by_scope: dict[Module, dict[Scope, list[CallSite]]] = {}
        self._passes: dict[tuple[ast.AST, tuple[ast.Call, ...]], Calls] = {}

    def is_model(self, value: Value) -> bool:
        """Tell whether a value is a Keras model."""
        if isinstance(value, Instance):
            return not _BASES.isdisjoint(self.project.classes.order(value.cls))
        return isinstance(value, Made) and value.kind == "model" and value.api.startswith("keras.")

    def has_method(self, value: Value, name: str) -> bool:
        """Tell whether a method of a value is that of Keras models, not one that the project puts in its place."""
        if not self.is_model(value):
            return False
        return not isinstance(value, Instance) or self.project.classes.method(value.cls, name) is None

    def called(self, call: CallSite) -> Values:
        """Return the Keras models whose own method a call runs."""
        if not isinstance(call.node.func, ast.Attribute):
            return ()
        receivers = self.project.inference.values(call.node.func.value, call.scope)
        return tuple(value for value in receivers if self.has_method(value, call.node.func.attr))

    def runs(self, model: Value, calls: Calls, names: frozenset[str]) -> list[CallSite]:
        """Return those of some calls that run a method called one of `names` of the same model."""
        return [
            call
            for call in calls
            if call.method_name in names and any(_is_same(model, other) for other in self.called(call))
        ]

    def is_made_by(self, model: Value, calls: Calls) -> bool:
        """Tell whether one of some calls makes a model."""
        if isinstance(model, Made):
            return any(call.node is model.node for call in calls)
        return any(self._makes(call, model) for call in calls)

    def _makes(self, call: CallSite, model: Value) -> bool:
        values = self.project.inference.values(call.node.func, call.scope)
        return any(
            isinstance(value, ClassRef) and isinstance(model, Instance) and value.cls is model.cls
            for value in values
        )

    def calls_in(self, around: Around) -> Calls:
        """Return the calls that one pass of a loop runs: its own, those on the way to the place, and those of its callees."""
        key = (around.loop.node, tuple(entry.call.node for entry in around.chain))
        known = self._passes.get(key)
        if known is None:
            loop = around.loop
            own = [(call, 0) for call in self._calls_of(loop.scope) if loop.runs(call.node)]
            on_the_way = [entry.function for entry in around.chain]
            known = self._passes[key] = tuple(self._with_callees(own, on_the_way))
        return known

    def calls_under(self, function: Function) -> Calls:
        """Return the calls that one call of a function runs: its own and those of its callees."""
        return tuple(self._with_callees([], [function]))

    def _with_callees(
        self, waiting: list[tuple[CallSite, int]], entered: list[Function]
    ) -> Iterator[CallSite]:
        seen = set(entered)
        for depth, function in enumerate(entered, start=1):
            waiting += [(call, depth) for call in self._calls_of(function.scope)]
        while waiting:
            call, depth = waiting.pop(0)
            yield call
            if depth >= _DEPTH or len(seen) > _FUNCTIONS:
                continue
            for target in self.project.calls.targets(call.node, call.scope):
                if target.function not in seen:
                    seen.add(target.function)
                    waiting += [(inner, depth + 1) for inner in self._calls_of(target.function.scope)]

    def _calls_of(self, scope: Scope) -> list[CallSite]:
        grouped = self._by_scope.get(scope.module)
        if grouped is None:
            grouped = self._by_scope[scope.module] = {}
            for call in scope.module.index.calls:
                grouped.setdefault(call.scope, []).append(call)
        return grouped.get(scope, [])


def _is_same(one: Value, other: Value) -> bool:
    """Tell whether two values are the same model, as far as can be seen: made by one call, or of one class."""
    if isinstance(one, Made) and isinstance(other, Made):
        return one.node is other.node
    return isinstance(one, Instance) and isinstance(other, Instance) and one.cls is other.cls
