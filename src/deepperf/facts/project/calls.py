"""Who calls whom: the project functions a call reaches, and the calls that reach a function."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.scopes import CallSite, Function, Scope
from deepperf.facts.syntax import has_unpacking, is_super
from deepperf.facts.values import UNKNOWN, Api, ClassRef, Frame, Func, Instance, LambdaRef, Value, Values
from deepperf.knowledge import is_method_name

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project

_FILES = 4
_SITES = 60


# Methods that frameworks call: what project code calls them by name tells little, and much of it would have to be read.
_FRAMEWORK_CALLED = frozenset(
    "__call__ call forward build compute_output_shape compute_output_spec get_config from_config __iter__ __next__ __len__ "
    "__getitem__ setUp tearDown train_step test_step predict_step training_step validation_step".split()
)


# Names that methods of library objects have too: they say nothing of whose method is called.
_COMMON = frozenset(
    "add append apply build call clear close compile copy count create evaluate extend filter fit flush forward get index init "
    "insert items join keys load log map next open parse pop predict prepare process put read remove render reset restore run "
    "sample save search send set setup sort split start step stop train transform update validate values write".split()
)


class Caller(NamedTuple):
    """A call that reaches a function; `bound` tells that the object before the dot is its first argument.

    `certain` is False where the object is unknown and only the method's name, which no other class has, speaks for it.
    """

    call: CallSite
    bound: bool
    certain: bool = True


class Callers(NamedTuple):
    """The known calls of a function, and the places that hand it on as a value; `complete` is False if more may exist."""

    sites: tuple[Caller, ...]
    handed_on: tuple[CallSite, ...]
    complete: bool


class _Names(NamedTuple):
    called: dict[str, list[CallSite]]
    passed: dict[str, list[CallSite]]


class Calls:
    """The call graph, built one question at a time."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._callers: dict[Function, Callers] = {}
        self._by_name: dict[Module, _Names] = {}
        self._by_scope: dict[Module, dict[Scope, list[CallSite]]] = {}

    def targets(self, call: ast.Call, scope: Scope, frame: Frame | None = None) -> tuple[Func, ...]:
        """Return the project functions that a call may run; empty if it reaches none that is known."""
        found: list[Func] = []
        for value in self.project.inference.values(call.func, scope, frame):
            found.extend(self.entered(value))
        return tuple(found)

    def entered(self, value: Value) -> tuple[Func, ...]:
        """Return the project functions that calling a value runs."""
        if isinstance(value, Func):
            if isinstance(value.bound, Instance):
                others = self.project.classes.overrides(value.function, value.bound.cls)
                return (value, *(Func(other, value.bound, value.given) for other in others))
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
        return all(
            isinstance(value, Func | ClassRef | Api | LambdaRef) or self.entered(value) for value in found
        )

    def argument_for(self, function: Function, name: str, call: ast.Call, *, bound: bool) -> ast.expr | None:
        """Return the expression that `call` passes for a parameter of `function`, None if it cannot be seen."""
        for keyword in call.keywords:
            if keyword.arg == name:
                return keyword.value
        positional = [parameter.arg for parameter in function.positional]
        if name not in positional:
            return None
        place = positional.index(name) - (1 if bound and function.self_name is not None else 0)
        if (
            place < 0
            or place >= len(call.args)
            or any(isinstance(a, ast.Starred) for a in call.args[: place + 1])
        ):
            return None
        return call.args[place]

    def passed(self, target: Func, name: str, call: ast.Call) -> ast.expr | None:
        """Return what a call, with the `partial` it calls, passes for a parameter; the object before the dot for `self`."""
        function, given = target.function, target.given
        callee = call.func if given is None else given.args[0]
        if name == function.self_name and target.bound is not None:
            if not isinstance(callee, ast.Attribute):
                return None
            if is_super(callee.value):
                return ast.Name(function.self_name, ast.Load())
            return callee.value if callee.attr == function.name else None
        if given is not None:
            call = ast.Call(callee, [*given.args[1:], *call.args], [*call.keywords, *given.keywords])
        return self.argument_for(function, name, call, bound=target.bound is not None)

    def passes_everything_visibly(self, call: ast.Call) -> bool:
        """Tell whether a call has no `*args` or `**kwargs`."""
        return not has_unpacking(call)

    def callers(self, function: Function) -> Callers:
        """Return the calls in the project that reach a function."""
        known = self._callers.get(function)
        if known is None and function.cls is not None and function.name in _FRAMEWORK_CALLED:
            known = self._callers[function] = Callers((), (), complete=False)
        if known is None:
            self._callers[function] = Callers((), (), complete=False)
            known = self._callers[function] = self._find_callers(function)
        return known

    def _find_callers(self, function: Function) -> Callers:
        is_maker = function.cls is not None and function.name == "__init__"
        name = function.cls.name if is_maker and function.cls is not None else function.name
        files = self.project.modules.mentioning(function)
        complete = len(files) <= _FILES
        modules = [function.module]
        if complete:
            modules += [m for file in files if (m := self.project.modules.at(file)) is not None]
        sites: list[Caller] = []
        handed: list[CallSite] = []
        for module in modules:
            names = self._names(module)
            for call in names.called.get(name, ()):
                caller = self._reaches(call, function)
                if caller is not None:
                    sites.append(caller)
            handed.extend(call for call in names.passed.get(name, ()) if self._is_handed_on(call, function))
            if len(sites) > _SITES:
                complete = False
                break
        return Callers(tuple(sites), tuple(handed), complete)

    def of_scope(self, scope: Scope) -> list[CallSite]:
        """Return the calls that run in a scope, not those of the functions defined in it."""
        grouped = self._by_scope.get(scope.module)
        if grouped is None:
            grouped = self._by_scope[scope.module] = {}
            for call in scope.module.index.calls:
                grouped.setdefault(call.scope, []).append(call)
        return grouped.get(scope, [])

    def passing(self, name: str, scope: Scope) -> list[CallSite]:
        """Return the calls of a scope that pass a name or an attribute with that last name as an argument."""
        return [call for call in self._names(scope.module).passed.get(name, ()) if call.scope is scope]

    def _names(self, module: Module) -> _Names:
        """Return the calls of a module by the last part of the callee's name, and of the names passed to them."""
        known = self._by_name.get(module)
        if known is None:
            known = self._by_name[module] = _Names({}, {})
            for call in module.index.calls:
                last = _last(call.node.func)
                if last is not None:
                    known.called.setdefault(last, []).append(call)
                for value in (*call.node.args, *(keyword.value for keyword in call.node.keywords)):
                    last = _last(value)
                    if last is not None:
                        known.passed.setdefault(last, []).append(call)
        return known

    def _reaches(self, call: CallSite, function: Function) -> Caller | None:
        for target in self.targets(call.node, call.scope):
            if target.function is function:
                return Caller(call, bound=target.bound is not None and not isinstance(target.bound, ClassRef))
        callee = call.node.func
        if function.cls is None or not isinstance(callee, ast.Attribute) or not self._is_only(function):
            return None
        is_unknown = self.project.inference.values(callee.value, call.scope) == (UNKNOWN,)
        return Caller(call, bound=True, certain=False) if is_unknown else None

    def _is_only(self, function: Function) -> bool:
        """Tell whether no other function of the project has the name of a method, nor any library object, most likely."""
        if function.name in _COMMON or is_method_name(function.name):
            return False
        return self.project.modules.defined_once(function.name)

    def _is_handed_on(self, call: CallSite, function: Function) -> bool:
        for value in (*call.node.args, *(keyword.value for keyword in call.node.keywords)):
            if _last(value) == function.name:
                values = self.project.inference.values(value, call.scope)
                if any(isinstance(v, Func) and v.function is function for v in values):
                    return True
        return False


def _last(node: ast.expr) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)
