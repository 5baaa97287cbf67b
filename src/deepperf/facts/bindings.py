"""Where the names of one scope get their values, and which of those reach an expression."""

from __future__ import annotations

import ast
from collections.abc import Callable

from deepperf.facts.definitions import Definition, Definitions, Environment
from deepperf.facts.scopes import Scope
from deepperf.facts.syntax import CHILD_FIELDS, dotted_name


class Bindings:
    """The definitions and uses of the names of one scope, as its expressions and targets are met one after the other.

    `uses` maps each load of a name or attribute path to the definitions that may reach it; a name that belongs to
    another scope has no entry, nor has a path that may still hold what its object came with. `definitions` maps each
    name to all its definitions in this scope.
    """

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.uses: dict[ast.AST, Definitions] = {}
        self.definitions: dict[str, list[Definition]] = {}
        self.yields: list[ast.expr] = []
        self.is_generator = False
        self._made: dict[tuple[int, str], Definition] = {}
        self._with_attributes: set[str] = set()

    def define(
        self,
        environment: Environment,
        name: str,
        kind: str,
        node: ast.AST,
        statement: ast.AST,
        value: ast.expr | None = None,
        path: tuple[int, ...] = (),
    ) -> None:
        key = (id(node), name)
        definition = self._made.get(key)
        if definition is None:
            definition = Definition(name, kind, node, statement, self.scope, value, path)
            self._made[key] = definition
            self.definitions.setdefault(name, []).append(definition)
        environment[name] = (definition,)
        if name in self._with_attributes:
            prefix = name + "."
            for other in [known for known in environment if known.startswith(prefix)]:
                del environment[other]
        while "." in name:
            name = name.rpartition(".")[0]
            self._with_attributes.add(name)

    def bind(
        self,
        environment: Environment,
        target: ast.AST,
        kind: str,
        statement: ast.AST,
        value: ast.expr | None,
        path: tuple[int, ...] = (),
    ) -> None:
        if isinstance(target, ast.Name):
            self.define(environment, target.id, kind, target, statement, value, path)
        elif isinstance(target, ast.Tuple | ast.List):
            starred = False
            for index, element in enumerate(target.elts):
                if isinstance(element, ast.Starred):
                    starred = True
                    self.bind(environment, element.value, kind, statement, value, (*path, -1))
                else:
                    place = -1 if starred else index
                    self.bind(environment, element, kind, statement, value, (*path, place))
        elif isinstance(target, ast.Attribute):
            self._expression(target.value, environment)
            dotted = dotted_name(target)
            if dotted is not None:
                self.define(environment, dotted, kind, target, statement, value, path)
        elif isinstance(target, ast.Subscript):
            self._expression(target.value, environment)
            self._expression(target.slice, environment)

    def _expression(self, root: ast.AST | None, environment: Environment) -> None:
        if isinstance(root, ast.Name):
            definitions = environment.get(root.id)
            if definitions is not None:
                self.uses[root] = definitions
        elif root is not None and type(root) is not ast.Constant:
            _EXPRESSIONS.get(type(root), Bindings._children)(self, root, environment)

    def _attribute(self, root: ast.Attribute, environment: Environment) -> None:
        steps: list[ast.Attribute] = []
        node: ast.expr = root
        while isinstance(node, ast.Attribute):
            steps.append(node)
            node = node.value
        if isinstance(node, ast.Name) and node.id in self._with_attributes:
            path = node.id
            for step in reversed(steps):
                path = f"{path}.{step.attr}"
                if path in environment:
                    self.uses[step] = environment[path]
        self._expression(node, environment)

    def _walrus(self, root: ast.NamedExpr, environment: Environment) -> None:
        self._expression(root.value, environment)
        self.define(environment, root.target.id, "walrus", root.target, root, root.value)

    def _yield(self, root: ast.Yield | ast.YieldFrom, environment: Environment) -> None:
        self.is_generator = True
        if root.value is not None:
            self.yields.append(root.value)
        self._children(root, environment)

    def _comprehension(
        self, root: ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp, environment: Environment
    ) -> None:
        inner = dict(environment)
        for generator in root.generators:
            self._expression(generator.iter, inner)
            self.bind(inner, generator.target, "comprehension", generator, generator.iter)
            for test in generator.ifs:
                self._expression(test, inner)
        if isinstance(root, ast.DictComp):
            self._expression(root.key, inner)
            self._expression(root.value, inner)
        else:
            self._expression(root.elt, inner)

    def _lambda(self, root: ast.Lambda, environment: Environment) -> None:
        arguments = root.args
        for default in (*arguments.defaults, *arguments.kw_defaults):
            self._expression(default, environment)
        # A lambda may run later: what it reads may be any value the name ever has, so nothing is said to reach it here.
        inner: Environment = {}
        for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs):
            self.define(inner, parameter.arg, "lambda", parameter, root)
        for extra in (arguments.vararg, arguments.kwarg):
            if extra is not None:
                self.define(inner, extra.arg, "lambda", extra, root)
        self._expression(root.body, inner)

    def _children(self, statement: ast.AST, environment: Environment) -> None:
        for name in CHILD_FIELDS[type(statement)]:
            value = getattr(statement, name)
            if type(value) is list:
                for item in value:
                    self._expression(item, environment)
            elif value is not None:
                self._expression(value, environment)


_EXPRESSIONS: dict[type[ast.AST], Callable[..., None]] = {
    ast.Attribute: Bindings._attribute,
    ast.ListComp: Bindings._comprehension,
    ast.SetComp: Bindings._comprehension,
    ast.GeneratorExp: Bindings._comprehension,
    ast.DictComp: Bindings._comprehension,
    ast.Lambda: Bindings._lambda,
    ast.NamedExpr: Bindings._walrus,
    ast.Yield: Bindings._yield,
    ast.YieldFrom: Bindings._yield,
}
