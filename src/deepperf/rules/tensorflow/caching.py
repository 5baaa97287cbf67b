"""Questions about the caches of dataset pipelines."""

from __future__ import annotations

import ast

from deepperf.facts.loops import Loop, Trips
from deepperf.facts.project.consumers import Use, Way
from deepperf.facts.project.hotness import Around
from deepperf.facts.syntax import argument
from deepperf.facts.values import Const
from deepperf.knowledge import dataset_method, lookup
from deepperf.rules.api import Place, Site, Step
from deepperf.rules.tensorflow import pipeline

Path = tuple[Step, ...]
_AS_IT_IS = frozenset("from_tensor_slices from_tensors range list_files".split())
# Steps that read no further than what is taken from them.
_STRAIGHT = frozenset("map batch padded_batch prefetch with_options enumerate".split())


def lost_cache(site: Site, around: Around, uses: list[Use]) -> Place | None:
    """Return the in-memory cache of a dataset that is read once on each pass, so that nobody reads what it holds."""
    for use in uses:
        loops = [step.node for step in use.located.context.within_function() if step.kind == "loop"]
        if use.way is not Way.LOOP or loops != [around.loop.node]:
            continue
        for path in use.paths():
            calls = [step.call for step in path]
            after = path[calls.index(site.node) :] if site.node in calls else ()
            for number, step in enumerate(after):
                is_empty = isinstance(step.call, ast.Call) and not (step.call.args or step.call.keywords)
                if step.short == "cache" and is_empty and _does_work(after[:number]):
                    return step.scope.module.source.place(step.call, "the cache")
    return None


def _does_work(steps: tuple[Step, ...]) -> bool:
    """Tell whether some step reads files or runs a function: what a cache saves."""
    return any(
        step.short in ("map", "interleave", "flat_map") or "reads-file" in lookup(step.name).effects
        for step in steps
    )


def endless(path: Path, site: Site) -> Step | None:
    """Return the step of a path that repeats its elements without end, None if there is none or a `take` ends it."""
    found = None
    for step in path:
        if step.short == "take":
            found = None
        elif step.short == "repeat" and step.inputs and isinstance(step.call, ast.Call):
            count = argument(step.call, "count", 0)
            value = (
                site.project.inference.one(count, step.scope, step.frame)
                if count is not None
                else Const(None)
            )
            found = step if isinstance(value, Const) and value.value in (None, -1) else found
    return found


def is_source_only(path: Path) -> bool:
    """Tell whether a path only gives what is in memory, or the names of files, as it is."""
    if not path or path[0].short not in _AS_IT_IS:
        return False
    methods = [dataset_method(step.short) for step in path[1:]]
    return all(method is not None and (method.order_neutral or method.batches) for method in methods)


def varying(path: Path, site: Site) -> Step | None:
    """Return a step of a path that gives something else in each epoch: a shuffle, or a map that draws random numbers."""
    for step in path:
        if step.short == "map" and isinstance(step.call, ast.Call):
            function = argument(step.call, "map_func", 0)
            mapped = site.project.mapped.of(function, step.scope) if function is not None else ()
            if any(m.with_effect(frozenset({"random"})) for m in mapped):
                return step
        elif step.short == "shuffle" and step.inputs:
            return step
    return None


def steps_after(site: Site) -> list[Step]:
    """Return the steps that the data of a site goes through, as far as it is used or transformed."""
    found = pipeline.later_steps(site)
    for use in site.project.consumers.of(site.located):
        for path in use.paths():
            calls = [step.call for step in path]
            if site.node in calls:
                found += [step for step in path[calls.index(site.node) + 1 :] if step not in found]
    return found


def is_heavy_and_constant(step: Step, site: Site) -> bool:
    """Tell whether a step is a map that does heavy work or reads files, and gives the same each time."""
    if step.short != "map" or not isinstance(step.call, ast.Call):
        return False
    function = argument(step.call, "map_func", 0)
    mapped = site.project.mapped.of(function, step.scope) if function is not None else ()
    return bool(mapped) and all(
        m.resolved and not m.stateful and any(_is_heavy(operation.name) for operation in m.costly)
        for m in mapped
    )


def _is_heavy(name: str) -> bool:
    known = lookup(name)
    return "heavy" in known.traits or "reads-file" in known.effects


def cache_read_in_part(site: Site) -> Step | None:
    """Return the in-memory cache that a `take` stops reading before its end, None if it may be read to its end."""
    count = site.argument("count")
    value = site.project.inference.one(count, site.scope) if count is not None else None
    if not isinstance(value, Const) or type(value.value) is not int or value.value < 0:
        return None
    if all(pipeline.is_small(step, site) for step in site.steps):
        return None
    for path in (path for known in site.steps for path in known.paths()):
        for number in range(len(path) - 2, -1, -1):
            if path[number].short == "cache":
                return None if _is_used_whole(path[number], site) else path[number]
            if path[number].short not in _STRAIGHT:
                break
    return None


def _is_used_whole(cache: Step, site: Site) -> bool:
    """Tell whether something else reads the cache too, such as the other part of a split."""
    modules = dict.fromkeys((cache.scope.module, site.module))
    return any(
        any(step.call is cache.call for step in path) and not any(step.call is site.node for step in path)
        for module in modules
        for use in site.project.consumers.uses_in(module)
        for path in use.paths()
    )


def read_again(site: Site) -> Place | None:
    """Return the place that shows that the dataset of a site is read more than once, None if nothing does."""
    for step in steps_after(site):
        if step.short == "repeat":
            return step.scope.module.source.place(step.call, "it is repeated here")
    for use in site.project.consumers.of(site.located):
        node, module = use.located.node, use.located.module
        if use.way is Way.GIVEN and isinstance(node, ast.Call) and _has_epochs(node):
            return module.source.place(node.func, "it is read in each epoch")
        for around in use.located.context.within_function() if use.way is Way.LOOP else ():
            loop = Loop(around, site.project.inference) if around.kind == "loop" else None
            if loop is not None and loop.trips is not Trips.ONCE:
                return loop.place("it is read in each pass")
    return None


def _has_epochs(call: ast.Call) -> bool:
    """Tell whether a call is a `fit` of more than one epoch."""
    epochs = next((keyword.value for keyword in call.keywords if keyword.arg == "epochs"), None)
    is_fit = isinstance(call.func, ast.Attribute) and call.func.attr == "fit"
    return is_fit and epochs is not None and not (isinstance(epochs, ast.Constant) and epochs.value == 1)
