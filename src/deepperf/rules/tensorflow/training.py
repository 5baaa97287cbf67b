"""Whether a use of a dataset trains a model, and whether it may add steps to the pipeline."""

from __future__ import annotations

import ast

from deepperf.facts.loops import Loop, LoopKind
from deepperf.facts.project.consumers import Use, Way
from deepperf.facts.project.regions import Mode
from deepperf.facts.scopes import LoopSite
from deepperf.facts.syntax import argument
from deepperf.rules.api import Site
from deepperf.rules.tensorflow import pipeline

_FITS = frozenset({"fit", "fit_generator"})
_STEPS = frozenset({"minimize", "apply_gradients"})
_READS = frozenset({"evaluate", "predict"})


def trains(use: Use, made: ast.expr, site: Site) -> bool:
    """Tell whether a use of the dataset that the call `made` gives is the training of a model, for sure."""
    node = use.located.node
    if use.way is Way.GIVEN:
        return _is_fitted(node, made, use, site)
    if use.way is Way.RETURNED:
        function = use.located.function
        return function is not None and function.name.endswith("input_fn")
    if use.way is Way.ITERATOR:
        region = site.project.regions.of(use.located.context)
        modules = (use.located.module, *pipeline.modules_after(site))
        takes_steps = any(call.method_name in _STEPS for module in modules for call in module.index.calls)
        return takes_steps and region is not None and region.mode is Mode.GRAPH
    return use.way is Way.LOOP and isinstance(use.located, LoopSite) and _takes_steps(use.located, site)


def _is_fitted(node: ast.expr, made: ast.expr, use: Use, site: Site) -> bool:
    """Tell whether a call is a `fit` that gets the dataset as its training data."""
    if (
        not isinstance(node, ast.Call)
        or not isinstance(node.func, ast.Attribute)
        or node.func.attr not in _FITS
    ):
        return False
    data = argument(node, "x", 0) or argument(node, "generator", 0)
    if data is None:
        return False
    steps = site.project.consumers.steps(data, use.located.scope)
    return any(step.call is made for last in steps for path in last.paths() for step in path)


def _takes_steps(located: LoopSite, site: Site) -> bool:
    """Tell whether a loop over a dataset takes a step for each batch: it trains, or is run again in each epoch."""
    loop = Loop(located.body, site.project.inference)
    if loop.is_comprehension:
        return False
    for step in located.context.within_function():
        if step.kind == "loop" and Loop(step, site.project.inference).kind is LoopKind.EPOCHS:
            return True
    return site.project.passes.takes_steps(loop)


def may_add_steps(use: Use, site: Site) -> bool:
    """Tell whether a use gives the dataset to something that cannot be followed, and that may add steps to it."""
    node = use.located.node
    if use.way is not Way.GIVEN or not isinstance(node, ast.Call):
        return False
    if isinstance(node.func, ast.Attribute) and node.func.attr in _FITS | _READS:
        return False
    return not site.project.calls.targets(node, use.located.scope)
