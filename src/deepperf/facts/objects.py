"""Which objects an expression hands on, and which ones its value may be or be a part of: by path, such as `self.cfg`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

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


def origins(node: ast.expr) -> set[str]:
    """Return the paths an assigned expression may be the same object as, or an element of."""
    if isinstance(node, ast.IfExp):
        return origins(node.body) | origins(node.orelse)
    if isinstance(node, ast.BoolOp):
        return {origin for value in node.values for origin in origins(value)}
    if isinstance(node, ast.Subscript | ast.NamedExpr | ast.Starred):
        return origins(node.value)
    if isinstance(node, ast.Dict):
        return {origin for value in node.values for origin in origins(value)}
    if isinstance(node, ast.Tuple | ast.List):
        return {origin for value in node.elts for origin in origins(value)}
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in _VIEWS:
            return origins(node.func.value)
        if (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in ("asarray", "atleast_1d", "from_numpy")
            and node.args
        ):
            return origins(node.args[0])
        if isinstance(node.func, ast.Name) and node.func.id in (*_CONTAINERS, "memoryview"):
            return {origin for value in node.args for origin in origins(value)}
        return set()
    dotted = dotted_name(node)
    if dotted is None:
        return set()
    # A bound method that is kept changes the object it is taken from: `add = items.append`.
    owner, _, last = dotted.rpartition(".")
    return {dotted, owner} if last in _STORERS else {dotted}


_STORERS = frozenset("append extend insert add update put push appendleft setdefault".split())
