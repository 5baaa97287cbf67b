"""What a stretch of code may define, whatever way control takes through it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.definitions import Definition, Environment
from deepperf.facts.syntax import walk

if TYPE_CHECKING:
    from deepperf.facts.flow import Flow


class Collector:
    """Finds what a stretch of code may define, without following its control flow."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.found: dict[str, list[Definition]] = {}

    def bind(self, target: ast.AST, kind: str, statement: ast.AST, value: ast.expr | None) -> None:
        environment: Environment = {}
        uses, self.flow.uses = self.flow.uses, {}
        self.flow.bind(environment, target, kind, statement, value)
        self.flow.uses = uses
        self._keep(environment)

    def _keep(self, environment: Environment) -> None:
        for name, definitions in environment.items():
            known = self.found.setdefault(name, [])
            known.extend(d for d in definitions if d not in known)

    def expression(self, root: ast.AST) -> None:
        for node in walk(root):
            if isinstance(node, ast.NamedExpr):
                environment: Environment = {}
                self.flow.define(environment, node.target.id, "walrus", node.target, node, node.value)
                self._keep(environment)

    def _patterns(self, statement: ast.Match) -> None:
        for case in statement.cases:
            for node in ast.walk(case.pattern):
                name = getattr(node, "name", None) or getattr(node, "rest", None)
                if isinstance(name, str):
                    environment: Environment = {}
                    self.flow.define(environment, name, "match", node, statement)
                    self._keep(environment)

    def statement(self, statement: ast.stmt) -> None:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                self.bind(target, "assign", statement, statement.value)
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            self.bind(statement.target, "assign", statement, statement.value)
        elif isinstance(statement, ast.AugAssign):
            self.bind(statement.target, "augmented", statement, statement.value)
        elif isinstance(statement, ast.For | ast.AsyncFor):
            self.bind(statement.target, "for", statement, statement.iter)
        elif isinstance(statement, ast.With | ast.AsyncWith):
            for item in statement.items:
                if item.optional_vars is not None:
                    self.bind(item.optional_vars, "with", statement, item.context_expr)
        elif isinstance(statement, ast.Match):
            self._patterns(statement)
        elif isinstance(
            statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom
        ):
            environment: Environment = {}
            uses, self.flow.uses = self.flow.uses, {}
            self.flow.statement(statement, environment)
            self.flow.uses = uses
            self._keep(environment)
            return
        for child in ast.iter_child_nodes(statement):
            if isinstance(child, ast.stmt):
                self.statement(child)
            elif isinstance(child, ast.ExceptHandler | ast.match_case):
                for inner in child.body:
                    self.statement(inner)
            elif isinstance(child, ast.expr):
                self.expression(child)
