"""The dataset transformations whose functions a place belongs to, directly or through calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from deepperf.facts.scopes import CallSite, Function, Located

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 3


class Callbacks:
    """Answers which `map`, `filter` or `interleave` runs a place."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def around(self, located: Located) -> list[CallSite]:
        """Return the transformations that run a place for their elements; empty if none is known."""
        return list(dict.fromkeys(self._around(located, 0, set())))

    def _around(self, located: Located, depth: int, seen: set[Function]) -> list[CallSite]:
        regions = self.project.regions
        for step in located.context.within_function():
            if step.kind == "lambda":
                taker = regions.taker(step)
                if taker is not None and regions.is_dataset_callback(taker):
                    return [taker]
        function = located.function
        if function is None or function in seen or depth > _DEPTH:
            return []
        seen.add(function)
        callers = self.project.calls.callers(function)
        found = [taken for call in callers.handed_on for taken in self._taken_by(call)]
        for caller in callers.sites:
            found += self._around(caller.call, depth + 1, seen)
        return found

    def _taken_by(self, call: CallSite) -> list[CallSite]:
        """Return the transformation that a function is handed to, also inside of a `partial`."""
        if self.project.regions.is_dataset_callback(call):
            return [call]
        if self.project.inference.api(call.node.func, call.scope) != "functools.partial":
            return []
        return [
            outer
            for outer in call.module.index.calls
            if call.node in outer.node.args and self.project.regions.is_dataset_callback(outer)
        ]
