"""The index of one module: scopes, functions, classes, imports and calls, from one traversal of its tree.

The traversal only records what is there. What a name, a call or a value means is answered later, on demand.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING

from deepperf.facts.scopes import (
    CallSite,
    Class,
    Context,
    Function,
    Import,
    LoopSite,
    OperatorSite,
    Scope,
    StoreSite,
)
from deepperf.facts.syntax import CHILD_FIELDS, dotted_name, inside, target_names, walk

if TYPE_CHECKING:
    from deepperf.facts.module import Module

_COMPREHENSIONS = frozenset({ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp})
_SPECIAL = _COMPREHENSIONS | {ast.Lambda, ast.BinOp, ast.NamedExpr}


class Index:
    """Everything that one traversal finds in a module.

    `imported` holds every name that some import or alias of an import binds anywhere in the module: a call whose
    name starts with none of them cannot be an API call.
    """

    def __init__(self, tree: ast.Module, module: Module) -> None:
        self.module = module
        self.scope = Scope("module", tree, "", None, module)
        self.calls: list[CallSite] = []
        self.operators: list[OperatorSite] = []
        self.functions: list[Function] = []
        self.classes: list[Class] = []
        self.by_node: dict[ast.AST, Function | Class] = {}
        self.loops: list[LoopSite] = []
        self.stores: dict[str | None, list[StoreSite]] = {}
        self.imported: set[str] = set()
        self.star_imports: list[str] = []
        self.globals_written: set[str] = set()
        root = Context(None, "module", tree, self.scope)
        self._body(tree.body, root)

    def _body(self, statements: list[ast.stmt], context: Context) -> None:
        for statement in statements:
            handler = _STATEMENTS.get(type(statement))
            if handler is None:
                self._plain(statement, context)
            else:
                handler(self, statement, context)

    def _plain(self, statement: ast.stmt, context: Context) -> None:
        for name in CHILD_FIELDS[type(statement)]:
            value = getattr(statement, name)
            if value is None:
                continue
            if type(value) is list:
                for item in value:
                    self._expression(item, context, statement)
            else:
                self._expression(value, context, statement)

    def _expression(self, root: ast.AST, context: Context, statement: ast.stmt) -> None:
        stack = [root]
        while stack:
            node = stack.pop()
            kind = type(node)
            if kind is ast.Call:
                self.calls.append(CallSite(node, context, statement))  # type: ignore[arg-type]
            elif kind in _SPECIAL:
                if kind in _COMPREHENSIONS:
                    self._comprehension(node, context, statement)
                    continue
                if kind is ast.Lambda:
                    self._lambda(node, context, statement)  # type: ignore[arg-type]
                    continue
                if kind is ast.BinOp:
                    self._operator(node, context, statement)  # type: ignore[arg-type]
                elif kind is ast.NamedExpr:
                    context.scope.bind(node.target.id, "other")  # type: ignore[attr-defined]
            for name in CHILD_FIELDS[kind]:
                value = getattr(node, name)
                if type(value) is list:
                    stack += filter(None, value)
                elif value is not None:
                    stack.append(value)

    def _operator(self, node: ast.BinOp, context: Context, statement: ast.stmt) -> None:
        """Note an arithmetic expression that stands in a loop; the parts of one that is noted are part of it."""
        if self._in_loop(context) and not (self.operators and inside(node, self.operators[-1].node)):
            self.operators.append(OperatorSite(node, context, statement))

    @staticmethod
    def _in_loop(context: Context) -> bool:
        return any(step.kind in ("loop", "comprehension") for step in context.within_function())

    def _comprehension(self, node: ast.AST, context: Context, statement: ast.stmt) -> None:
        for generator in node.generators:  # type: ignore[attr-defined]
            self._expression(generator.iter, context, statement)
            context = Context(context, "comprehension", generator, context.scope, node)
            self.loops.append(LoopSite(generator.iter, context, statement))
            for test in generator.ifs:
                self._expression(test, context, statement)
        if isinstance(node, ast.DictComp):
            self._expression(node.key, context, statement)
            self._expression(node.value, context, statement)
        else:
            self._expression(node.elt, context, statement)  # type: ignore[attr-defined]

    def _lambda(self, node: ast.Lambda, context: Context, statement: ast.stmt) -> None:
        for default in (*node.args.defaults, *node.args.kw_defaults):
            if default is not None:
                self._expression(default, context, statement)
        self._expression(node.body, Context(context, "lambda", node, context.scope), statement)

    def _assign(self, statement: ast.Assign, context: Context) -> None:
        for target in statement.targets:
            self._target(target, context, statement)
        self._expression(statement.value, context, statement)
        root = dotted_name(statement.value)
        if root is not None and root.split(".", 1)[0] in self.imported:
            self.imported.update(name for target in statement.targets for name in target_names(target))

    def _target(self, target: ast.expr, context: Context, statement: ast.stmt) -> None:
        if type(target) is ast.Name:
            context.scope.bind(target.id, "other")
            return
        for name in target_names(target):
            context.scope.bind(name, "other")
        for node in walk(target):
            if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store):
                value = getattr(statement, "value", None) if node is target else None
                site = StoreSite(node, context, statement, value)
                self.stores.setdefault(site.name, []).append(site)
        self._expression(target, context, statement)

    def _augmented(self, statement: ast.AugAssign | ast.AnnAssign, context: Context) -> None:
        self._target(statement.target, context, statement)
        if statement.value is not None:
            self._expression(statement.value, context, statement)

    def _for(self, statement: ast.For, context: Context) -> None:
        self._target(statement.target, context, statement)
        self._expression(statement.iter, context, statement)
        inside = Context(context, "loop", statement, context.scope)
        self.loops.append(LoopSite(statement.iter, inside, statement))
        self._body(statement.body, inside)
        self._body(statement.orelse, context)

    def _while(self, statement: ast.While, context: Context) -> None:
        inside = Context(context, "loop", statement, context.scope)
        self.loops.append(LoopSite(statement.test, inside, statement))
        self._expression(statement.test, inside, statement)
        self._body(statement.body, inside)
        self._body(statement.orelse, context)

    def _if(self, statement: ast.If, context: Context) -> None:
        self._expression(statement.test, context, statement)
        self._body(statement.body, Context(context, "if", statement, context.scope))
        if statement.orelse:
            self._body(statement.orelse, Context(context, "else", statement, context.scope))

    def _with(self, statement: ast.With, context: Context) -> None:
        for item in statement.items:
            self._expression(item.context_expr, context, statement)
            if item.optional_vars is not None:
                self._target(item.optional_vars, context, statement)
        self._body(statement.body, Context(context, "with", statement, context.scope))

    def _try(self, statement: ast.Try, context: Context) -> None:
        self._body(statement.body, Context(context, "try", statement, context.scope))
        for handler in statement.handlers:
            inside = Context(context, "except", handler, context.scope)
            if handler.type is not None:
                self._expression(handler.type, inside, statement)
            if handler.name:
                context.scope.bind(handler.name, "other")
            self._body(handler.body, inside)
        self._body(statement.orelse, context)
        self._body(statement.finalbody, Context(context, "finally", statement, context.scope))

    def _match(self, statement: ast.Match, context: Context) -> None:
        self._expression(statement.subject, context, statement)
        for case in statement.cases:
            for node in ast.walk(case.pattern):
                name = getattr(node, "name", None) or getattr(node, "rest", None)
                if isinstance(name, str):
                    context.scope.bind(name, "other")
            inside = Context(context, "if", statement, context.scope)
            if case.guard is not None:
                self._expression(case.guard, inside, statement)
            self._body(case.body, inside)

    def _function(self, statement: ast.FunctionDef, context: Context) -> None:
        for decorator in statement.decorator_list:
            self._expression(decorator, context, statement)
        arguments = statement.args
        for default in (*arguments.defaults, *arguments.kw_defaults):
            if default is not None:
                self._expression(default, context, statement)
        context.scope.bind(statement.name, "function")
        scope = Scope("function", statement, statement.name, context.scope, self.module)
        function = Function(scope, statement, context)
        self.functions.append(function)
        self.by_node[statement] = function
        if isinstance(context.scope.owner, Class) and context.scope.kind == "class":
            is_setter = any(getattr(d, "attr", "") == "setter" for d in statement.decorator_list)
            kind = context.scope.owner.setters if is_setter else context.scope.owner.methods
            kind[statement.name] = function
        for parameter in function.parameters:
            scope.bind(parameter.arg, "other")
        self._body(statement.body, Context(context, "function", statement, scope))

    def _class(self, statement: ast.ClassDef, context: Context) -> None:
        for decorator in statement.decorator_list:
            self._expression(decorator, context, statement)
        for base in statement.bases:
            self._expression(base, context, statement)
        context.scope.bind(statement.name, "class")
        scope = Scope("class", statement, statement.name, context.scope, self.module)
        owner = Class(scope, statement, context)
        self.classes.append(owner)
        self.by_node[statement] = owner
        self._body(statement.body, Context(context, "class", statement, scope))

    def _import(self, statement: ast.Import, context: Context) -> None:
        for alias in statement.names:
            name = alias.asname or alias.name.split(".", 1)[0]
            dotted = alias.name if alias.asname else name
            context.scope.bind(name, "import")
            context.scope.imports.setdefault(name, []).append(Import(dotted, statement))
            if not alias.asname and "." in alias.name:
                context.scope.submodules.setdefault(name, []).append(alias.name)
            self.imported.add(name)

    def _import_from(self, statement: ast.ImportFrom, context: Context) -> None:
        base = self.module.absolute(statement.module, statement.level)
        for alias in statement.names:
            if alias.name == "*":
                self.star_imports.append(base)
                continue
            name = alias.asname or alias.name
            context.scope.bind(name, "import")
            dotted = f"{base}.{alias.name}" if base else alias.name
            context.scope.imports.setdefault(name, []).append(Import(dotted, statement))
            self.imported.add(name)

    def _global(self, statement: ast.Global | ast.Nonlocal, context: Context) -> None:
        context.scope.declared.update(statement.names)
        target = self.globals_written if isinstance(statement, ast.Global) else context.scope.nonlocals
        target.update(statement.names)


_STATEMENTS: dict[type[ast.stmt], Callable[..., None]] = {
    ast.Assign: Index._assign,
    ast.AugAssign: Index._augmented,
    ast.AnnAssign: Index._augmented,
    ast.For: Index._for,
    ast.AsyncFor: Index._for,
    ast.While: Index._while,
    ast.If: Index._if,
    ast.With: Index._with,
    ast.AsyncWith: Index._with,
    ast.Try: Index._try,
    ast.Match: Index._match,
    ast.FunctionDef: Index._function,
    ast.AsyncFunctionDef: Index._function,
    ast.ClassDef: Index._class,
    ast.Import: Index._import,
    ast.ImportFrom: Index._import_from,
    ast.Global: Index._global,
    ast.Nonlocal: Index._global,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = Index._try
