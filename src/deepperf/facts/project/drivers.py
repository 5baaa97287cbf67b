"""Functions that something outside the project calls again and again: for each request, for each trial of a search."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.scopes import CallSite, Function
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 3
_ROUTES = frozenset({"route", "get", "post", "put", "patch", "api_route"})
_SEARCHES = frozenset(
    "hyperopt.fmin skopt.gp_minimize skopt.forest_minimize skopt.gbrt_minimize skopt.dummy_minimize "
    "scipy.optimize.minimize scipy.optimize.differential_evolution".split()
)


class Driver(NamedTuple):
    """What calls a function again and again: `words` say when, `function` is what it calls."""

    words: str
    place: Place
    function: Function


class Drivers:
    """Answers what calls functions from outside."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def of(self, function: Function | None, depth: int = 0) -> Driver | None:
        """Return what calls a function again and again, directly or through functions of the project."""
        if function is None:
            return None
        found = self._request(function) or self._trial(function)
        if found is not None or depth >= _DEPTH:
            return found
        for caller in self.project.calls.callers(function).sites:
            found = self.of(caller.call.function, depth + 1)
            if found is not None:
                return found
        return None

    @staticmethod
    def _request(function: Function) -> Driver | None:
        for decorator in function.node.decorator_list:
            if (
                isinstance(decorator, ast.Call)
                and isinstance(decorator.func, ast.Attribute)
                and decorator.func.attr in _ROUTES
                and decorator.args
                and isinstance(decorator.args[0], ast.Constant)
                and str(decorator.args[0].value).startswith("/")
            ):
                place = function.module.source.place(decorator, f"{function.name} answers requests")
                return Driver("request", place, function)
        return None

    def _trial(self, function: Function) -> Driver | None:
        for call in self.project.calls.callers(function).handed_on:
            if self._searches(call):
                place = call.module.source.place(call.node, f"{function.name} is called for each trial")
                return Driver("trial of the search", place, function)
        return None

    def _searches(self, call: CallSite) -> bool:
        name = self.project.inference.api(call.node.func, call.scope)
        if name is not None:
            return name in _SEARCHES
        # A study of Optuna.
        return call.method_name == "optimize" and "optuna" in call.module.index.imported
