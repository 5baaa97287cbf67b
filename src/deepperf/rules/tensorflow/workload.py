"""How much work a pipeline does before a place."""

from __future__ import annotations

import ast

from deepperf.facts.syntax import argument
from deepperf.knowledge import lookup
from deepperf.rules.api import Site, Step

_QUICK_READERS = ("tensorflow_datasets.load", "tensorflow.data.TextLineDataset")


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
    """Tell whether all work of a path surely is a light pass over what is in memory, or over lines of text.

    What `tensorflow_datasets` reads, it reads ahead by itself.
    """
    if any(_reads(step) and step.name not in _QUICK_READERS for step in path):
        return False
    return all(_is_cheap(step, site) for step in path if _runs_function(step))


def _is_cheap(step: Step, site: Site) -> bool:
    """Tell whether the function of a step surely does nothing dear: decodes nothing, and calls nothing back."""
    function = argument(step.call, "map_func", 0) if isinstance(step.call, ast.Call) else None
    mapped = site.project.mapped.of(function, step.scope) if function is not None else ()
    operations = [operation for m in mapped for operation in m.costly]
    resolved = bool(mapped) and all(m.resolved for m in mapped)
    return resolved and not any(_is_dear(operation.name) for operation in operations)


def _is_dear(name: str) -> bool:
    api = lookup(name)
    return "heavy" in api.traits or bool(api.effects & {"reads-file", "python"})
