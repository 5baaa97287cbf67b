"""What running a stretch of code may change, through the calls it makes, those that no call shows included."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from deepperf.facts.builtin import is_immutable
from deepperf.facts.objects import roots
from deepperf.facts.project.aliases import Aliases, visible
from deepperf.facts.project.call_effects import CallEffects
from deepperf.facts.project.changes import Change
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import dotted_name, walk, walk_own
from deepperf.facts.values import Func, Instance, LambdaRef

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 4


class Effects:
    """Answers what code may change."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.aliases = Aliases(project)
        self._calls = CallEffects(project, self)
        self._functions: dict[Function, Change] = {}
        self._lambdas: dict[ast.Lambda, Change] = {}

    def of_function(self, function: Function, depth: int = 0) -> Change:
        """Return what calling a function may change, in terms of its parameters and free names."""
        known = self._functions.get(function)
        if known is not None:
            return known
        if depth > _DEPTH:
            return Change(opaque=True)
        self._functions[function] = Change()
        change = self.of_nodes(walk_own(function.node), function.scope, depth)
        change.paths = visible(change.paths, function)
        change.suspects = visible(change.suspects, function)
        self._functions[function] = change
        return change

    def of_lambda(self, value: LambdaRef, depth: int = 0) -> Change:
        """Return what calling a lambda may change, in terms of its parameters and the names around it."""
        known = self._lambdas.get(value.node)
        if known is not None:
            return known
        if depth > _DEPTH:
            return Change(opaque=True)
        self._lambdas[value.node] = Change()
        change = self._lambdas[value.node] = self.of_nodes(walk(value.node.body), value.scope, depth)
        return change

    def of_nodes(self, nodes: Iterable[ast.AST], scope: Scope, depth: int = 0) -> Change:
        """Return what evaluating these nodes of one scope may change. Rebinding a plain name is the flow's business."""
        change = Change()
        for node in nodes:
            if isinstance(node, ast.Call):
                self._calls.add(node, scope, change, depth)
            elif isinstance(node, ast.Attribute):
                if not isinstance(node.ctx, ast.Load):
                    self._stored(node, scope, change, depth)
            elif isinstance(node, ast.Subscript):
                if not isinstance(node.ctx, ast.Load):
                    self.changed(node.value, scope, change, itself=isinstance(node.value, ast.Name))
                self._runs(node.value, (_ITEM_METHODS[type(node.ctx)],), scope, change, depth)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self.changed(node.target, scope, change, itself=True)
            elif isinstance(node, ast.For | ast.AsyncFor | ast.comprehension):
                self._runs(node.iter, ("__iter__", "__next__"), scope, change, depth)
            elif isinstance(node, ast.With):
                for item in node.items:
                    self._runs(item.context_expr, ("__enter__", "__exit__"), scope, change, depth)
            elif isinstance(node, _STOPS):
                change.opaque = True
        return change

    def of_iterating(self, iterated: ast.expr, scope: Scope) -> Change:
        """Return what taking the next element of something may change: the code of generators, and of own iterators."""
        change = Change()
        self._runs(iterated, ("__iter__", "__next__"), scope, change, 0)
        for call in walk(iterated):
            if isinstance(call, ast.Call):
                for target in self.project.calls.targets(call, scope):
                    if target.function.module.flow(target.function.scope).is_generator:
                        change.add(self._calls.through(target, call, scope, 0))
        return change

    def _runs(
        self, node: ast.expr, methods: tuple[str, ...], scope: Scope, change: Change, depth: int
    ) -> None:
        """Add what methods do that Python calls on an object without a call being written."""
        for target in self._own_methods(node, methods, scope):
            callee = ast.Attribute(node, target.function.name, ast.Load())
            call = ast.copy_location(ast.Call(callee, [], []), node)
            change.add(self._calls.through(target, call, scope, depth))

    def _own_methods(self, node: ast.expr, methods: tuple[str, ...], scope: Scope) -> Iterator[Func]:
        for value in self.project.inference.values(node, scope):
            if isinstance(value, Instance):
                for name in methods:
                    method = self.project.classes.method(value.cls, name)
                    if method is not None:
                        yield from self.project.calls.entered(Func(method, value))

    def _stored(self, node: ast.Attribute, scope: Scope, change: Change, depth: int) -> None:
        base = dotted_name(node.value)
        if base is None:
            change.attributes.add(node.attr)
        else:
            change.paths.update(f"{name}.{node.attr}" for name in self.aliases.names(base, scope))
        for value in self.project.inference.values(node.value, scope):
            setter = (
                self.project.classes.setter(value.cls, node.attr) if isinstance(value, Instance) else None
            )
            if setter is not None:
                change.add(self._calls.through(Func(setter, value), ast.Call(node, [], []), scope, depth))

    def changed(self, node: ast.expr, scope: Scope, change: Change, *, itself: bool = False) -> None:
        """Note that the object of an expression may be changed in place, under all the names it goes by here.

        `itself` says that what the object holds stays as it is: only which objects it holds may change.
        """
        values = self.project.inference.values(node, scope)
        if all(is_immutable(value) for value in values):
            return
        found = self.aliases.origins(node, scope) or roots(node)
        if not found:
            change.vague = True
        for origin in found:
            names = self.aliases.names(origin, scope) if itself else self.aliases.of(origin, scope)
            change.paths.update(names)


# Where other code may run in between.
_STOPS = (ast.Yield, ast.YieldFrom, ast.Await)
_ITEM_METHODS: dict[type[ast.expr_context], str] = {
    ast.Load: "__getitem__",
    ast.Store: "__setitem__",
    ast.Del: "__delitem__",
}
