"""What two nested loops do to each pair of rows or to each element, with nothing else in them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.loops import Loop, Trips
from deepperf.facts.project.row_sources import is_tensor
from deepperf.facts.scopes import Scope
from deepperf.facts.syntax import target_names
from deepperf.facts.values import Made

if TYPE_CHECKING:
    from deepperf.facts.project import Project


class Cell(Enum):
    """What the loops do for each pair."""

    SET = "sets one element"
    PICKED = "picks one element"
    DISTANCE = "computes one distance"


class NestedLoop(NamedTuple):
    """Two loops, one in the other: what they do for each pair, and to what."""

    cell: Cell
    outer: Loop
    what: str
    node: ast.expr


_NORMS = frozenset({"tensorflow.norm", "numpy.linalg.norm", "tensorflow.reduce_sum", "numpy.sum"})
_ROOTS = frozenset({"tensorflow.sqrt", "numpy.sqrt", "builtins.float"})
_SQUARES = frozenset({"tensorflow.square", "numpy.square"})
_COLLECTING = frozenset(f"tensorflow.{name}" for name in "stack convert_to_tensor constant concat".split())
_FILLED = ("numpy.zeros", "numpy.ones", "numpy.full", "numpy.empty", "numpy.zeros_like", "numpy.ones_like")


class NestedLoops:
    """Answers what the inner one of two nested loops does for each pair."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def of(self, inner: Loop) -> NestedLoop | None:
        """Return what a loop inside of another one does, None if it does anything else too."""
        outer = self._outer(inner)
        if outer is None or any(loop.trips in (Trips.ONCE, Trips.FEW) for loop in (inner, outer)):
            return None
        names = _names(outer), _names(inner)
        if not all(names) or names[0] & names[1]:
            return None
        found = self._of_statements(inner, names) if not inner.is_comprehension else None
        if inner.is_comprehension:
            found = self._of_comprehension(inner, names)
        return NestedLoop(found[0], outer, ast.unparse(found[1]), found[1]) if found is not None else None

    def _outer(self, inner: Loop) -> Loop | None:
        """Return the loop right around a loop, if it holds nothing else."""
        around = inner.context.parent
        if around is None or around.kind not in ("loop", "comprehension"):
            return None
        if around.kind == "loop" and getattr(around.node, "body", None) != [inner.node]:
            return None
        return Loop(around, self.project.inference)

    def _of_statements(self, inner: Loop, names: tuple[set[str], set[str]]) -> tuple[Cell, ast.expr] | None:
        body = getattr(inner.node, "body", [])
        statement = body[0] if len(body) == 1 else None
        if not isinstance(statement, ast.Assign) or len(statement.targets) != 1:
            return None
        target = statement.targets[0]
        if not isinstance(target, ast.Subscript) or not _is_place(target, names):
            return None
        base: ast.expr = target.value.value if isinstance(target.value, ast.Subscript) else target.value
        if isinstance(statement.value, ast.Constant):
            return (Cell.SET, base) if self._is_array(base, inner.scope) else None
        return self._value(statement.value, names, inner.scope)

    def _of_comprehension(
        self, inner: Loop, names: tuple[set[str], set[str]]
    ) -> tuple[Cell, ast.expr] | None:
        owner = inner.owner
        if not isinstance(owner, ast.ListComp) or any(part.ifs for part in owner.generators):
            return None
        outermost = max(
            (
                node
                for step in inner.context.within_function()
                if isinstance(node := step.owner, ast.ListComp)
            ),
            key=lambda node: (node.end_lineno or 0, node.end_col_offset or 0),
        )
        taker = next((c for c in inner.scope.module.index.calls if outermost in c.node.args), None)
        name = self.project.inference.api(taker.node.func, taker.scope) if taker is not None else None
        return self._value(owner.elt, names, inner.scope) if name in _COLLECTING else None

    def _value(
        self, node: ast.expr, names: tuple[set[str], set[str]], scope: Scope
    ) -> tuple[Cell, ast.expr] | None:
        if isinstance(node, ast.Subscript):
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
            picks = len(parts) == 2 and all(_mentions(part, names[0] | names[1]) for part in parts)
            is_plain = picks and not any(isinstance(part, ast.Slice | ast.BinOp) for part in parts)
            if is_plain and is_tensor(node.value, scope, self.project.inference):
                return Cell.PICKED, node.value
            return None
        difference = next((d for d in self._differences(node, scope) if _is_pair(d, names)), None)
        return (Cell.DISTANCE, difference) if difference is not None else None

    def _differences(self, node: ast.expr, scope: Scope) -> Iterator[ast.BinOp]:
        """Yield the difference whose length an expression is: the root of the sum of its squares, or its norm."""
        if not isinstance(node, ast.Call) or not node.args:
            return
        name = self.project.inference.api(node.func, scope) or ""
        first = node.args[0]
        if name in _ROOTS:
            yield from self._differences(first, scope)
        if name in _NORMS and len(node.args) == 1:
            if isinstance(first, ast.Call) and self.project.inference.api(first.func, scope) in _SQUARES:
                first = first.args[0] if first.args else first
            if isinstance(first, ast.BinOp) and isinstance(first.op, ast.Pow):
                first = first.left
            if isinstance(first, ast.BinOp) and isinstance(first.op, ast.Sub):
                yield first

    def _is_array(self, node: ast.expr, scope: Scope) -> bool:
        """Tell whether something is surely an array that was made with its full size."""
        value = self.project.inference.one(node, scope)
        return isinstance(value, Made) and value.api in _FILLED


def _names(loop: Loop) -> set[str]:
    return set() if isinstance(loop.node, ast.While) else set(target_names(loop.node.target))


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))


def _is_place(target: ast.Subscript, names: tuple[set[str], set[str]]) -> bool:
    """Tell whether an index is one variable of each loop: `[i, j]`, `[j, i]`, `[i][j]`."""
    if isinstance(target.slice, ast.Tuple):
        places = list(target.slice.elts)
    elif isinstance(target.value, ast.Subscript):
        places = [target.value.slice, target.slice]
    else:
        return False
    found = [place.id for place in places if isinstance(place, ast.Name)]
    return len(found) == len(places) == 2 and all(any(name in own for name in found) for own in names)


def _is_pair(node: ast.BinOp, names: tuple[set[str], set[str]]) -> bool:
    """Tell whether a difference is that of a row of the outer loop and one of the inner loop."""
    sides = [(_mentions(side, names[0]), _mentions(side, names[1])) for side in (node.left, node.right)]
    return sorted(sides) == [(False, True), (True, False)]
