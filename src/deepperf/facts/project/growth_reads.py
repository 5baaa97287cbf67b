"""Whether a loop needs what grows in it before it ends."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from deepperf.facts.blocks import own_expressions
from deepperf.facts.guards import Guard, guards
from deepperf.facts.loops import Loop
from deepperf.facts.project.hotness import Around
from deepperf.facts.scopes import Context, Function, Scope
from deepperf.facts.syntax import dotted_name, walk, walk_own
from deepperf.facts.values import UNKNOWN

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 3
_FUNCTIONS = 60
# What a list tells as well, or what is known without the values.
_SIZES = frozenset("shape size ndim dtype device nbytes columns index empty dim".split())
_SIZE_CALLS = frozenset("len shape size isinstance type".split())


class Reads:
    """Looks for reads in one loop. `contexts` are the statements of its body, `own` the nodes that only make it grow."""

    def __init__(
        self, project: Project, loop: Loop, contexts: dict[ast.stmt, Context], own: frozenset[ast.AST]
    ) -> None:
        self.project = project
        self.loop = loop
        self.contexts = contexts
        self.own = own

    def of_name(self, name: str) -> bool:
        """Tell whether the loop reads a name elsewhere than where it grows, or a function that it may call does."""
        scope = self.loop.scope
        if any(self._counts(node, name) for node in self._nodes()):
            return True
        holder = scope.holder(name)
        others = (f for f in scope.module.index.functions if f.scope is not scope)
        inner = [function for function in others if function.scope.holder(name) is holder]
        return any(
            isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
            for function in inner
            for node in walk(function.node)
        )

    def of_field(self, path: str, around: Around) -> bool:
        """Tell whether the loop, or what it calls, may read or set a field elsewhere than where it grows."""
        field = path.rpartition(".")[2]
        for node in self._nodes():
            if self._counts(node, path) or self._hands_over(node, path, around):
                return True
        reached = self._reached()
        return reached is None or any(self._touched(field, function) for function in reached)

    def _touched(self, field: str, function: Function) -> bool:
        """Tell whether a called function reads a field, or sets it to something else than itself and more."""
        nodes = list(walk_own(function.node))
        found = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr == field]
        parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)} if found else {}
        return any(
            node not in self.own and (not isinstance(node.ctx, ast.Load) or not asks_size(node, parents))
            for node in found
        )

    def _nodes(self) -> Iterator[ast.AST]:
        if isinstance(self.loop.node, ast.comprehension):
            yield from walk(self.loop.owner) if self.loop.owner is not None else ()
            return
        if isinstance(self.loop.node, ast.While):
            yield from walk(self.loop.node.test)
        for statement in self.contexts:
            yield from own_expressions(statement)

    def _counts(self, node: ast.AST, path: str) -> bool:
        """Tell whether a node is a read of what grows that needs its value on a pass that is not the last."""
        if node in self.own or not isinstance(node, ast.Name | ast.Attribute) or dotted_name(node) != path:
            return False
        if not isinstance(node.ctx, ast.Load):
            return False
        statement = self._statement(node)
        if statement is None:
            parents = {
                child: outer for outer in walk(self.loop.header) for child in ast.iter_child_nodes(outer)
            }
            return not asks_size(node, parents)
        if isinstance(statement, ast.Return) or asks_size(node, self._parents(statement)):
            return False
        found = guards(self.contexts[statement], self.loop)
        return Guard.FIRST_PASS not in found and Guard.SOMETIMES not in found

    def _statement(self, node: ast.AST) -> ast.stmt | None:
        return next((s for s in self.contexts if any(n is node for n in own_expressions(s))), None)

    def _parents(self, statement: ast.stmt) -> dict[ast.AST, ast.AST]:
        return self.loop.scope.module.parents(statement)

    def _hands_over(self, node: ast.AST, path: str, around: Around) -> bool:
        """Tell whether a call that cannot be followed may get at the object whose field grows."""
        if not isinstance(node, ast.Call):
            return False
        holder = self._holder(path, around)
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if holder is None or self.project.calls.targets(node, self.loop.scope):
            return False
        return any(dotted_name(part) == holder for part in given) or self._may_reach(node, holder)

    def _may_reach(self, node: ast.Call, holder: str) -> bool:
        """Tell whether a method that is not known is called on the object, or on one that holds it, and neither is known."""
        owner = node.func.value if isinstance(node.func, ast.Attribute) else None
        path = dotted_name(owner) if owner is not None else None
        if owner is None or path is None or not (holder + ".").startswith(path + "."):
            return False
        return UNKNOWN in self.project.inference.values(owner, self.loop.scope)

    @staticmethod
    def _holder(path: str, around: Around) -> str | None:
        """Return the object whose field grows, as the loop calls it."""
        if not around.chain:
            return path.rpartition(".")[0]
        callee = around.chain[0].call.node.func
        return dotted_name(callee.value) if isinstance(callee, ast.Attribute) else None

    def _reached(self) -> list[Function] | None:
        """Return the functions that the loop's calls run, None if there are too many to look at."""
        found: list[Function] = []
        pending: list[tuple[ast.AST, Scope, int]] = [(node, self.loop.scope, 0) for node in self._nodes()]
        while pending:
            node, scope, depth = pending.pop()
            if not isinstance(node, ast.Call) or depth > _DEPTH:
                continue
            for target in self.project.calls.targets(node, scope):
                function = target.function
                if function not in found:
                    found.append(function)
                    pending += [(inner, function.scope, depth + 1) for inner in walk_own(function.node)]
            if len(found) > _FUNCTIONS:
                return None
        return found


def asks_size(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Tell whether a read only asks how large something is, or whether it is there."""
    outer = parents.get(node)
    if isinstance(outer, ast.Attribute):
        return outer.attr in _SIZES
    if isinstance(outer, ast.Call):
        last = outer.func.attr if isinstance(outer.func, ast.Attribute) else getattr(outer.func, "id", "")
        return node in outer.args and last in _SIZE_CALLS
    return isinstance(outer, ast.Compare) and all(isinstance(sign, ast.Is | ast.IsNot) for sign in outer.ops)
