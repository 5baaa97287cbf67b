"""Which functions change nothing and always give the same for the same arguments."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.behaviour import PURE_BUILTINS, PURE_MODULES, READERS
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import walk_own
from deepperf.facts.values import UNKNOWN, Api, Func, Made
from deepperf.knowledge import IMPURE, lookup

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 4
_IMPURE = IMPURE | {"writes"}


class Purity:
    """Answers whether functions are pure."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._pure: dict[Function, bool] = {}

    def is_pure_api(self, name: str) -> bool:
        """Tell whether an API changes nothing and gives the same for the same arguments."""
        if name.startswith("builtins."):
            return name[9:] in PURE_BUILTINS
        if ".random." in name or name.startswith("random."):
            return False
        api = lookup(name)
        if api.known:
            return not api.effects & _IMPURE
        return name.startswith(PURE_MODULES)

    def is_pure(self, function: Function, depth: int = 0) -> bool:
        """Tell whether a project function changes nothing and depends on nothing but its arguments.

        For a method the object it is called on counts as an argument.
        """
        known = self._pure.get(function)
        if known is not None:
            return known
        self._pure[function] = False
        if depth > _DEPTH or isinstance(function.node, ast.AsyncFunctionDef):
            return False
        change = self.project.effects.of_function(function)
        pure = not (change.paths or change.attributes or change.opaque) and all(
            self._is_pure_node(node, function, depth) for node in walk_own(function.node)
        )
        self._pure[function] = pure
        return pure

    def reads_of_self(self, method: Function) -> set[str] | None:
        """Return the attributes a method reads of its object, None if it hands the object on as a whole."""
        read: set[str] = set()
        owners = 0
        for node in walk_own(method.node):
            if (
                isinstance(node, ast.Attribute)
                and isinstance(node.value, ast.Name)
                and node.value.id == method.self_name
            ):
                read.add(node.attr)
                owners -= 1
            elif isinstance(node, ast.Name) and node.id == method.self_name:
                owners += 1
        return read if owners == 0 else None

    def _is_pure_node(self, node: ast.AST, function: Function, depth: int) -> bool:
        if isinstance(node, ast.Call):
            return self._is_pure_call(node, function.scope, depth)
        if (
            isinstance(node, ast.Name)
            and isinstance(node.ctx, ast.Load)
            and node.id not in function.scope.bound
        ):
            holder = function.scope.holder(node.id)
            return holder is None or holder.bound.get(node.id, set()) <= {"import", "function", "class"}
        return not isinstance(
            node, ast.Global | ast.Nonlocal | ast.With | ast.Yield | ast.YieldFrom | ast.Await
        )

    def _is_pure_call(self, call: ast.Call, scope: Scope, depth: int) -> bool:
        for value in self.project.inference.values(call.func, scope):
            if isinstance(value, Api):
                if not self.is_pure_api(value.name):
                    return False
            elif isinstance(value, Func):
                if not self.is_pure(value.function, depth + 1):
                    return False
            elif value is UNKNOWN and isinstance(call.func, ast.Attribute) and call.func.attr in READERS:
                continue
            elif not (
                isinstance(value, Made) and value.kind.partition(".")[0] in ("tensor", "number", "string")
            ):
                return False
        return True
