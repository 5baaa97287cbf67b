"""Stretches of code with a meaning for performance: graph building, traced functions, dataset callbacks, hot code."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.project.graph_mode import GraphMode
from deepperf.facts.scopes import CallSite, Context, Function, Scope
from deepperf.facts.values import Func, Pipeline
from deepperf.knowledge import dataset_method
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project

_DEPTH = 4


class Mode(Enum):
    """How TensorFlow code runs where it stands."""

    EAGER = "eager"
    GRAPH = "graph"
    TRACED = "tf.function"
    DATASET = "dataset function"
    LOOP_BODY = "graph loop body"
    MIXED = "mixed"


class Region(NamedTuple):
    """The mode of a place, and where that is said."""

    mode: Mode
    because: tuple[Place, ...]


# APIs whose function argument is traced once and then run as a graph loop or branch.
_BODY_CALLERS = frozenset(
    f"tensorflow.{name}"
    for name in "while_loop map_fn scan foldl foldr vectorized_map cond case switch_case".split()
)
_TRACERS = frozenset({"tensorflow.function", "tensorflow.wrap_function", "tensorflow.autograph.to_graph"})
_TRACED_METHODS = {
    "keras.Model": ("call", "train_step", "test_step", "predict_step"),
    "keras.layers.Layer": ("call",),
    "keras.losses.Loss": ("call",),
    "keras.metrics.Metric": ("update_state", "result"),
}


class Regions(GraphMode):
    """Answers in which region code stands."""

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._functions: dict[Function, Region | None] = {}
        self._takers: dict[Module, dict[ast.AST, CallSite]] = {}

    def of(self, context: Context) -> Region | None:
        """Return the region of a place, None if nothing says what it is."""
        for step in context:
            if step.kind == "lambda":
                found = self._lambda(step)
                if found is not None:
                    return found
            elif step.kind == "with" and self._opens_graph(step):
                opened = step.node.items[0].context_expr  # type: ignore[attr-defined]
                place = step.scope.module.source.place(opened, "a graph is built here")
                return Region(Mode.GRAPH, (place,))
            elif step.kind == "with" and self._leaves_tracing(step):
                break
            elif step.kind == "function" and step.scope.function is not None:
                found = self.of_function(step.scope.function)
                if found is not None:
                    return found
        return self._of_module(context.scope.module)

    def of_function(self, function: Function, depth: int = 0) -> Region | None:
        """Return the region a function always runs in, None if none is known."""
        if function in self._functions:
            return self._functions[function]
        self._functions[function] = None
        found = self._decorated(function) or self._framework_method(function)
        if found is None and depth < _DEPTH:
            found = self._used(function, depth)
        self._functions[function] = found
        return found

    def _leaves_tracing(self, step: Context) -> bool:
        """Tell whether a `with` lifts its code out of the function that is traced."""
        return any(
            isinstance(item.context_expr, ast.Call)
            and self.project.inference.api(item.context_expr.func, step.scope) == "tensorflow.init_scope"
            for item in step.node.items  # type: ignore[attr-defined]
        )

    def _decorated(self, function: Function) -> Region | None:
        for decorator in function.node.decorator_list:
            callee = decorator.func if isinstance(decorator, ast.Call) else decorator
            if self._is_tracer(decorator, function.context.scope) or self._traces(callee, function):
                place = function.module.source.place(decorator, f"{function.name} is traced by tf.function")
                return Region(Mode.TRACED, (place,))
        return None

    def _is_tracer(self, node: ast.expr, scope: Scope) -> bool:
        """Tell whether what is called, or is a decorator, is a tracer or one with options: `tf.function(jit_compile=True)`."""
        parts = [node.func, *node.args[:1]] if isinstance(node, ast.Call) else [node]
        return any(self.project.inference.api(part, scope) in _TRACERS for part in parts)

    def _traces(self, decorator: ast.expr, function: Function) -> bool:
        """Tell whether a decorator of the project hands functions on to `tf.function`."""
        for value in self.project.inference.values(decorator, function.context.scope):
            if isinstance(value, Func) and any(
                isinstance(node, ast.Call)
                and self.project.inference.api(node.func, value.function.scope) in _TRACERS
                for node in ast.walk(value.function.node)
            ):
                return True
        return False

    def _framework_method(self, function: Function) -> Region | None:
        if function.cls is None:
            return None
        for base, names in _TRACED_METHODS.items():
            if function.name in names and self._is_keras(function, base):
                place = function.module.source.place(
                    function.node, f"{function.name} of a Keras {base.rpartition('.')[2].lower()} is traced"
                )
                return Region(Mode.TRACED, (place,))
        return None

    def _is_keras(self, function: Function, base: str) -> bool:
        order = self.project.classes.order(function.cls) if function.cls is not None else ()
        last = base.rpartition(".")[2]
        known = {
            "keras.Model",
            "keras.models.Model",
            "keras.Sequential",
            "keras.models.Sequential",
            "keras.engine.training.Model",
        }
        if base == "keras.Model":
            return any(name in known for name in order)
        return any(
            isinstance(name, str) and name.startswith("keras.") and name.endswith("." + last)
            for name in order
        ) or (
            base == "keras.layers.Layer"
            and any(isinstance(n, str) and n.startswith("keras.layers.") for n in order)
        )

    def _used(self, function: Function, depth: int) -> Region | None:
        """Judge a function by how it is used: handed to a tracer or a dataset, or called only from such code."""
        callers = self.project.calls.callers(function)
        found: list[Region | None] = []
        for call in callers.handed_on:
            region = self._handed_to(call)
            if region is not None:
                found.append(region)
        found.extend(self._of_caller(caller.call, depth) for caller in callers.sites)
        modes = {region.mode if region is not None else None for region in found}
        if not found or modes == {None}:
            return None
        return found[0] if len(modes) == 1 else Region(Mode.MIXED, ())

    def _of_caller(self, call: CallSite, depth: int) -> Region | None:
        for step in call.context:
            if step.kind == "lambda":
                return self._lambda(step)
            if step.kind == "function" and step.scope.function is not None:
                return self.of_function(step.scope.function, depth + 1)
            if step.kind == "with" and self._opens_graph(step):
                return Region(Mode.GRAPH, ())
            if step.kind == "with" and self._leaves_tracing(step):
                return None
        return None

    def _handed_to(self, call: CallSite) -> Region | None:
        name = self.project.inference.api(call.node.func, call.scope)
        if name == "functools.partial":
            taker = self._taker_of(call.node, call.module)
            return self._handed_to(taker) if taker is not None else None
        place = call.module.source.place(call.node.func, "the function is handed over here")
        if self._is_tracer(call.node.func, call.scope):
            return Region(Mode.TRACED, (place,))
        if name in _BODY_CALLERS:
            return Region(Mode.LOOP_BODY, (place,))
        if self.is_dataset_callback(call):
            return Region(Mode.DATASET, (place,))
        return None

    def is_dataset_callback(self, call: CallSite) -> bool:
        """Tell whether a call is a dataset transformation that takes a function."""
        name = call.method_name
        known = dataset_method(name) if name is not None else None
        if known is None or not known.callback or not isinstance(call.node.func, ast.Attribute):
            return False
        return any(
            isinstance(v, Pipeline) for v in self.project.inference.values(call.node.func.value, call.scope)
        )

    def _lambda(self, step: Context) -> Region | None:
        """Judge a lambda by the call that takes it."""
        call = self.taker(step)
        return self._handed_to(call) if call is not None else None

    def taker(self, step: Context) -> CallSite | None:
        """Return the call that takes a lambda as an argument: it is written there, or a name that is set once holds it."""
        module = step.scope.module
        taker = self._taker_of(step.node, module)
        if taker is None:
            for name, definitions in module.flow(step.scope).definitions.items():
                if len(definitions) == 1 and definitions[0].value is step.node:
                    takers = self.project.calls.passing(name, step.scope)
                    return takers[0] if len(takers) == 1 else None
        return taker

    def _taker_of(self, node: ast.AST, module: Module) -> CallSite | None:
        known = self._takers.get(module)
        if known is None:
            known = self._takers[module] = {}
            for call in module.index.calls:
                for value in (*call.node.args, *(keyword.value for keyword in call.node.keywords)):
                    known[value] = call
        return known.get(node)

    def _of_module(self, module: Module) -> Region | None:
        evidence = self.graph_evidence(module)
        if evidence is not None:
            return Region(Mode.GRAPH, (evidence,))
        versions = self.versions(module)
        if versions.holds("<2"):
            return None if self._eager[module] else Region(Mode.GRAPH, ())
        return Region(Mode.EAGER, ()) if versions.holds(">=2") else None
