"""Calls that take a function and call it again and again: for each request, for each row."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.scopes import CallSite
from deepperf.facts.values import Made, Pipeline
from deepperf.knowledge import lookup

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project

_SERVERS = frozenset(
    "gradio.Interface gradio.ChatInterface fastapi.Depends starlette.routing.Route aiohttp.web.get aiohttp.web.post "
    "django.urls.path django.urls.re_path django.conf.urls.url".split()
)
_ROUTERS = frozenset("add_url_rule add_api_route add_route add_get add_post".split())
_EVENTS = frozenset("click submit change upload input".split())
_BY_ROW = frozenset("apply progress_apply parallel_apply applymap progress_applymap transform".split())


class Handing:
    """Answers what a call does with the function it is handed."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def taken(self, call: CallSite) -> tuple[str, str] | None:
        """Return the kind of handler and the words for it, None if the call is not known to repeat what it is handed."""
        name = self.project.inference.api(call.node.func, call.scope)
        if name in _SERVERS:
            return "request", "request"
        if name == "builtins.map":
            return "row", "item of the map"
        last = call.method_name
        if last in _ROUTERS:
            return "request", "request"
        if last in _EVENTS and imports(call.module, "gradio"):
            return "request", "request"
        if last in _BY_ROW and imports(call.module, "pandas") and not self._is_other(call):
            return "row", "row of the table"
        if last == "map" and self._is_table(call):
            return "row", "row of the table"
        return None

    def _is_other(self, call: CallSite) -> bool:
        """Tell whether what a method belongs to is surely no table of pandas."""
        return any(
            isinstance(value, Pipeline) or (isinstance(value, Made) and value.kind in ("model", "layer"))
            for value in self._owner(call)
        )

    def _is_table(self, call: CallSite) -> bool:
        """Tell whether a method belongs to a table of pandas, a column of one, or a dataset of Hugging Face."""
        return any(
            isinstance(value, Made) and (value.kind == "frame" or lookup(value.api).framework == "datasets")
            for value in self._owner(call)
        )

    def _owner(self, call: CallSite) -> tuple[object, ...]:
        owner = call.node.func.value if isinstance(call.node.func, ast.Attribute) else call.node.func
        found = self.project.inference.values(owner, call.scope)
        while isinstance(owner, ast.Subscript | ast.Attribute):
            owner = owner.value
        return (*found, *self.project.inference.values(owner, call.scope))


def imports(module: Module, package: str) -> bool:
    """Tell whether the top of a module imports a package, or something from it."""
    return any(
        found.dotted.partition(".")[0] == package
        for group in module.index.scope.imports.values()
        for found in group
    )
