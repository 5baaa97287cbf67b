"""Which definitions can reach which use of a name, for one scope.

A structured walk over the statements of a scope. `self.x` and other attribute paths on a name are followed like names.
Where control flow is unclear (exceptions, loops) it joins too much rather than too little: a use never misses a
definition that may reach it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable

from deepperf.facts.bindings import Bindings
from deepperf.facts.collector import Collector
from deepperf.facts.definitions import Environment, join, may_be
from deepperf.facts.scopes import Scope
from deepperf.facts.syntax import FunctionNode


class _Jump:
    """The environments with which a loop is left or continued early."""

    def __init__(self) -> None:
        self.breaks: list[Environment] = []


class Flow(Bindings):
    """The definitions and uses of the names of one scope, and what its function returns and yields."""

    def __init__(self, scope: Scope) -> None:
        super().__init__(scope)
        self.returns: list[ast.expr] = []
        self._loops: list[_Jump] = []
        environment: Environment = {}
        node = scope.node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and scope.function is not None:
            for parameter in scope.function.parameters:
                self.define(environment, parameter.arg, "parameter", parameter, node)
        for name in scope.declared:
            self.define(environment, name, "declared", node, node)
        self._block(node.body, environment)  # type: ignore[attr-defined]

    def _block(self, statements: list[ast.stmt], environment: Environment | None) -> Environment | None:
        for statement in statements:
            if environment is None:
                # Dead code still gets answers: nothing reaches it, but its own names do.
                environment = {}
            environment = self.statement(statement, environment)
        return environment

    def statement(self, statement: ast.stmt, environment: Environment) -> Environment | None:
        handler = _HANDLERS.get(type(statement))
        if handler is not None:
            return handler(self, statement, environment)
        self._children(statement, environment)
        return environment

    def _assign(self, statement: ast.Assign, environment: Environment) -> Environment:
        self._expression(statement.value, environment)
        for target in statement.targets:
            self.bind(environment, target, "assign", statement, statement.value)
        return environment

    def _annotated(self, statement: ast.AnnAssign, environment: Environment) -> Environment:
        if statement.value is not None:
            self._expression(statement.value, environment)
            self.bind(environment, statement.target, "assign", statement, statement.value)
        return environment

    def _augmented(self, statement: ast.AugAssign, environment: Environment) -> Environment:
        self._expression(statement.target, environment)
        self._expression(statement.value, environment)
        self.bind(environment, statement.target, "augmented", statement, statement.value)
        return environment

    def _delete(self, statement: ast.Delete, environment: Environment) -> Environment:
        for target in statement.targets:
            if isinstance(target, ast.Subscript):
                self.bind(environment, target, "delete", statement, None)
        return environment

    def _if(self, statement: ast.If, environment: Environment) -> Environment | None:
        self._expression(statement.test, environment)
        body = self._block(statement.body, dict(environment))
        orelse = self._block(statement.orelse, dict(environment)) if statement.orelse else environment
        return join((body, orelse))

    def _loop(
        self, statement: ast.For | ast.AsyncFor | ast.While, environment: Environment
    ) -> Environment | None:
        is_for = isinstance(statement, ast.For | ast.AsyncFor)
        if isinstance(statement, ast.For | ast.AsyncFor):
            self._expression(statement.iter, environment)
        head = self._carried(statement, environment)
        if isinstance(statement, ast.While):
            self._expression(statement.test, head)
        inner = dict(head)
        if isinstance(statement, ast.For | ast.AsyncFor):
            self.bind(inner, statement.target, "for", statement, statement.iter)
        self._loops.append(_Jump())
        after = self._block(statement.body, inner)
        jump = self._loops.pop()
        endless = (
            isinstance(statement, ast.While)
            and isinstance(statement.test, ast.Constant)
            and statement.test.value
        )
        leaving = None if endless else join((head, after) if is_for else (head,))
        if statement.orelse and leaving is not None:
            leaving = self._block(statement.orelse, dict(leaving))
        return join((leaving, *jump.breaks))

    def _carried(self, loop: ast.For | ast.AsyncFor | ast.While, environment: Environment) -> Environment:
        """Return the environment at the head of a loop: what comes in, and everything its body may define."""
        probe = Collector(self)
        for statement in loop.body:
            probe.statement(statement)
        if isinstance(loop, ast.For | ast.AsyncFor):
            probe.bind(loop.target, "for", loop, loop.iter)
        else:
            probe.expression(loop.test)
        return may_be(environment, probe.found)

    def _with(self, statement: ast.With | ast.AsyncWith, environment: Environment) -> Environment | None:
        for item in statement.items:
            self._expression(item.context_expr, environment)
            if item.optional_vars is not None:
                self.bind(environment, item.optional_vars, "with", statement, item.context_expr)
        return self._block(statement.body, environment)

    def _try(self, statement: ast.Try, environment: Environment) -> Environment | None:
        before = dict(environment)
        body = self._block(statement.body, dict(environment))
        probe = Collector(self)
        for child in statement.body:
            probe.statement(child)
        raised = may_be(before, probe.found)
        ends: list[Environment | None] = []
        for handler in statement.handlers:
            inner = dict(raised)
            self._expression(handler.type, inner)
            if handler.name:
                self.define(inner, handler.name, "except", handler, statement)
            ends.append(self._block(handler.body, inner))
        if body is not None and statement.orelse:
            body = self._block(statement.orelse, body)
        leaving = join((body, *ends))
        if not statement.finalbody:
            return leaving
        final = self._block(statement.finalbody, dict(leaving if leaving is not None else raised))
        return final if leaving is not None else None

    def _match(self, statement: ast.Match, environment: Environment) -> Environment | None:
        self._expression(statement.subject, environment)
        ends: list[Environment | None] = [environment]
        for case in statement.cases:
            inner = dict(environment)
            for node in ast.walk(case.pattern):
                name = getattr(node, "name", None) or getattr(node, "rest", None)
                if isinstance(name, str):
                    self.define(inner, name, "match", node, statement)
            self._expression(case.guard, inner)
            ends.append(self._block(case.body, inner))
        return join(ends)

    def _return(self, statement: ast.Return, environment: Environment) -> None:
        self._expression(statement.value, environment)
        if statement.value is not None:
            self.returns.append(statement.value)

    def _raise(self, statement: ast.Raise, environment: Environment) -> None:
        self._children(statement, environment)

    def _break(self, statement: ast.Break, environment: Environment) -> None:
        if self._loops:
            self._loops[-1].breaks.append(environment)

    def _continue(self, statement: ast.Continue, environment: Environment) -> None:
        # The head of the loop already holds everything that its body may define.
        return None

    def _function(self, statement: FunctionNode, environment: Environment) -> Environment:
        for expression in (*statement.decorator_list, *statement.args.defaults, *statement.args.kw_defaults):
            self._expression(expression, environment)
        self.define(environment, statement.name, "function", statement, statement)
        inner = self.scope.module.index.by_node.get(statement)
        for name in sorted(inner.scope.nonlocals) if inner is not None else ():
            known = environment.get(name, ())
            self.define(environment, name, "declared", statement, statement)
            environment[name] = known + environment[name]
        return environment

    def _class(self, statement: ast.ClassDef, environment: Environment) -> Environment:
        for expression in (*statement.decorator_list, *statement.bases):
            self._expression(expression, environment)
        self.define(environment, statement.name, "class", statement, statement)
        return environment

    def _import(self, statement: ast.Import | ast.ImportFrom, environment: Environment) -> Environment:
        for alias in statement.names:
            if alias.name != "*":
                name = alias.asname or (
                    alias.name.split(".", 1)[0] if isinstance(statement, ast.Import) else alias.name
                )
                self.define(environment, name, "import", alias, statement)
        return environment


_HANDLERS: dict[type[ast.stmt], Callable[..., Environment | None]] = {
    ast.Assign: Flow._assign,
    ast.AnnAssign: Flow._annotated,
    ast.AugAssign: Flow._augmented,
    ast.Delete: Flow._delete,
    ast.If: Flow._if,
    ast.For: Flow._loop,
    ast.AsyncFor: Flow._loop,
    ast.While: Flow._loop,
    ast.With: Flow._with,
    ast.AsyncWith: Flow._with,
    ast.Try: Flow._try,
    ast.Match: Flow._match,
    ast.Return: Flow._return,
    ast.Raise: Flow._raise,
    ast.Break: Flow._break,
    ast.Continue: Flow._continue,
    ast.FunctionDef: Flow._function,
    ast.AsyncFunctionDef: Flow._function,
    ast.ClassDef: Flow._class,
    ast.Import: Flow._import,
    ast.ImportFrom: Flow._import,
}
if hasattr(ast, "TryStar"):
    _HANDLERS[ast.TryStar] = Flow._try
