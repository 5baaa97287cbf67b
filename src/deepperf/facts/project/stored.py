"""Where the values come from that a name or a list holds, beyond what the flow of a scope says."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.definitions import Definition
from deepperf.facts.scopes import Scope
from deepperf.facts.syntax import dotted_name, end

_SAMPLING = frozenset({"sample", "list", "reversed", "shuffle", "choices"})


def container(node: ast.expr, scope: Scope) -> str | None:
    """Return the path of the list that an expression is a sample of, or is itself."""
    while isinstance(node, ast.Call) and node.args:
        last = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        if last not in _SAMPLING:
            return None
        node = node.args[0]
    if isinstance(node, ast.Name):
        made = [d.value for d in scope.module.definitions(node, scope) if d.kind == "assign" and not d.path]
        if len(made) == 1 and isinstance(made[0], ast.Call) and made[0].args:
            return container(made[0], scope) or node.id
    return dotted_name(node)


def appended(path: str, scope: Scope) -> Iterator[tuple[ast.Tuple | ast.List, Scope]]:
    """Yield the tuples that are appended to the list at a path, each with the scope it is written in."""
    for call in scope.module.index.calls:
        if call.method_name == "append" and dotted_name(call.node.func) == f"{path}.append":
            for value in call.node.args:
                if isinstance(value, ast.Tuple | ast.List):
                    yield value, call.scope


def reaching(node: ast.expr, scope: Scope) -> list[Definition]:
    """Return the definitions that reach a use, without those of a loop's pass that the same pass overwrites."""
    found = list(scope.module.definitions(node, scope))
    return [d for d in found if d.scope is not scope or not _is_overwritten(d, node, scope)]


def _is_overwritten(definition: Definition, use: ast.expr, scope: Scope) -> bool:
    """Tell whether a definition that reaches the use only round a loop is followed by another one in the same block."""
    statement = definition.statement
    if not isinstance(statement, ast.Assign) or end(statement) < end(use):
        return False
    block = next((block for block in _blocks(scope.node) if statement in block), [])
    later = block[block.index(statement) + 1 :] if block else []
    return any(
        other.statement in later
        and other.kind == "assign"
        and not _may_continue(later[: later.index(other.statement)])
        for other in scope.module.flow(scope).definitions.get(definition.name, ())
    )


def _blocks(root: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(root):
        for name in ("body", "orelse", "finalbody"):
            block = getattr(node, name, None)
            if isinstance(block, list):
                yield block


def _may_continue(statements: list[ast.stmt]) -> bool:
    return any(isinstance(node, ast.Continue) for statement in statements for node in ast.walk(statement))
