"""By which other paths an object can be reached: names taken from it, objects that hold it, functions that give it back."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from deepperf.facts.behaviour import STORERS
from deepperf.facts.objects import origins
from deepperf.facts.project.changes import meets
from deepperf.facts.scopes import CallSite, Function, Scope, StoreSite
from deepperf.facts.syntax import arguments_of, dotted_name, has_unpacking
from deepperf.facts.values import ClassRef, Func

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project

_PATHS = 20
_ALIASING = ("assign", "for", "with", "comprehension", "walrus")


class Aliases:
    """Answers by which paths objects can be reached."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._known: dict[tuple[str, Scope, bool], frozenset[str]] = {}
        self._held: dict[Scope, dict[str, set[str]]] = {}
        self._returned: dict[Function, set[str]] = {}
        self._stores: dict[Module, dict[Scope, list[StoreSite]]] = {}

    def of(self, path: str, scope: Scope) -> frozenset[str]:
        """Return a path and those of what the object there was taken from in this scope, or holds."""
        return self._remembered(path, scope, with_held=True)

    def names(self, path: str, scope: Scope) -> frozenset[str]:
        """Return a path and those of what the object there was taken from in this scope."""
        return self._remembered(path, scope, with_held=False)

    def _remembered(self, path: str, scope: Scope, *, with_held: bool) -> frozenset[str]:
        key = (path, scope, with_held)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = frozenset(self._followed(path, scope, with_held))
        return known

    def _followed(self, path: str, scope: Scope, with_held: bool) -> set[str]:
        found = {path}
        pending = [path]
        while pending and len(found) < _PATHS:
            current = pending.pop()
            root, _, rest = current.partition(".")
            taken = {*self._taken_from(current, "", scope), *self._taken_from(root, rest, scope)}
            for holder, held in self._held_in(scope).items() if with_held else ():
                if meets(current, {holder}):
                    taken |= held
            pending += taken - found
            found |= taken
        return found

    def _taken_from(self, name: str, rest: str, scope: Scope) -> Iterator[str]:
        for definition in scope.module.flow(scope).definitions.get(name, ()):
            if definition.value is None or definition.kind not in _ALIASING:
                continue
            for origin in self.origins(definition.value, scope):
                same = definition.kind in ("assign", "walrus") and not definition.path
                yield f"{origin}.{rest}" if rest and same else origin

    def origins(self, node: ast.expr, scope: Scope) -> set[str]:
        """Return the paths of the objects that the value of an expression may be, be a part of, or hold."""
        return origins(node, lambda call: self._given_back(call, scope))

    def _given_back(self, call: ast.Call, scope: Scope) -> set[str]:
        """Return the paths of what a call may give back: a new object holds its arguments, a function may return them."""
        found: set[str] = set()
        for value in self.project.inference.values(call.func, scope):
            if isinstance(value, ClassRef):
                found.update(path for value in arguments_of(call) for path in self.origins(value, scope))
            elif isinstance(value, Func):
                found |= self.seen_by_caller(self._returned_by(value.function), value, call, scope)
        return found

    def _returned_by(self, function: Function) -> set[str]:
        """Return the paths, of a function's parameters and of names outside of it, that it may return or yield."""
        known = self._returned.get(function)
        if known is None:
            self._returned[function] = set()
            flow = function.module.flow(function.scope)
            taken = {
                path for node in (*flow.returns, *flow.yields) for path in self.origins(node, function.scope)
            }
            paths = {path for origin in taken for path in self.of(origin, function.scope)}
            known = self._returned[function] = visible(paths, function)
        return known

    def _held_in(self, scope: Scope) -> dict[str, set[str]]:
        """Return what the statements of a scope store in objects: the path of the holder, and those of what it holds."""
        known = self._held.get(scope)
        if known is None:
            self._held[scope] = {}
            known = {}
            for holder, held in self._stored_in(scope):
                if held:
                    known.setdefault(holder, set()).update(held)
            self._held[scope] = known
        return known

    def _stored_in(self, scope: Scope) -> Iterator[tuple[str, set[str]]]:
        for store in self._stores_of(scope):
            holder = dotted_name(store.node if isinstance(store.node, ast.Attribute) else store.node.value)
            if holder is not None and store.value is not None:
                yield holder, self.origins(store.value, scope)
        for call in self.project.calls.of_scope(scope):
            arguments = arguments_of(call.node)
            receiver = call.node.func.value if isinstance(call.node.func, ast.Attribute) else None
            if receiver is not None and call.method_name in STORERS:
                holder = dotted_name(receiver)
                if holder is not None:
                    yield holder, {path for value in arguments for path in self.origins(value, scope)}
            elif arguments and (receiver is not None or len(arguments) > 1):
                yield from self._stored_by(call, scope)

    def _stored_by(self, call: CallSite, scope: Scope) -> Iterator[tuple[str, set[str]]]:
        """Yield what a function that is called stores of its arguments in others of them."""
        for target in self.project.calls.targets(call.node, scope):
            inner = target.function.scope
            for holder, held in self._held_in(inner).items():
                taken = {path for origin in held for path in self.of(origin, inner)}
                held_here = self.seen_by_caller(visible(taken, target.function), target, call.node, scope)
                for name in self.seen_by_caller(visible({holder}, target.function), target, call.node, scope):
                    yield name, held_here

    def seen_by_caller(self, paths: Iterable[str], target: Func, call: ast.Call, scope: Scope) -> set[str]:
        """Return what the paths of a function are called where it is called; those that have no path there are left out."""
        parameters = {parameter.arg for parameter in target.function.parameters}
        found: set[str] = set()
        for path in paths:
            root, _, rest = path.partition(".")
            if root not in parameters:
                found.add(path)
                continue
            for passed in self._passed(target, root, call):
                found.update(f"{name}.{rest}" if rest else name for name in self.origins(passed, scope))
        return found

    def _passed(self, target: Func, name: str, call: ast.Call) -> list[ast.expr]:
        """Return what a call passes for a parameter: one expression, or for `*args` all that no other parameter gets."""
        passed = self.project.calls.passed(target, name, call)
        if passed is not None or (name == target.function.self_name and target.bound is not None):
            return [passed] if passed is not None else []
        arguments = target.function.node.args
        rests = {rest.arg for rest in (arguments.vararg, arguments.kwarg) if rest is not None}
        if name not in rests and not has_unpacking(call):
            return []
        taken = [self.project.calls.passed(target, other.arg, call) for other in target.function.parameters]
        return [value for value in arguments_of(call) if not any(value is other for other in taken)]

    def _stores_of(self, scope: Scope) -> list[StoreSite]:
        grouped = self._stores.get(scope.module)
        if grouped is None:
            grouped = self._stores[scope.module] = {}
            for sites in scope.module.index.stores.values():
                for site in sites:
                    grouped.setdefault(site.scope, []).append(site)
        return grouped.get(scope, [])


def visible(paths: Iterable[str], function: Function) -> set[str]:
    """Keep the paths that a caller can see: those of parameters and of names from outside the function."""
    parameters = {parameter.arg for parameter in function.parameters}
    local = set(function.scope.bound) - parameters - function.scope.declared
    return {path for path in paths if path.partition(".")[0] not in local}
