"""Which expressions have the same value on every pass of a loop.

Sound by value: whatever may vary in a way the code shows, or in a way it hides, is not invariant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.behaviour import only_reads
from deepperf.facts.definitions import Definition
from deepperf.facts.loops import Loop
from deepperf.facts.project.changes import Change
from deepperf.facts.project.keeping import Entry
from deepperf.facts.project.rebinding import Rebinding
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import CHILD_FIELDS, dotted_name, end, start, walk_own
from deepperf.facts.values import (
    UNKNOWN,
    Api,
    ClassRef,
    Func,
    Instance,
    LambdaRef,
    Made,
    ModuleRef,
    Value,
)
from deepperf.model import Confidence, Place

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 40


class Invariant(NamedTuple):
    """A proof that an expression keeps its value: how sure, and the places it rests on."""

    confidence: Confidence
    because: tuple[Place, ...]


class Invariance:
    """Answers whether expressions vary in a loop."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._changes: dict[ast.AST, Change] = {}

    def of(self, node: ast.expr, scope: Scope, loop: Loop, chain: tuple[Entry, ...] = ()) -> Invariant | None:
        """Return the proof that `node` keeps its value while `loop` runs, None if it may vary.

        `chain` are the calls that lead from the loop's body to the function that holds `node`; empty if the loop is
        in the same function.
        """
        return _Question(self, loop, chain, node).ask(scope)

    def changes(self, loop: Loop) -> Change:
        """Return what one pass of a loop may change."""
        known = self._changes.get(loop.node)
        if known is None:
            known = self.project.effects.of_nodes(self.nodes(loop), loop.scope)
            if not isinstance(loop.node, ast.While):
                known.add(self.project.effects.of_iterating(loop.node.iter, loop.scope))
            self._changes[loop.node] = known
        return known

    @staticmethod
    def nodes(loop: Loop) -> list[ast.AST]:
        """Return the nodes of the loop's function that are evaluated on each pass."""
        if isinstance(loop.node, ast.comprehension):
            return list(ast.walk(loop.owner)) if loop.owner is not None else []
        found: list[ast.AST] = []
        roots: list[ast.AST] = [*loop.node.body]
        roots += [loop.node.test] if isinstance(loop.node, ast.While) else [loop.node.target]
        for root in roots:
            found.append(root)
            if not isinstance(root, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                found.extend(walk_own(root))
        return found


class _Question(Rebinding):
    """One question and the evidence gathered for its answer."""

    def __init__(self, invariance: Invariance, loop: Loop, chain: tuple[Entry, ...], root: ast.expr) -> None:
        super().__init__(loop, chain, invariance.changes(loop), root)
        self._invariance = invariance
        self._active: set[ast.AST] = set()

    def ask(self, scope: Scope) -> Invariant | None:
        if not self._holds(self._root, scope, len(self.chain)):
            return None
        return Invariant(self.confidence, tuple(dict.fromkeys(self.because)))

    def _holds(self, node: ast.AST, scope: Scope, level: int) -> bool:
        if node in self._active or len(self._active) > _DEPTH:
            return False
        self._active.add(node)
        try:
            return self._kind(node, scope, level)
        finally:
            self._active.discard(node)

    def _kind(self, node: ast.AST, scope: Scope, level: int) -> bool:
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            return self._name(node, scope, level)
        if isinstance(node, ast.Attribute):
            return self._attribute(node, scope, level)
        if isinstance(node, ast.Call):
            return self._call(node, scope, level)
        if isinstance(node, ast.Subscript) and self._is_trained(self.project.inference.values(node, scope)):
            return False
        if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr):
            return False
        if isinstance(node, ast.Lambda):
            return self._holds(node.body, scope, level)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
            if any(self._may_be_used_up(g.iter, scope) for g in node.generators):
                self.confidence = Confidence.LOW
            parts: list[ast.expr] = [g.iter for g in node.generators] + [
                t for g in node.generators for t in g.ifs
            ]
            parts += [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
            return all(self._holds(part, scope, level) for part in parts)
        return all(self._holds(child, scope, level) for child in _children(node))

    # names

    def _name(self, node: ast.Name, scope: Scope, level: int) -> bool:
        return self._same_object(node, scope, level) and self._unchanged(node.id, node, scope, level)

    def _may_be_used_up(self, node: ast.expr, scope: Scope) -> bool:
        """Tell whether iterating over an expression may take something out of it: nothing says that it is no iterator."""
        return UNKNOWN in self.project.inference.values(node, scope) and not isinstance(node, ast.Call)

    # attributes

    def _attribute(self, node: ast.Attribute, scope: Scope, level: int) -> bool:
        values = self.project.inference.values(node, scope)
        if all(isinstance(value, Api | ModuleRef | ClassRef) for value in values):
            return self._same_object(node.value, scope, level)
        getter = self._property(node, scope)
        if getter is not None:
            call = ast.copy_location(ast.Call(node, [], []), node)
            return self.project.purity.is_pure(getter) and self._owner(getter, call, scope, level)
        definitions = scope.module.flow(scope).uses.get(node)
        if definitions and any(self._varies(definition, level) for definition in definitions):
            return len(definitions) == 1 and self._attribute_set_here(definitions[0], level)
        if not self._same_object(node.value, scope, level):
            return False
        path = dotted_name(node)
        if self._is_trained(values):
            return False
        if path is None:
            return node.attr in _STABLE_ATTRIBUTES or not self.change.attributes
        if not self._unchanged_attribute(path, scope, level):
            return False
        if self.change.opaque:
            self.confidence = min(self.confidence, Confidence.MEDIUM)
        return True

    def _property(self, node: ast.Attribute, scope: Scope) -> Function | None:
        """Return the function behind an attribute that is a property of a project class."""
        for value in self.project.inference.values(node.value, scope):
            if isinstance(value, Instance):
                method = self.project.classes.method(value.cls, node.attr)
                if method is not None and self.project.classes.is_property(method):
                    return method
        return None

    def _attribute_set_here(self, definition: Definition, level: int) -> bool:
        return (
            definition.kind == "assign"
            and not definition.path
            and definition.value is not None
            and self._holds(definition.value, definition.scope, level)
            and self._nothing_else_sets(definition)
        )

    def _nothing_else_sets(self, definition: Definition) -> bool:
        """Tell whether nothing changes a field after the one place where a loop sets it."""
        if definition.scope is self.loop.scope:
            nodes: Iterable[ast.AST] = self._invariance.nodes(self.loop)
        else:
            nodes = walk_own(definition.scope.node)
        last = end(definition.statement)
        later = (node for node in nodes if not isinstance(node, ast.stmt | ast.expr) or start(node) >= last)
        change = self.project.effects.of_nodes(later, definition.scope)
        return self._left_alone(change, self.project.effects.aliases.names(definition.name, definition.scope))

    def _owner(self, method: Function, node: ast.Call, scope: Scope, level: int) -> bool:
        """Tell whether what a method reads of its object stays the same."""
        if not isinstance(node.func, ast.Attribute) or not self._same_object(node.func.value, scope, level):
            return False
        owner = dotted_name(node.func.value)
        read = self.project.purity.reads_of_self(method)
        if owner is None or read is None:
            return self._holds(node.func.value, scope, level)
        return all(self._unchanged_attribute(f"{owner}.{name}", scope, level) for name in sorted(read))

    # calls

    def _call(self, node: ast.Call, scope: Scope, level: int) -> bool:
        if not isinstance(node.func, ast.Attribute) and not self._same_object(node.func, scope, level):
            return False
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        if not all(self._holds(argument, scope, level) for argument in arguments):
            return False
        return all(
            self._callee(value, node, scope, level)
            for value in self.project.inference.values(node.func, scope)
        )

    def _callee(self, value: Value, node: ast.Call, scope: Scope, level: int) -> bool:
        """Tell whether calling a value gives the same on each pass, its arguments being the same."""
        purity = self.project.purity
        if isinstance(value, Api):
            if value.name in _CONSUMERS and any(
                self._may_be_used_up(argument, scope) for argument in node.args
            ):
                self.confidence = Confidence.LOW
            return purity.is_pure_api(value.name)
        if isinstance(value, Func):
            if value.given is not None and isinstance(node.func, ast.Attribute):
                return False
            return purity.is_pure(value.function) and (
                value.bound is None or self._owner(value.function, node, scope, level)
            )
        if isinstance(value, LambdaRef):
            return self._holds(value.node.body, value.scope, level)
        if not isinstance(node.func, ast.Attribute):
            return False
        is_tensor_method = isinstance(value, Made) and value.kind.partition(".")[0] == "tensor"
        reads = only_reads(node.func.attr, gets_something=bool(node.args))
        if not is_tensor_method and not reads:
            if node.args or node.keywords or value is not UNKNOWN:
                return False
            self.confidence = Confidence.LOW
        return self._holds(node.func.value, scope, level)


_CONSUMERS = frozenset(
    f"builtins.{name}" for name in "list tuple set sum sorted any all min max dict next".split()
)
_STABLE_ATTRIBUTES = {"shape", "dtype", "ndim", "device", "name"}


def _children(node: ast.AST) -> list[ast.AST]:
    found: list[ast.AST] = []
    for name in CHILD_FIELDS[type(node)]:
        value = getattr(node, name)
        if isinstance(value, list):
            found.extend(item for item in value if item is not None)
        elif value is not None:
            found.append(value)
    return found
