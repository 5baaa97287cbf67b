"""A definition: one place where a name gets a value."""

from __future__ import annotations

import ast

from deepperf.facts.scopes import Scope

Definitions = tuple["Definition", ...]
Environment = dict[str, Definitions]


class Definition:
    """One place where a name gets a value.

    `kind`: parameter, assign, augmented, for, with, import, function, class, except, walrus, comprehension, lambda,
    match, delete, declared. `value` is the expression bound (the iterable for `for` and `comprehension`, the context
    expression for `with`); `path` says which part of it: indexes into nested tuples, -1 for a starred rest.
    """

    __slots__ = ("kind", "name", "node", "path", "scope", "statement", "value")

    def __init__(
        self,
        name: str,
        kind: str,
        node: ast.AST,
        statement: ast.AST,
        scope: Scope,
        value: ast.expr | None = None,
        path: tuple[int, ...] = (),
    ) -> None:
        self.name = name
        self.kind = kind
        self.node = node
        self.statement = statement
        self.scope = scope
        self.value = value
        self.path = path

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name} line {getattr(self.node, 'lineno', 0)}>"
