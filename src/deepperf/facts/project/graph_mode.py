"""What says that code builds TensorFlow 1 graphs: the versions it is for, names that only graphs have, graphs that it opens."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.project.modules import SESSIONS
from deepperf.facts.scopes import CallSite, Context
from deepperf.facts.syntax import dotted_name
from deepperf.facts.values import Made
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project
    from deepperf.facts.versions import VersionRange

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
_LAST_NAMES = frozenset(name.rpartition(".")[2] for name in _GRAPH_EVIDENCE | _EAGER_EVIDENCE)
# Names that the package's root lost with TensorFlow 2.
_TENSORFLOW1_ONLY = frozenset(
    "Session InteractiveSession placeholder get_variable global_variables_initializer initialize_all_variables "
    "train.AdamOptimizer train.GradientDescentOptimizer train.Saver parse_single_example FixedLenFeature "
    "layers.dense layers.conv2d log random_normal truncated_normal".split()
)


class GraphMode:
    """Answers whether code runs in graph mode."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._graph: dict[Module, Place | None] = {}
        self._eager: dict[Module, bool] = {}
        self._versions: dict[Module, VersionRange] = {}
        self._may_build: dict[Module, bool] = {}

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
                    if _may_be_evidence(call, module)
                    else None
                )
                if name in _EAGER_EVIDENCE:
                    self._eager[module] = True
                elif found is None and (name in _GRAPH_EVIDENCE or self._runs_default_graph(call)):
                    found = module.source.place(call.node.func, "this is graph-building code")
            self._graph[module] = None if self._eager[module] else found
        return self._graph[module]


def _may_be_evidence(call: CallSite, module: Module) -> bool:
    """Tell by the spelling of a callee whether it can be one of the names that count: an attribute keeps its name."""
    node: ast.expr = call.node.func
    if isinstance(node, ast.Attribute) and node.attr not in _LAST_NAMES:
        return False
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and (
        node.id in module.index.imported or bool(module.index.star_imports)
    )


def _has_no_graph(node: ast.AST) -> bool:
    """Whether a session is made without a graph of its own."""
    return not (isinstance(node, ast.Call) and any(keyword.arg == "graph" for keyword in node.keywords))
