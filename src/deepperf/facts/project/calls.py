"""Who calls whom: the project functions a call reaches, and the calls that reach a function."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.scopes import CallSite, Function, Scope
from deepperf.facts.syntax import has_unpacking
from deepperf.facts.values import Api, ClassRef, Frame, Func, Instance, LambdaRef, Value, Values

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project

_FILES = 40
_SITES = 60

# APIs that call the function they are given, with the position and keyword of that function.
_CALLERS = {
    "tensorflow.distribute.Strategy.run": (0, "fn"),
    "tensorflow.py_function": (0, "func"),
    "tensorflow.numpy_function": (0, "func"),
    "tensorflow.cond": (1, "true_fn"),
    "tensorflow.while_loop": (1, "body"),
    "tensorflow.map_fn": (0, "fn"),
    "tensorflow.recompute_grad": (0, "f"),
}


class Caller(NamedTuple):
    """A call that reaches a function; `bound` tells that the object before the dot is its first argument."""

    call: CallSite
    bound: bool


class Callers(NamedTuple):
    """The known calls of a function, and the places that hand it on as a value; `complete` is False if more may exist."""

    sites: tuple[Caller, ...]
    handed_on: tuple[CallSite, ...]
    complete: bool


class Calls:
    """The call graph, built one question at a time."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._callers: dict[Function, Callers] = {}
        self._by_name: dict[Module, dict[str, list[CallSite]]] = {}

    def targets(self, call: ast.Call, scope: Scope, frame: Frame | None = None) -> tuple[Func, ...]:
        """Return the project functions that a call may run; empty if it reaches none that is known."""
        found: list[Func] = []
        for value in self.project.inference.values(call.func, scope, frame):
            found.extend(self.entered(value))
        return tuple(found)

    def entered(self, value: Value) -> tuple[Func, ...]:
        """Return the project functions that calling a value runs."""
        if isinstance(value, Func):
            return (value,)
        if isinstance(value, ClassRef):
            maker = self.project.classes.method(value.cls, "__init__")
            return (Func(maker, Instance(value.cls)),) if maker is not None else ()
        if isinstance(value, Instance):
            return tuple(v for v in self.project.classes.call_of(value) if isinstance(v, Func))
        return ()

    def is_resolved(self, call: ast.Call, scope: Scope) -> bool:
        """Tell whether everything the call may run is known: project functions, lambdas or APIs."""
        found: Values = self.project.inference.values(call.func, scope)
        return all(isinstance(value, Func | ClassRef | Api | LambdaRef) or self.entered(value) for value in found)

    def argument_for(self, function: Function, name: str, call: ast.Call, *, bound: bool) -> ast.expr | None:
        """Return the expression that `call` passes for a parameter of `function`, None if it cannot be seen."""
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
        positional = [parameter.arg for parameter in function.positional]
        if name not in positional:
            return None
        place = positional.index(name) - (1 if bound and function.self_name is not None else 0)
        if place < 0 or place >= len(call.args) or any(isinstance(a, ast.Starred) for a in call.args[: place + 1]):
            return None
        return call.args[place]

    def passes_everything_visibly(self, call: ast.Call) -> bool:
        """Tell whether a call has no `*args` or `**kwargs`."""
        return not has_unpacking(call)

    def callers(self, function: Function) -> Callers:
        """Return the calls in the project that reach a function."""
        known = self._callers.get(function)
        if known is None:
            self._callers[function] = Callers((), (), complete=False)
            known = self._callers[function] = self._find_callers(function)
        return known

    def _find_callers(self, function: Function) -> Callers:
        name = function.name
        if function.cls is not None and name in ("__init__", "__call__", "call", "forward"):
            name = function.cls.name
        files = self.project.modules.words.get(name.encode(), [])
        complete = len(files) <= _FILES
        own = function.module.source.file
        modules = [function.module]
        if complete:
            modules += [m for f in files if f != own and (m := self.project.modules.at(f)) is not None]
        sites: list[Caller] = []
        handed: list[CallSite] = []
        for module in modules:
            for call in self._named(module).get(function.name, ()) if name == function.name else module.index.calls:
                caller = self._reaches(call, function)
                if caller is not None:
                    sites.append(caller)
            handed.extend(self._handed_on(module, function))
            if len(sites) > _SITES:
                complete = False
                break
        return Callers(tuple(sites), tuple(handed), complete)

    def _named(self, module: Module) -> dict[str, list[CallSite]]:
        """Return the calls of a module by the last part of the callee's name."""
        known = self._by_name.get(module)
        if known is None:
            known = {}
            for call in module.index.calls:
                callee = call.node.func
                last = callee.attr if isinstance(callee, ast.Attribute) else getattr(callee, "id", None)
                if last is not None:
                    known.setdefault(last, []).append(call)
            self._by_name[module] = known
        return known

    def _reaches(self, call: CallSite, function: Function) -> Caller | None:
        for target in self.targets(call.node, call.scope):
            if target.function is function:
                return Caller(call, bound=target.bound is not None and not isinstance(target.bound, ClassRef))
        return None

    def _handed_on(self, module: Module, function: Function) -> list[CallSite]:
        found = []
        for call in module.index.calls:
            for value in (*call.node.args, *(keyword.value for keyword in call.node.keywords)):
                last = value.attr if isinstance(value, ast.Attribute) else getattr(value, "id", None)
                if last != function.name:
                    continue
                values = self.project.inference.values(value, call.scope)
                if any(isinstance(v, Func) and v.function is function for v in values):
                    found.append(call)
        return found
