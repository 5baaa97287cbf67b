"""Stretches of code with a meaning for performance: graph building, traced functions, dataset callbacks, hot code."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.project.modules import SESSIONS
from deepperf.facts.scopes import CallSite, Context, Function
from deepperf.facts.syntax import dotted_name
from deepperf.facts.values import Func, Made, Pipeline
from deepperf.knowledge import dataset_method
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project
    from deepperf.facts.versions import VersionRange

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


# Names that only work while a graph is built, or that switch eager execution off.
_GRAPH_EVIDENCE = frozenset(
    f"tensorflow.{name}"
    for name in "placeholder placeholder_with_default disable_eager_execution disable_v2_behavior".split()
) | {"keras.backend.function"}
_EAGER_EVIDENCE = frozenset(
    {
        "tensorflow.enable_eager_execution",
        "tensorflow.enable_v2_behavior",
        "tensorflow.contrib.eager.enable_eager_execution",
    }
)
# Names that the package's root lost with TensorFlow 2.
_TENSORFLOW1_ONLY = frozenset(
    "Session InteractiveSession placeholder get_variable global_variables_initializer initialize_all_variables "
    "train.AdamOptimizer train.GradientDescentOptimizer train.Saver parse_single_example FixedLenFeature "
    "layers.dense layers.conv2d log random_normal truncated_normal".split()
)
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


class Regions:
    """Answers in which region code stands."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._functions: dict[Function, Region | None] = {}
        self._graph: dict[Module, Place | None] = {}
        self._eager: dict[Module, bool] = {}
        self._versions: dict[Module, VersionRange] = {}
        self._may_build: dict[Module, bool] = {}

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

    def _decorated(self, function: Function) -> Region | None:
        for decorator in function.node.decorator_list:
            callee = decorator.func if isinstance(decorator, ast.Call) else decorator
            names = {self.project.inference.api(callee, function.context.scope)}
            if isinstance(decorator, ast.Call) and decorator.args:
                names.add(self.project.inference.api(decorator.args[0], function.context.scope))
            if names & _TRACERS or self._traces(callee, function):
                place = function.module.source.place(decorator, f"{function.name} is traced by tf.function")
                return Region(Mode.TRACED, (place,))
        return None

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
            region = self._handed_to(call, function)
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
        return None

    def _handed_to(self, call: CallSite, function: Function | None) -> Region | None:
        name = self.project.inference.api(call.node.func, call.scope)
        place = call.module.source.place(call.node.func, "the function is handed over here")
        if name in _TRACERS:
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
        return self._handed_to(call, None) if call is not None else None

    @staticmethod
    def taker(step: Context) -> CallSite | None:
        """Return the call that a lambda is written into as an argument."""
        for call in step.scope.module.index.calls:
            if any(value is step.node for value in (*call.node.args, *(k.value for k in call.node.keywords))):
                return call
        return None

    def _opens_graph(self, step: Context) -> bool:
        for item in step.node.items:  # type: ignore[attr-defined]
            node = item.context_expr
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "as_default"
            ):
                values = self.project.inference.values(node.func.value, step.scope)
                if any(isinstance(value, Made) and value.kind == "graph" for value in values):
                    return True
        return False

    def opens_fresh_graph(self, step: Context) -> bool:
        """Tell whether a `with` makes its graph anew each time: `with tf.Graph().as_default()`."""
        if step.kind != "with":
            return False
        return any(
            isinstance(node, ast.Call)
            and self.project.inference.api(node.func, step.scope) == "tensorflow.Graph"
            for item in step.node.items  # type: ignore[attr-defined]
            for node in ast.walk(item.context_expr)
        )

    def opens_some_graph(self, step: Context) -> str | None:
        """Return the path of the graph that a `with` opens: `self.graph` for `with self.graph.as_default()`, None for none.

        A graph that has no name gives the empty string.
        """
        if step.kind != "with":
            return None
        for item in step.node.items:  # type: ignore[attr-defined]
            node = item.context_expr
            if (
                isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "as_default"
            ):
                values = self.project.inference.values(node.func.value, step.scope)
                if not any(isinstance(value, Made) and value.kind == "session" for value in values):
                    return dotted_name(node.func.value) or ""
        return None

    def _of_module(self, module: Module) -> Region | None:
        evidence = self.graph_evidence(module)
        if evidence is not None:
            return Region(Mode.GRAPH, (evidence,))
        versions = self.versions(module)
        if versions.holds("<2"):
            return None if self._eager[module] else Region(Mode.GRAPH, ())
        return Region(Mode.EAGER, ()) if versions.holds(">=2") else None

    def versions(self, module: Module) -> VersionRange:
        """Return the TensorFlow versions a module is for; names that only TensorFlow 1 has speak where no file does."""
        known = self._versions.get(module)
        if known is None:
            evidence = "<2" if self._uses_only_tensorflow1(module) else None
            known = self.project.versions.range_of(
                "tensorflow", file=module.source.file, code_evidence=evidence
            )
            self._versions[module] = known
        return known

    @staticmethod
    def _uses_only_tensorflow1(module: Module) -> bool:
        for call in module.index.calls:
            dotted = dotted_name(call.node.func)
            root, _, rest = dotted.partition(".") if dotted is not None else ("", "", "")
            if rest and (rest in _TENSORFLOW1_ONLY or rest.startswith("contrib.")):
                holder = call.scope.holder(root)
                imports = holder.imports.get(root, ()) if holder is not None else ()
                if imports and all(found.dotted == "tensorflow" for found in imports):
                    return "disable_v2_behavior" not in module.source.text
        return False

    def may_build_graphs(self, module: Module) -> bool:
        """Tell whether code of a module may run in graph mode at all: cheap, asked before anything dear."""
        known = self._may_build.get(module)
        if known is None:
            known = self.graph_evidence(module) is not None
            versions = self.versions(module)
            known = known or (not self._eager[module] and versions.may("<2"))
            known = known or any(call.method_name == "as_default" for call in module.index.calls)
            if not known:
                # A module without a sign of its own may still be called from one that runs sessions.
                running = self.project.modules.holding(*SESSIONS)
                known = bool(running) and self.project.modules.named_in(module, running)
            self._may_build[module] = known
        return known

    def _runs_default_graph(self, call: CallSite) -> bool:
        """Tell whether a call runs a session whose graph is the module's: a session may also be there to set up a device."""
        if call.method_name != "run" or not isinstance(call.node.func, ast.Attribute) or not call.node.args:
            return False
        values = self.project.inference.values(call.node.func.value, call.scope)
        if not any(
            isinstance(value, Made) and value.kind == "session" and _has_no_graph(value.node)
            for value in values
        ):
            return False
        return not any(self.opens_some_graph(step) is not None for step in call.context)

    def graph_evidence(self, module: Module) -> Place | None:
        """Return the place that shows a module to build TensorFlow 1 graphs, None if there is none."""
        if module not in self._graph:
            self._graph[module] = None
            self._eager[module] = False
            found: Place | None = None
            for call in module.index.calls:
                name = (
                    self.project.inference.api(call.node.func, call.scope)
                    if _may_be_api(call, module)
                    else None
                )
                if name in _EAGER_EVIDENCE:
                    self._eager[module] = True
                elif found is None and (name in _GRAPH_EVIDENCE or self._runs_default_graph(call)):
                    found = module.source.place(call.node.func, "this is graph-building code")
            self._graph[module] = None if self._eager[module] else found
        return self._graph[module]


def _may_be_api(call: CallSite, module: Module) -> bool:
    node: ast.expr = call.node.func
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and (
        node.id in module.index.imported or bool(module.index.star_imports)
    )


def _has_no_graph(node: ast.AST) -> bool:
    """Whether a session is made without a graph of its own."""
    return not (isinstance(node, ast.Call) and any(keyword.arg == "graph" for keyword in node.keywords))
