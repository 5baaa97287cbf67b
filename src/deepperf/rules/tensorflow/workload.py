"""How much work a pipeline does before a place."""

from __future__ import annotations

import ast

from deepperf.facts.syntax import argument
from deepperf.facts.values import Const
from deepperf.knowledge import lookup
from deepperf.rules.api import Site, Step

_LARGE_BATCH = 1024


def does_work(path: tuple[Step, ...]) -> bool:
    """Tell whether a path reads files or runs a function, and keeps no results in memory."""
    works = False
    for step in path:
        if (
            step.short == "cache"
            and isinstance(step.call, ast.Call)
            and not (step.call.args or step.call.keywords)
        ):
            works = False
        works = works or _runs_function(step) or _reads(step)
    return works


def _runs_function(step: Step) -> bool:
    return step.method is not None and bool(step.method.callback)


def _reads(step: Step) -> bool:
    return "reads-file" in lookup(step.name).effects or step.short == "from_generator"


def is_light(path: tuple[Step, ...], site: Site) -> bool:
    """Tell whether all work of a path is a light pass over small batches of what is in memory."""
    if _has_large_batches(site) or any(_reads(step) for step in path):
        return False
    return all(_is_cheap(step, site) for step in path if _runs_function(step))


def _has_large_batches(site: Site) -> bool:
    size = argument(site.node, "batch_size", 0)
    if isinstance(size, ast.Name) and site.function is not None:
        size = site.function.default(size.id) or size
    count = site.project.inference.one(size, site.scope) if size is not None else None
    return isinstance(count, Const) and isinstance(count.value, int) and count.value >= _LARGE_BATCH


def _is_cheap(step: Step, site: Site) -> bool:
    """Tell whether the function of a step surely does nothing dear."""
    function = argument(step.call, "map_func", 0) if isinstance(step.call, ast.Call) else None
    mapped = site.project.mapped.of(function, step.scope) if function is not None else ()
    operations = [operation for m in mapped for operation in m.costly]
    resolved = bool(mapped) and all(m.resolved for m in mapped)
    return resolved and all("cheap" in lookup(operation.name).traits for operation in operations)
