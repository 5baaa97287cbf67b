"""What running a stretch of code may change, through the calls it makes.

Objects are spoken of by path: `self.cfg`, `batch`. A change of a path touches every path it is a prefix of, and
every path that is a prefix of it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deepperf.facts.behaviour import (
    CHANGERS,
    HIGHER_ORDER,
    IN_PLACE,
    PURE_BUILTINS,
    PURE_MODULES,
    READERS,
    TRAINERS,
)
from deepperf.facts.builtin import is_immutable
from deepperf.facts.objects import handed_objects, origins, roots
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import dotted_name, has_unpacking, is_super, walk, walk_own
from deepperf.facts.values import UNKNOWN, Api, ClassRef, Func, LambdaRef, Made, Pipeline, Value
from deepperf.knowledge import lookup

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 4


@dataclass
class Change:
    """What a stretch of code may change.

    `paths` are objects changed in place or rebound; `suspects` are objects of which a method was called that cannot be
    followed and gets nothing it could store: a getter, most likely. `attributes` are names of attributes stored on objects that
    have no path; `opaque` tells that other code may run in between (a `yield`, an `await`), `vague` that something is changed
    that has no name here, `trains` that variables get other values.
    """

    paths: set[str] = field(default_factory=set)
    suspects: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    opaque: bool = False
    vague: bool = False
    trains: bool = False

    def add(self, other: Change) -> None:
        """Take over what another stretch changes."""
        self.paths |= other.paths
        self.suspects |= other.suspects
        self.attributes |= other.attributes
        self.opaque = self.opaque or other.opaque
        self.vague = self.vague or other.vague
        self.trains = self.trains or other.trains

    def touches(self, path: str) -> bool:
        """Tell whether the object at `path` may differ afterwards."""
        if self.attributes and any(part in self.attributes for part in path.split(".")[1:]):
            return True
        return _meets(path, self.paths)

    def suspects_path(self, path: str) -> bool:
        """Tell whether a call that cannot be followed was made on the object at `path`."""
        return _meets(path, self.suspects)


def _meets(path: str, others: set[str]) -> bool:
    dotted = path + "."
    return any(path == other or path.startswith(other + ".") or other.startswith(dotted) for other in others)


class Effects:
    """Answers what code may change."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._functions: dict[Function, Change] = {}

    def of_function(self, function: Function, depth: int = 0) -> Change:
        """Return what calling a function may change, in terms of its parameters and free names."""
        known = self._functions.get(function)
        if known is not None:
            return known
        if depth > _DEPTH:
            return Change(opaque=True)
        self._functions[function] = Change()
        change = self.of_nodes(walk_own(function.node), function.scope, depth)
        change.paths = self._visible(change.paths, function)
        change.suspects = self._visible(change.suspects, function)
        self._functions[function] = change
        return change

    def of_nodes(self, nodes: Iterable[ast.AST], scope: Scope, depth: int = 0) -> Change:
        """Return what evaluating these nodes of one scope may change. Rebinding a plain name is the flow's business."""
        change = Change()
        for node in nodes:
            if isinstance(node, ast.Call):
                self._called(node, scope, change, depth)
            elif isinstance(node, ast.Attribute):
                if not isinstance(node.ctx, ast.Load):
                    self._stored(node, scope, change)
            elif isinstance(node, ast.Subscript):
                if not isinstance(node.ctx, ast.Load):
                    self._changed(node.value, scope, change)
            elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                self._changed(node.target, scope, change)
            elif isinstance(node, _STOPS):
                change.opaque = True
        return change

    def _stored(self, node: ast.Attribute, scope: Scope, change: Change) -> None:
        base = dotted_name(node.value)
        if base is None:
            change.attributes.add(node.attr)
        else:
            change.paths.update(f"{name}.{node.attr}" for name in self.aliases(base, scope))

    def _changed(self, node: ast.expr, scope: Scope, change: Change) -> None:
        """Note that the object of an expression may be changed in place, under all the names it goes by here."""
        values = self.project.inference.values(node, scope)
        if all(is_immutable(value) for value in values):
            return
        found = origins(node) or roots(node)
        if not found:
            change.vague = True
        for origin in found:
            change.paths.update(self.aliases(origin, scope))

    def aliases(self, path: str, scope: Scope) -> set[str]:
        """Return a path and the paths that the name it starts with was taken from in this scope."""
        found = {path}
        pending = [path]
        while pending and len(found) < 20:
            current = pending.pop()
            root, _, rest = current.partition(".")
            for name, after in ((current, ""), (root, rest)):
                for taken in self._taken_from(name, after, scope):
                    if taken not in found:
                        found.add(taken)
                        pending.append(taken)
        return found

    @staticmethod
    def _taken_from(name: str, rest: str, scope: Scope) -> Iterator[str]:
        for definition in scope.module.flow(scope).definitions.get(name, ()):
            if definition.value is None or definition.kind not in _ALIASING:
                continue
            for origin in origins(definition.value):
                same = definition.kind in ("assign", "walrus") and not definition.path
                yield f"{origin}.{rest}" if rest and same else origin

    def _visible(self, paths: set[str], function: Function) -> set[str]:
        """Keep the paths that a caller can see: those of parameters and of names from outside the function."""
        parameters = {parameter.arg for parameter in function.parameters}
        local = set(function.scope.bound) - parameters - function.scope.declared
        return {path for path in paths if path.partition(".")[0] not in local}

    def _called(self, call: ast.Call, scope: Scope, change: Change, depth: int) -> None:
        if isinstance(call.func, ast.Attribute) and call.func.attr in TRAINERS:
            change.trains = True
        for value in self.project.inference.values(call.func, scope):
            entered = self.project.calls.entered(value)
            if entered:
                for target in entered:
                    change.add(self._through(target, call, scope, depth))
            elif isinstance(value, LambdaRef):
                change.add(self.of_nodes(walk(value.node.body), value.scope, depth + 1))
            elif isinstance(value, Api):
                self._api_called(value.name, call, scope, change)
            elif not isinstance(value, ClassRef):
                self._unknown_call(call, value, scope, change)
        self._functions_handed_on(call, scope, change, depth)

    def _api_called(self, name: str, call: ast.Call, scope: Scope, change: Change) -> None:
        if not self._api_only_reads(name):
            self._arguments_changed(call, scope, change)
        for keyword in call.keywords:
            if keyword.arg == "out":
                self._changed(keyword.value, scope, change)
        if name.startswith("builtins.") and name[9:] in HIGHER_ORDER:
            for value in (*call.args, *(keyword.value for keyword in call.keywords)):
                if isinstance(value, ast.Attribute):
                    self._changed(value.value, scope, change)

    def _functions_handed_on(self, call: ast.Call, scope: Scope, change: Change, depth: int) -> None:
        """A function that is handed on may be called: what it changes counts."""
        if depth > _DEPTH:
            return
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            if not isinstance(argument, ast.Name | ast.Attribute | ast.Lambda):
                continue
            for value in self.project.inference.values(argument, scope):
                if isinstance(value, LambdaRef):
                    change.add(self.of_nodes(walk(value.node.body), value.scope, depth + 1))
                elif isinstance(value, Func):
                    handed = ast.copy_location(ast.Call(argument, [], []), call)
                    change.add(self._through(value, handed, scope, depth))

    def _through(self, target: Func, call: ast.Call, scope: Scope, depth: int) -> Change:
        inner = self.of_function(target.function, depth + 1)
        change = Change(set(), set(), set(inner.attributes), inner.opaque, inner.vague, inner.trains)
        change.suspects = self._seen_by_caller(inner.suspects, target, call, scope)
        change.paths = self._seen_by_caller(inner.paths, target, call, scope)
        if has_unpacking(call) and inner.paths:
            self._arguments_changed(call, scope, change)
        if self._is_abstract(target.function):
            self._unknown_call(call, UNKNOWN, scope, change)
        if target.function.name != "__init__":
            change.attributes |= self._without_path(inner.paths, target, call)
        return change

    @staticmethod
    def _is_abstract(function: Function) -> bool:
        """Tell whether a method only says that subclasses define it."""
        last = function.node.body[-1]
        return isinstance(last, ast.Raise) and "NotImplemented" in ast.unparse(last)

    def _seen_by_caller(self, paths: set[str], target: Func, call: ast.Call, scope: Scope) -> set[str]:
        """Return what the paths of a function are called where it is called."""
        parameters = {parameter.arg for parameter in target.function.parameters}
        found: set[str] = set()
        for path in paths:
            root, _, rest = path.partition(".")
            if root not in parameters:
                found.add(path)
                continue
            passed = self._argument(target, root, call)
            dotted = dotted_name(passed) if passed is not None else None
            if dotted is not None:
                found.update(f"{name}.{rest}" if rest else name for name in self.aliases(dotted, scope))
        return found

    def _without_path(self, paths: set[str], target: Func, call: ast.Call) -> set[str]:
        """Return the attributes a function stores on objects that have no name where it is called."""
        parameters = {parameter.arg for parameter in target.function.parameters}
        found: set[str] = set()
        for path in paths:
            root, _, rest = path.partition(".")
            if rest and root in parameters:
                passed = self._argument(target, root, call)
                if passed is None or dotted_name(passed) is None:
                    found.add(rest.rpartition(".")[2])
        return found

    def _argument(self, target: Func, name: str, call: ast.Call) -> ast.expr | None:
        function = target.function
        if name == function.self_name and target.bound is not None:
            if isinstance(call.func, ast.Attribute) and is_super(call.func.value):
                return ast.Name(function.self_name, ast.Load())
            return call.func.value if isinstance(call.func, ast.Attribute) else None
        return self.project.calls.argument_for(function, name, call, bound=target.bound is not None)

    @staticmethod
    def _api_only_reads(name: str) -> bool:
        if name.startswith("builtins."):
            return name[9:] in PURE_BUILTINS or name[9:] in ("print", "super", "iter", "open")
        if name.rpartition(".")[2] in IN_PLACE or name.startswith(("heapq.", "bisect.insort")):
            return False
        return (
            lookup(name).known
            or name.startswith(PURE_MODULES)
            or name.startswith(("logging.", "time.", "os."))
        )

    def _arguments_changed(self, call: ast.Call, scope: Scope, change: Change) -> None:
        for value in (*call.args, *(keyword.value for keyword in call.keywords)):
            for part in handed_objects(value):
                self._changed(part, scope, change)

    def _unknown_call(self, call: ast.Call, callee: Value, scope: Scope, change: Change) -> None:
        if isinstance(call.func, ast.Attribute) and self._is_field(call.func, scope):
            self._changed(call.func, scope, change)
        elif isinstance(call.func, ast.Attribute):
            if isinstance(callee, Made) and callee.kind.partition(".")[0] in (
                "tensor",
                "number",
                "string",
                "session",
                "graph",
            ):
                return
            if call.func.attr in READERS and (call.func.attr != "get" or call.args):
                return
            if (
                is_super(call.func.value)
                and scope.function is not None
                and scope.function.self_name is not None
            ):
                change.paths.add(scope.function.self_name)
            elif call.args or call.keywords or call.func.attr in CHANGERS:
                self._changed(call.func.value, scope, change)
            else:
                self._suspected(call.func.value, scope, change)
        else:
            # An object that is called may keep something of it, as a model keeps its losses.
            self._suspected(call.func, scope, change)
            if isinstance(callee, Made | Pipeline):
                return
        self._arguments_changed(call, scope, change)

    def _suspected(self, node: ast.expr, scope: Scope, change: Change) -> None:
        """Note that the object of an expression is changed in place, maybe."""
        maybe = Change()
        self._changed(node, scope, maybe)
        change.suspects |= maybe.paths

    def _is_field(self, callee: ast.Attribute, scope: Scope) -> bool:
        """Tell whether a call calls an object that a field holds (`self.encoder(x)`), not a method of the field's owner."""
        owners = self.project.inference.values(callee.value, scope)
        return any(bool(self.project.field_definitions(owner, callee.attr)) for owner in owners)


# Where other code may run in between.
_STOPS = (ast.Yield, ast.YieldFrom, ast.Await)
_ALIASING = ("assign", "for", "with", "comprehension", "walrus")
