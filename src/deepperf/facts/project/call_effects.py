"""What a call may change: through the function it runs, or, where that cannot be followed, by what the call looks like."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.behaviour import (
    HIGHER_ORDER,
    IN_PLACE,
    PURE_BUILTINS,
    PURE_MODULES,
    STORERS,
    TRAINERS,
    changes_its_object,
    only_reads,
)
from deepperf.facts.objects import handed_objects
from deepperf.facts.project.changes import Change
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import arguments_of, dotted_name, has_unpacking, is_super
from deepperf.facts.values import Api, ClassRef, Func, LambdaRef, Made, Pipeline, Value
from deepperf.knowledge import lookup

if TYPE_CHECKING:
    from deepperf.facts.project import Project
    from deepperf.facts.project.effects import Effects

_HANDED_DEPTH = 4
_GROWERS = frozenset({"append", "extend", "insert", "appendleft"})
# Kinds of objects that their methods leave alone.
_UNCHANGED_BY_METHODS = frozenset("tensor number string session graph".split())


class CallEffects:
    """Adds up what calls change."""

    def __init__(self, project: Project, effects: Effects) -> None:
        self.project = project
        self.effects = effects

    def add(self, call: ast.Call, scope: Scope, change: Change, depth: int) -> None:
        """Add what a call may change."""
        if isinstance(call.func, ast.Attribute) and call.func.attr in TRAINERS:
            change.trains = True
        for value in self.project.inference.values(call.func, scope):
            entered = self.project.calls.entered(value)
            if entered:
                for target in entered:
                    change.add(self.through(target, call, scope, depth))
            elif isinstance(value, LambdaRef):
                self._lambda(value, call, scope, change, depth)
            elif isinstance(value, Api):
                self._api(value.name, call, scope, change)
            elif not isinstance(value, ClassRef):
                self._unknown(call, value, scope, change)
        self._functions_handed_on(call, scope, change, depth)

    def through(self, target: Func, call: ast.Call, scope: Scope, depth: int) -> Change:
        """Return what a project function changes, in terms of the place where it is called."""
        inner = self.effects.of_function(target.function, depth + 1)
        change = Change(set(), set(), set(inner.attributes), inner.opaque, inner.vague, inner.trains)
        seen_by_caller = self.effects.aliases.seen_by_caller
        for path in seen_by_caller(inner.suspects, target, call, scope):
            change.suspects |= self.effects.aliases.of(path, scope)
        for path in seen_by_caller(inner.paths, target, call, scope):
            change.paths |= self.effects.aliases.of(path, scope)
        if has_unpacking(call) and inner.paths:
            self._arguments_changed(call, scope, change)
        if _is_abstract(target.function):
            self._object_changed(call, scope, change)
            self._arguments_changed(call, scope, change)
        if target.function.name != "__init__":
            change.attributes |= self._without_path(inner.paths, target, call)
        return change

    def _without_path(self, paths: set[str], target: Func, call: ast.Call) -> set[str]:
        """Return the attributes a function stores on objects that have no name where it is called."""
        parameters = {parameter.arg for parameter in target.function.parameters}
        found: set[str] = set()
        for path in paths:
            root, _, rest = path.partition(".")
            if rest and root in parameters:
                passed = self.project.calls.passed(target, root, call)
                if passed is None or dotted_name(passed) is None:
                    found.add(rest.rpartition(".")[2])
        return found

    def _lambda(self, value: LambdaRef, call: ast.Call, scope: Scope, change: Change, depth: int) -> None:
        inner = self.effects.of_lambda(value, depth + 1)
        change.add(inner)
        arguments = value.node.args
        parameters = {part.arg for part in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
        if any(path.partition(".")[0] in parameters for path in inner.paths):
            self._arguments_changed(call, scope, change)

    def _functions_handed_on(self, call: ast.Call, scope: Scope, change: Change, depth: int) -> None:
        """A function that is handed on may be called, with the other arguments or parts of them: what it changes counts."""
        if depth > _HANDED_DEPTH:
            return
        for argument in arguments_of(call):
            if not isinstance(argument, ast.Name | ast.Attribute | ast.Lambda):
                continue
            for value in self.project.inference.values(argument, scope):
                if isinstance(value, LambdaRef):
                    self._lambda(value, call, scope, change, depth)
                elif isinstance(value, Func):
                    handed = ast.copy_location(ast.Call(argument, [], []), call)
                    change.add(self.through(value, handed, scope, depth))
                    own = {part.arg for part in value.function.parameters} - {value.function.self_name}
                    if any(path in own for path in self.effects.of_function(value.function, depth + 1).paths):
                        self._arguments_changed(call, scope, change)

    def _api(self, name: str, call: ast.Call, scope: Scope, change: Change) -> None:
        if not _api_only_reads(name):
            self._arguments_changed(call, scope, change)
        for keyword in call.keywords:
            if keyword.arg == "out":
                self.effects.changed(keyword.value, scope, change)
        if name.startswith("builtins.") and name[9:] in HIGHER_ORDER:
            for value in arguments_of(call):
                if isinstance(value, ast.Attribute):
                    self.effects.changed(value.value, scope, change)

    def _unknown(self, call: ast.Call, callee: Value, scope: Scope, change: Change) -> None:
        if not isinstance(call.func, ast.Attribute):
            self._unknown_function(call, callee, scope, change)
            return
        method = call.func.attr
        if self._is_field(call.func, scope):
            self.effects.changed(call.func, scope, change)
        elif method in _GROWERS and not is_super(call.func.value):
            # A list that grows holds other objects, but leaves alone those it holds and what is added.
            itself = isinstance(call.func.value, ast.Name)
            self.effects.changed(call.func.value, scope, change, itself=itself)
            return
        elif changes_its_object(method) and not only_reads(method, gets_something=bool(call.args)):
            self._object_changed(call, scope, change)
        elif only_reads(method, gets_something=bool(call.args)) or (
            isinstance(callee, Made) and callee.kind.partition(".")[0] in _UNCHANGED_BY_METHODS
        ):
            return
        elif call.args or call.keywords or is_super(call.func.value):
            self._object_changed(call, scope, change)
        else:
            self._suspected(call.func.value, scope, change)
        self._arguments_changed(call, scope, change)

    def _unknown_function(self, call: ast.Call, callee: Value, scope: Scope, change: Change) -> None:
        """An object that is called may keep something of it, as a model keeps its losses; a bound method changes its own."""
        names = self.effects.aliases.origins(call.func, scope)
        if any(
            changes_its_object(name.rpartition(".")[2]) or name.rpartition(".")[2] in STORERS
            for origin in names
            for name in self.effects.aliases.of(origin, scope)
        ):
            self.effects.changed(call.func, scope, change)
        else:
            self._suspected(call.func, scope, change)
        if not isinstance(callee, Made | Pipeline):
            self._arguments_changed(call, scope, change)

    def _object_changed(self, call: ast.Call, scope: Scope, change: Change) -> None:
        """Note that a method changes the object before the dot."""
        if not isinstance(call.func, ast.Attribute):
            return
        if is_super(call.func.value):
            if scope.function is not None and scope.function.self_name is not None:
                change.paths.add(scope.function.self_name)
        else:
            self.effects.changed(call.func.value, scope, change)

    def _arguments_changed(self, call: ast.Call, scope: Scope, change: Change) -> None:
        for value in arguments_of(call):
            for part in handed_objects(value):
                self.effects.changed(part, scope, change)

    def _suspected(self, node: ast.expr, scope: Scope, change: Change) -> None:
        """Note that the object of an expression is changed in place, maybe."""
        maybe = Change()
        self.effects.changed(node, scope, maybe)
        change.suspects |= maybe.paths

    def _is_field(self, callee: ast.Attribute, scope: Scope) -> bool:
        """Tell whether a call calls an object that a field holds (`self.encoder(x)`), not a method of the field's owner."""
        owners = self.project.inference.values(callee.value, scope)
        return any(bool(self.project.field_definitions(owner, callee.attr)) for owner in owners)


def _is_abstract(function: Function) -> bool:
    """Tell whether a method only says that subclasses define it."""
    last = function.node.body[-1]
    if isinstance(last, ast.Raise) and "NotImplemented" in ast.unparse(last):
        return True
    return any((dotted_name(d) or "").endswith("abstractmethod") for d in function.node.decorator_list)


def _api_only_reads(name: str) -> bool:
    last = name.rpartition(".")[2]
    if name.startswith("builtins."):
        return last in PURE_BUILTINS or last in ("print", "super", "iter", "open")
    if last in IN_PLACE or last.endswith("_") or name.startswith(("heapq.", "bisect.insort")):
        return False
    return (
        lookup(name).known or name.startswith(PURE_MODULES) or name.startswith(("logging.", "time.", "os."))
    )
