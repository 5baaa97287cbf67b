"""Batches that hold one item: `x[i : i + 1]`, `np.expand_dims(image, 0)`, `state.reshape(1, -1)`, wherever they are made."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.definitions import Definition
from deepperf.facts.project.keeping import Entry
from deepperf.facts.project.stored import appended, container, reaching
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import argument
from deepperf.facts.values import Const, Plain
from deepperf.knowledge import lookup
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 24
_AXIS = ("axis", "dim")
# What stacks the elements of a list along a new first axis.
_STACKING = frozenset({"array", "asarray", "stack", "constant", "convert_to_tensor", "float32", "float64"})
# Methods and functions that keep the first axis of what they are given.
_SAME_METHODS = frozenset("astype copy numpy".split())
_SAME = frozenset(
    "asarray array float32 float64 cast convert_to_tensor constant preprocess_input identity copy "
    "ascontiguousarray".split()
)
_JOINING = frozenset({"concatenate", "concat", "vstack"})
_INPUTS = "one item for each input of the model"
# What makes an array of a given shape, to be filled afterwards.
_MAKING = frozenset({"zeros", "ones", "empty", "ndarray", "full"})
_TOKENIZING = frozenset({"texts_to_sequences", "texts_to_matrix", "sequences_to_matrix"})
_LIBRARIES = ("numpy.", "tensorflow.", "keras.")


class _Call(NamedTuple):
    """A call that is followed: the parameters of `function` are what it passes."""

    function: Function
    node: ast.Call
    scope: Scope
    bound: bool


_Chain = tuple[_Call, ...]


class Singles:
    """Answers whether an expression is a batch of one item."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._active: set[tuple[ast.AST, _Chain]] = set()

    def proof(self, node: ast.expr, scope: Scope, chain: tuple[Entry, ...] = ()) -> Place | None:
        """Return the place that shows an expression to be a batch of one item, None if it may hold more.

        `chain` are the calls that lead to the function that holds `node`.
        """
        calls = tuple(_Call(e.function, e.call.node, e.call.scope, e.bound) for e in chain)
        return self._of(node, scope, calls)

    def _of(self, node: ast.expr, scope: Scope, chain: _Chain) -> Place | None:
        key = (node, chain)
        if key in self._active or len(self._active) > _DEPTH:
            return None
        self._active.add(key)
        try:
            return self._kind(node, scope, chain)
        finally:
            self._active.discard(key)

    def _all(self, nodes: list[ast.expr], scope: Scope, chain: _Chain) -> Place | None:
        found = [self._of(node, scope, chain) for node in nodes]
        return found[0] if found and None not in found else None

    def _inputs(self, nodes: list[ast.expr], scope: Scope, chain: _Chain) -> Place | None:
        """Judge a list or dict of the inputs of a model: it is no array."""
        found = self._all(nodes, scope, chain)
        return found.note(_INPUTS) if found is not None else None

    def _kind(self, node: ast.expr, scope: Scope, chain: _Chain) -> Place | None:
        if isinstance(node, ast.Subscript):
            return self._subscript(node, scope, chain)
        if isinstance(node, ast.Call):
            return self._call(node, scope, chain)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._named(node, scope, chain)
        if isinstance(node, ast.List | ast.Tuple):
            return self._inputs(node.elts, scope, chain)
        if isinstance(node, ast.Dict):
            return self._inputs(node.values, scope, chain)
        if isinstance(node, ast.IfExp):
            return self._all([node.body, node.orelse], scope, chain)
        if isinstance(node, ast.BinOp):
            return self._arithmetic(node, scope, chain)
        return None

    def _arithmetic(self, node: ast.BinOp, scope: Scope, chain: _Chain) -> Place | None:
        for one, other in ((node.left, node.right), (node.right, node.left)):
            value = self.project.inference.one(other, scope)
            is_number = isinstance(value, Plain) or (
                isinstance(value, Const) and not isinstance(value.value, str)
            )
            if is_number:
                return self._of(one, scope, chain)
        return self._all([node.left, node.right], scope, chain)

    @staticmethod
    def _place(node: ast.expr, scope: Scope) -> Place:
        return scope.module.source.place(node, "a batch of one item")

    # subscripts

    def _subscript(self, node: ast.Subscript, scope: Scope, chain: _Chain) -> Place | None:
        first = node.slice.elts[0] if isinstance(node.slice, ast.Tuple) and node.slice.elts else node.slice
        if isinstance(first, ast.List) and len(first.elts) == 1:
            return self._place(node, scope)
        if isinstance(first, ast.Slice):
            if first.lower is None and first.upper is None and first.step is None:
                return self._of(node.value, scope, chain)
            return self._place(node, scope) if first.step is None and is_one_wide(first) else None
        if isinstance(first, ast.Constant) and first.value is None:
            return self._place(node, scope)
        api = (
            self.project.inference.api(first, scope) if isinstance(first, ast.Attribute | ast.Name) else None
        )
        return self._place(node, scope) if api in ("numpy.newaxis", "tensorflow.newaxis") else None

    # calls

    def _call(self, node: ast.Call, scope: Scope, chain: _Chain) -> Place | None:
        api = self.project.inference.api(node.func, scope)
        if api is not None and api.startswith(_LIBRARIES):
            return self._library(api.rpartition(".")[2], api, node, scope, chain)
        if isinstance(node.func, ast.Attribute):
            found = self._method(node.func.attr, node.func.value, node, scope, chain)
            if found is not None:
                return found
        return self._result(node, scope, chain)

    def _library(self, last: str, api: str, node: ast.Call, scope: Scope, chain: _Chain) -> Place | None:
        given = (
            argument(node, "a", 0)
            or argument(node, "x", 0)
            or (node.keywords[0].value if node.keywords else None)
        )
        if given is None:
            return None
        if last == "expand_dims":
            axis = next((k.value for k in node.keywords if k.arg in _AXIS), None) or argument(node, "axis", 1)
            is_first = axis is not None and self._number(axis, scope) == 0
            return self._place(node, scope) if is_first else self._of(given, scope, chain)
        if last == "reshape":
            shape = argument(node, "newshape", 1) or argument(node, "shape", 1)
            return (
                self._place(node, scope)
                if shape is not None and self._leads_with_one([shape], scope)
                else None
            )
        if last in _MAKING:
            return self._place(node, scope) if self._leads_with_one([given], scope) else None
        if last in _STACKING and isinstance(given, ast.List | ast.Tuple):
            is_one = len(given.elts) == 1 and not isinstance(given.elts[0], ast.Starred)
            return self._place(node, scope) if is_one else None
        if last == "pad_sequences":
            is_one = isinstance(given, ast.List) and len(given.elts) == 1
            return self._place(node, scope) if is_one else self._of(given, scope, chain)
        if last in _JOINING:
            is_one = isinstance(given, ast.List | ast.Tuple) and len(given.elts) == 1
            given = given.elts[0] if is_one else given  # type: ignore[attr-defined]
        known = lookup(api).traits
        keeps = last in _SAME or ("elementwise" in known and not known & {"axis", "last-axis", "adds-axis"})
        found = self._of(given, scope, chain) if keeps or last in _JOINING else None
        return found if found is None or found.message != _INPUTS else None

    def _method(
        self, name: str, receiver: ast.expr, node: ast.Call, scope: Scope, chain: _Chain
    ) -> Place | None:
        if name == "reshape" and node.args and self._leads_with_one(node.args, scope):
            return self._place(node, scope)
        if name in _SAME_METHODS:
            return self._of(receiver, scope, chain)
        if name in _TOKENIZING and node.args and isinstance(node.args[0], ast.List):
            return self._place(node, scope) if len(node.args[0].elts) == 1 else None
        return None

    def _leads_with_one(self, shape: list[ast.expr], scope: Scope) -> bool:
        first = shape[0]
        if isinstance(first, ast.Tuple | ast.List):
            return bool(first.elts) and self._number(first.elts[0], scope) == 1
        if isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add):
            # `(1,) + shape`
            return self._leads_with_one([first.left], scope)
        return len(shape) > 1 and self._number(first, scope) == 1

    def _number(self, node: ast.expr, scope: Scope) -> object:
        value = self.project.inference.one(node, scope)
        return value.value if isinstance(value, Const) else None

    def _result(self, node: ast.Call, scope: Scope, chain: _Chain) -> Place | None:
        """Follow a call of a project function into what it returns."""
        found: list[Place | None] = []
        for target in self.project.calls.targets(node, scope):
            inner = (*chain, _Call(target.function, node, scope, target.bound is not None))
            flow = target.function.module.flow(target.function.scope)
            found += [self._of(result, target.function.scope, inner) for result in flow.returns]
            found += [None] if flow.is_generator else []
        return found[0] if found and None not in found else None

    # names

    def _named(self, node: ast.Name | ast.Attribute, scope: Scope, chain: _Chain) -> Place | None:
        definitions = reaching(node, scope)
        if not definitions and isinstance(node, ast.Attribute):
            owners = self.project.inference.values(node.value, scope)
            definitions = [d for owner in owners for d in self.project.field_definitions(owner, node.attr)]
        found = [self._defined(d, chain if d.scope is scope else ()) for d in definitions]
        return found[0] if found and None not in found else None

    def _defined(self, definition: Definition, chain: _Chain) -> Place | None:
        if definition.kind == "parameter":
            return self._parameter(definition, chain)
        if definition.kind == "augmented" and isinstance(definition.statement, ast.AugAssign):
            return self._of(definition.statement.target, definition.scope, chain)
        if definition.value is None:
            return None
        if definition.kind in ("assign", "walrus"):
            if not definition.path:
                return self._of(definition.value, definition.scope, chain)
            if isinstance(definition.value, ast.Tuple) and len(definition.path) == 1:
                return self._element(definition.value, definition.path, definition.scope, chain)
            if isinstance(definition.value, ast.Subscript):
                return self._stored(definition.value.value, definition.path, definition.scope)
        if definition.kind == "for" and definition.path:
            return self._stored(definition.value, definition.path, definition.scope)
        return None

    def _element(
        self, value: ast.Tuple | ast.List, path: tuple[int, ...], scope: Scope, chain: _Chain
    ) -> Place | None:
        return self._of(value.elts[path[0]], scope, chain) if 0 <= path[0] < len(value.elts) else None

    def _parameter(self, definition: Definition, chain: _Chain) -> Place | None:
        function = definition.scope.function
        if function is None:
            return None
        passed: Callable[..., ast.expr | None] = self.project.calls.argument_for
        if chain and chain[-1].function is function:
            last = chain[-1]
            given = passed(function, definition.name, last.node, bound=last.bound)
            return self._of(given, last.scope, chain[:-1]) if given is not None else None
        found: list[Place | None] = []
        for caller in self.project.calls.callers(function).sites:
            given = passed(function, definition.name, caller.call.node, bound=caller.bound)
            found.append(self._of(given, caller.call.scope, ()) if given is not None else None)
        return found[0] if found and None not in found else None

    # memories: lists and queues of tuples

    def _stored(self, node: ast.expr, path: tuple[int, ...], scope: Scope) -> Place | None:
        """Judge a part of the tuples that a list holds by what is appended to it."""
        held = container(node, scope)
        if held is None or len(path) != 1:
            return None
        found = [self._element(value, path, inner, ()) for value, inner in appended(held, scope)]
        return found[0] if found and None not in found else None


def is_one_wide(piece: ast.Slice) -> bool:
    """Tell whether a slice takes one element: `[i : i + 1]`, `[:1]`, `[3:4]`, `[-1:]`."""
    lower, upper = piece.lower, piece.upper
    if upper is None:
        return lower is not None and ast.unparse(lower) == "-1"
    start = ast.unparse(lower) if lower is not None else "0"
    end = ast.unparse(upper)
    if start.isdigit() and end.isdigit():
        return int(end) - int(start) == 1
    return end in (f"{start} + 1", f"1 + {start}")
