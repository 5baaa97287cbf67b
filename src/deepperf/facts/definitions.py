"""A definition: one place where a name gets a value; an environment: those that may hold at one point of a scope."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

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


def join(environments: Iterable[Environment | None]) -> Environment | None:
    """Return what may hold where several ways meet; an attribute that one way leaves alone may hold anything."""
    alive = [environment for environment in environments if environment is not None]
    if not alive:
        return None
    if len(alive) == 1:
        return alive[0]
    joined: Environment = dict(alive[0])
    for environment in alive[1:]:
        for name in [name for name in joined if "." in name and name not in environment]:
            del joined[name]
        for name, definitions in environment.items():
            known = joined.get(name)
            if known is None:
                if "." not in name:
                    joined[name] = definitions
            elif known is not definitions:
                joined[name] = known + tuple(d for d in definitions if d not in known)
    return joined


def may_be(environment: Environment, found: Mapping[str, Iterable[Definition]]) -> Environment:
    """Return an environment in which these definitions may have taken place too."""
    result = dict(environment)
    for name, definitions in found.items():
        known = environment.get(name, ())
        if known or "." not in name:
            result[name] = known + tuple(d for d in definitions if d not in known)
    return result
