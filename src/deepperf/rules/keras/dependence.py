"""Whether what a call gets may depend on what it gave on an earlier pass of a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import Loop
from deepperf.facts.syntax import start

_DEPTH = 8


def feeds_itself(call: ast.Call, loop: Loop) -> bool:
    """Tell whether a name that the call reads may hold something of its earlier results.

    An object that gets such a value, or whose method does, counts as holding it.
    """
    if isinstance(loop.node, ast.comprehension | ast.While):
        return False
    nodes = [node for statement in loop.node.body for node in ast.walk(statement)]
    held: set[str] = set()
    size = -1
    while size < len(held):
        size = len(held)
        for node in nodes:
            if _holds(node, call, held):
                held.update(set(_receivers(node)) - loop.scope.module.index.imported)
    return any(_carries(name, loop, held, call, 0) for name in ast.walk(call) if isinstance(name, ast.Name))


def _carries(name: ast.Name, loop: Loop, held: set[str], before: ast.AST, depth: int) -> bool:
    """Tell whether a name may hold something of an earlier pass: not if the pass itself has set it to something that does not."""
    if name.id not in held or name.id in _names(loop.node.target):  # type: ignore[union-attr]
        return False
    definitions = loop.scope.module.definitions(name, loop.scope)
    if depth > _DEPTH or not definitions:
        return True
    return not all(
        definition.value is not None
        and loop.runs(definition.node)
        and start(definition.node) < start(before)
        and not any(
            _carries(part, loop, held, definition.node, depth + 1)
            for part in ast.walk(definition.value)
            if isinstance(part, ast.Name)
        )
        for definition in definitions
    )


def _holds(node: ast.AST, call: ast.Call, held: set[str]) -> bool:
    value = getattr(node, "value", None) if isinstance(node, _ASSIGNING) else node
    if not isinstance(node, (*_ASSIGNING, ast.Call)) or not isinstance(value, ast.AST) or node is call:
        return False
    return any(part is call or (isinstance(part, ast.Name) and part.id in held) for part in ast.walk(value))


_ASSIGNING = (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.NamedExpr)


def _receivers(node: ast.AST) -> Iterator[str]:
    """Yield the names of what gets a value: targets of an assignment, the object whose method is called."""
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _names(target)
    elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.NamedExpr):
        yield from _names(node.target)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        yield from _names(node.func.value)


def _names(node: ast.AST) -> Iterator[str]:
    yield from (part.id for part in ast.walk(node) if isinstance(part, ast.Name))
