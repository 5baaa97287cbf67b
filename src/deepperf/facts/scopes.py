"""The parts of a module: scopes, functions, classes, calls and the structure around them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.syntax import FunctionNode

if TYPE_CHECKING:
    from deepperf.facts.module import Module


class Import(NamedTuple):
    """A name bound by an import: the full dotted name it stands for, and the statement."""

    dotted: str
    node: ast.stmt


class Scope:
    """A namespace: a module, a class or a function. Lambdas and comprehensions belong to the scope around them.

    `bound` maps each name bound here to the kinds of its bindings: `import`, `function`, `class`, `other`.
    """

    __slots__ = (
        "bound",
        "declared",
        "imports",
        "kind",
        "module",
        "name",
        "node",
        "nonlocals",
        "owner",
        "parent",
        "qualname",
        "submodules",
    )

    def __init__(self, kind: str, node: ast.AST, name: str, parent: Scope | None, module: Module) -> None:
        self.kind = kind
        self.node = node
        self.name = name
        self.parent = parent
        self.module = module
        self.qualname: str = f"{parent.qualname}.{name}" if parent is not None and parent.qualname else name
        self.bound: dict[str, set[str]] = {}
        self.imports: dict[str, list[Import]] = {}
        self.submodules: dict[str, list[str]] = {}
        self.declared: set[str] = set()
        self.nonlocals: set[str] = set()
        self.owner: Function | Class | None = None

    def bind(self, name: str, kind: str) -> None:
        """Note that `name` is bound here."""
        kinds = self.bound.get(name)
        if kinds is None:
            self.bound[name] = {kind}
        else:
            kinds.add(kind)

    def holder(self, name: str) -> Scope | None:
        """Return the scope that a name used here belongs to, None for builtins and unknown names."""
        scope: Scope | None = self
        while scope is not None:
            if (
                name in scope.bound
                and name not in scope.declared
                and (scope is self or scope.kind != "class")
            ):
                return scope
            scope = scope.parent
        return None

    @property
    def function(self) -> Function | None:
        """The function this scope is the body of."""
        return self.owner if isinstance(self.owner, Function) else None


class Context:
    """One step of the structure around a statement: a loop's body, one arm of an `if`, a `with`, a function, ….

    `node` is the syntax node that makes the step (a `comprehension` for comprehensions, with `owner` the expression).
    """

    __slots__ = ("kind", "node", "owner", "parent", "scope")

    def __init__(
        self, parent: Context | None, kind: str, node: ast.AST, scope: Scope, owner: ast.AST | None = None
    ) -> None:
        self.parent = parent
        self.kind = kind
        self.node = node
        self.scope = scope
        self.owner = owner

    def __iter__(self) -> Iterator[Context]:
        """Yield this step and those around it, innermost first."""
        step: Context | None = self
        while step is not None:
            yield step
            step = step.parent

    def within_function(self) -> Iterator[Context]:
        """Yield the steps inside the nearest function, class or module, innermost first."""
        for step in self:
            if step.kind in ("function", "class", "module"):
                return
            yield step


class Function:
    """A `def`, with its class if it is a method."""

    __slots__ = ("cls", "context", "module", "name", "node", "parameters", "qualname", "scope")

    def __init__(self, scope: Scope, node: FunctionNode, context: Context) -> None:
        self.scope = scope
        scope.owner = self
        self.node = node
        self.context = context
        self.module = scope.module
        self.name = node.name
        self.qualname = scope.qualname
        parent = context.scope
        self.cls: Class | None = (
            parent.owner if parent.kind == "class" and isinstance(parent.owner, Class) else None
        )
        arguments = node.args
        self.parameters: list[ast.arg] = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        self.parameters += [extra for extra in (arguments.vararg, arguments.kwarg) if extra is not None]

    def __repr__(self) -> str:
        return f"<function {self.module.name}.{self.qualname}>"

    @property
    def positional(self) -> list[ast.arg]:
        """The parameters that can be passed by position, `self` included."""
        return [*self.node.args.posonlyargs, *self.node.args.args]

    @property
    def is_static(self) -> bool:
        """Whether it is a static method, which takes no `self`."""
        return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in self.node.decorator_list)

    @property
    def self_name(self) -> str | None:
        """The name of the first parameter of a method (`self`, `cls`), None for other functions."""
        if self.cls is None or self.is_static or not self.positional:
            return None
        return self.positional[0].arg

    def default(self, name: str) -> ast.expr | None:
        """Return the default value of a parameter, None if it has none."""
        arguments = self.node.args
        positional = self.positional
        for parameter, value in zip(reversed(positional), reversed(arguments.defaults), strict=False):
            if parameter.arg == name:
                return value
        for parameter, keyword_value in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
            if parameter.arg == name:
                return keyword_value
        return None


class Class:
    """A `class`, with the methods defined in its body, and the setters of its properties."""

    __slots__ = ("context", "methods", "module", "name", "node", "qualname", "scope", "setters")

    def __init__(self, scope: Scope, node: ast.ClassDef, context: Context) -> None:
        self.scope = scope
        scope.owner = self
        self.node = node
        self.context = context
        self.module = scope.module
        self.name = node.name
        self.qualname = scope.qualname
        self.methods: dict[str, Function] = {}
        self.setters: dict[str, Function] = {}

    def __repr__(self) -> str:
        return f"<class {self.module.name}.{self.qualname}>"


class Located:
    """An expression in the program, with the statement and the structure it stands in."""

    __slots__ = ("context", "node", "statement")

    node: ast.expr

    def __init__(self, node: ast.expr, context: Context, statement: ast.stmt) -> None:
        self.node = node
        self.context = context
        self.statement = statement

    @property
    def scope(self) -> Scope:
        """The scope the expression runs in."""
        return self.context.scope

    @property
    def module(self) -> Module:
        """The module the expression stands in."""
        return self.context.scope.module

    @property
    def function(self) -> Function | None:
        """The function the expression stands in, None at module or class level."""
        return self.context.scope.function


class OperatorSite(Located):
    """An arithmetic expression in a loop that is no operand of another one."""

    __slots__ = ()

    node: ast.BinOp


class FunctionSite(Located):
    """A function's definition, in the structure it is defined in."""

    __slots__ = ("defined",)

    node: FunctionNode  # type: ignore[assignment]

    def __init__(self, defined: Function) -> None:
        super().__init__(defined.node, defined.context, defined.node)  # type: ignore[arg-type]
        self.defined = defined


class LoopSite(Located):
    """A loop, known by its header: the iterable, or the test of a `while`. `body` is the structure inside of it."""

    __slots__ = ("body",)

    def __init__(self, header: ast.expr, body: Context, statement: ast.stmt) -> None:
        assert body.parent is not None
        super().__init__(header, body.parent, statement)
        self.body = body


class StoreSite(Located):
    """An assignment to an attribute or an item; `value` is None where the target is only a part of what is assigned."""

    __slots__ = ("value",)

    node: ast.Attribute | ast.Subscript

    def __init__(
        self,
        target: ast.Attribute | ast.Subscript,
        context: Context,
        statement: ast.stmt,
        value: ast.expr | None,
    ) -> None:
        super().__init__(target, context, statement)
        self.value = value

    @property
    def name(self) -> str | None:
        """What is assigned to: the attribute's name, or the last name of what the item belongs to."""
        node = self.node.value if isinstance(self.node, ast.Subscript) else self.node
        if isinstance(node, ast.Attribute):
            return node.attr
        return node.id if isinstance(node, ast.Name) else None


class CallSite(Located):
    """A call."""

    __slots__ = ()

    node: ast.Call

    @property
    def method_name(self) -> str | None:
        """The last attribute of the callee: `map` for `ds.map(f)`; None if the callee is no attribute."""
        return self.node.func.attr if isinstance(self.node.func, ast.Attribute) else None
