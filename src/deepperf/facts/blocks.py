"""The statements of a loop's body, each with the structure it stands in."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import Loop
from deepperf.facts.scopes import Context
from deepperf.facts.syntax import DEFINING


def statements(loop: Loop) -> Iterator[tuple[ast.stmt, Context]]:
    """Yield the statements that run on each pass of a loop, outer ones first; none for a comprehension."""
    if not isinstance(loop.node, ast.comprehension):
        yield from _block(loop.node.body, loop.context)


def own_expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the nodes of a statement that belong to no other statement in it."""
    pending: list[ast.AST] = [statement]
    while pending:
        node = pending.pop()
        yield node
        if not isinstance(node, DEFINING):
            pending += [
                child
                for child in ast.iter_child_nodes(node)
                if not isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
            ]


def _block(block: list[ast.stmt], context: Context) -> Iterator[tuple[ast.stmt, Context]]:
    for statement in block:
        yield statement, context
        for kind, node, inner in _parts(statement):
            yield from _block(inner, Context(context, kind, node, context.scope))


def _parts(statement: ast.stmt) -> Iterator[tuple[str, ast.AST, list[ast.stmt]]]:
    """Yield the blocks of a statement, each with the word for it and the node that makes it."""
    if isinstance(statement, ast.If):
        yield "if", statement, statement.body
        yield "else", statement, statement.orelse
    elif isinstance(statement, ast.For | ast.AsyncFor | ast.While):
        yield "loop", statement, statement.body
        yield "else", statement, statement.orelse
    elif isinstance(statement, ast.With | ast.AsyncWith):
        yield "with", statement, statement.body
    elif isinstance(statement, ast.Try):
        yield "try", statement, statement.body
        for handler in statement.handlers:
            yield "except", handler, handler.body
        yield "try", statement, statement.orelse
        yield "finally", statement, statement.finalbody
    elif isinstance(statement, ast.Match):
        for case in statement.cases:
            yield "if", statement, case.body
