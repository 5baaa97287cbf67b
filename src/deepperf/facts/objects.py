"""Which objects an expression hands on, and which ones its value may be or be a part of: by path, such as `self.cfg`."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from deepperf.facts.behaviour import STORERS
from deepperf.facts.syntax import dotted_name, root_name


def handed_objects(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the objects that an argument hands on: itself, or what a display or `zip(...)` of it holds."""
    if isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        yield node
    elif isinstance(node, ast.Starred | ast.NamedExpr):
        yield from handed_objects(node.value)
    elif isinstance(node, ast.List | ast.Tuple | ast.Set):
        for element in node.elts:
            yield from handed_objects(element)
    elif isinstance(node, ast.Dict):
        for value in node.values:
            yield from handed_objects(value)
    elif isinstance(node, ast.IfExp):
        yield from handed_objects(node.body)
        yield from handed_objects(node.orelse)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _CONTAINERS:
        for value in node.args:
            yield from handed_objects(value)


# Methods that give a part or another view of their object.
_VIEWS = frozenset("items values keys get reshape view ravel squeeze transpose swapaxes".split())
_CONTAINERS = frozenset("zip list tuple enumerate iter reversed sorted dict map filter".split())


def roots(node: ast.expr) -> set[str]:
    root = root_name(node)
    return {root.id} if root is not None and not isinstance(node, ast.Call) else set()


def origins(node: ast.expr, given_back: Callable[[ast.Call], set[str]]) -> set[str]:
    """Return the paths an assigned expression may be the same object as, or an element of.

    `given_back` tells the paths of what a call may give that is neither a view nor a container of Python's own.
    """
    parts = _same_objects(node)
    if parts is not None:
        return {origin for part in parts for origin in origins(part, given_back)}
    if isinstance(node, ast.Call):
        return given_back(node)
    dotted = dotted_name(node)
    if dotted is None:
        return set()
    # A bound method that is kept changes the object it is taken from: `add = items.append`.
    owner, _, last = dotted.rpartition(".")
    if last == "__dict__":
        return {owner}
    return {dotted, owner} if last in STORERS else {dotted}


def _same_objects(node: ast.expr) -> list[ast.expr] | None:
    """Return the expressions of which one is the value of another one, or a part of it; None if it has no such form."""
    if isinstance(node, ast.IfExp):
        return [node.body, node.orelse]
    if isinstance(node, ast.BoolOp | ast.Dict):
        return node.values
    if isinstance(node, ast.Subscript | ast.NamedExpr | ast.Starred):
        return [node.value]
    if isinstance(node, ast.Tuple | ast.List | ast.Set):
        return node.elts
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in _VIEWS:
            return [node.func.value]
        if node.func.attr in ("asarray", "atleast_1d", "from_numpy") and node.args:
            return node.args[:1]
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return node.args if node.func.id in (*_CONTAINERS, "memoryview", "vars") else None
    return None
