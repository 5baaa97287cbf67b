"""Whether an expression has one value in all runs of the code around it, as long as the program lives."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.scopes import Function, Scope
from deepperf.facts.values import Instance

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 12
# What gives another value each time: it asks the user, the clock, or chance.
_VARYING = frozenset(
    {"streamlit", "random", "flask", "fastapi", "gradio", "time", "datetime", "uuid", "secrets"}
)
_MAKERS = ("__init__", "__post_init__", "setup")
_PARTS = (
    ast.JoinedStr,
    ast.FormattedValue,
    ast.BinOp,
    ast.BoolOp,
    ast.UnaryOp,
    ast.Compare,
    ast.IfExp,
    ast.Tuple,
    ast.List,
    ast.Dict,
    ast.Subscript,
    ast.Starred,
)


class Fixed:
    """Answers whether expressions are fixed."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def of(self, node: ast.expr, scope: Scope, depth: int = 0) -> bool:
        """Tell whether an expression is made of constants, of names that a module sets once, of fields and of what is fixed."""
        if depth > _DEPTH:
            return False
        if isinstance(node, ast.Constant):
            return True
        if isinstance(node, ast.Name):
            return self._name(node, scope, depth)
        if isinstance(node, ast.Attribute):
            return self.of(node.value, scope, depth + 1) and self._field(node, scope)
        if isinstance(node, ast.Call):
            return self._call(node, scope, depth)
        if isinstance(node, _PARTS):
            parts = [part for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr)]
            return all(self.of(part, scope, depth + 1) for part in parts)
        return False

    def _field(self, node: ast.Attribute, scope: Scope) -> bool:
        """Tell whether a field of the object of a method is set when the object is made, and never again."""
        function = scope.function
        if function is None or function.cls is None or getattr(node.value, "id", "") != function.self_name:
            return True
        fields = self.project.classes.field_definitions(Instance(function.cls), node.attr)
        makers = [found.scope.function for found in fields]
        return all(maker is None or maker.name in _MAKERS for maker in makers)

    def _call(self, node: ast.Call, scope: Scope, depth: int) -> bool:
        name = self.project.inference.api(node.func, scope)
        if name is None or name.partition(".")[0] in _VARYING or name == "builtins.input":
            return False
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        return all(self.of(part, scope, depth + 1) for part in given)

    def _name(self, node: ast.Name, scope: Scope, depth: int) -> bool:
        holder = scope.holder(node.id)
        if holder is None:
            return not scope.module.index.star_imports
        if holder.kind == "module" and node.id in scope.module.index.globals_written:
            return False
        if holder.kind == "module" and scope is not holder:
            return True
        definitions = scope.module.definitions(node, scope)
        return bool(definitions) and all(
            self._definition(found.kind, found.name, found.value, bool(found.path), found.scope, depth)
            for found in definitions
        )

    def _definition(
        self, kind: str, name: str, value: ast.expr | None, is_part: bool, scope: Scope, depth: int
    ) -> bool:
        if kind in ("import", "function", "class"):
            return True
        if kind == "parameter" and scope.function is not None:
            return self._parameter(scope.function, name, depth)
        return kind == "assign" and value is not None and not is_part and self.of(value, scope, depth + 1)

    def _parameter(self, function: Function, name: str, depth: int) -> bool:
        if name == function.self_name:
            return True
        sites = self.project.calls.callers(function).sites
        default = function.default(name)
        for caller in sites:
            passed = self.project.calls.argument_for(function, name, caller.call.node, bound=caller.bound)
            passed_in = caller.call.scope if passed is not None else function.context.scope
            expression = passed if passed is not None else default
            if expression is None or not self.of(expression, passed_in, depth + 1):
                return False
        return bool(sites)
