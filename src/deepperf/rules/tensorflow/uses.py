"""Whether the elements of a pipeline are used in another way than in batches."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.module import Module
from deepperf.facts.scopes import CallSite, Scope
from deepperf.facts.values import Pipeline
from deepperf.knowledge import dataset_method
from deepperf.rules.api import Site
from deepperf.rules.tensorflow import pipeline

_BATCHING = frozenset({"batch", "apply"})
_MAPS = frozenset({"map", "map_with_legacy_function"})
# Calls that only look at a dataset, not at its elements.
_LOOKING = frozenset(
    f"builtins.{name}" for name in "print len type isinstance repr str id bool hasattr".split()
) | {"tensorflow.data.experimental.cardinality"}
_LOOKING_METHODS = frozenset({"cardinality", "options"})


def are_used_singly(site: Site) -> bool:
    """Tell whether elements of a site are also used one at a time, or by something that cannot be followed."""
    return any(_uses(module, site) for module in pipeline.modules_after(site))


def _uses(module: Module, site: Site) -> bool:
    return (
        any(_reaches(loop.node, loop.scope, site) for loop in module.index.loops)
        or any(_call_uses(call, site) for call in module.index.calls)
        or any(
            _ways(module.flow(f.scope).returns, f.scope, site) == {True, False}
            for f in module.index.functions
        )
    )


def _call_uses(call: CallSite, site: Site) -> bool:
    """Tell whether a call takes single elements of the site, by its receiver or an argument."""
    function = call.node.func
    if (
        isinstance(function, ast.Attribute)
        and not _passes_on(call, site)
        and _reaches(function.value, call.scope, site)
    ):
        return True
    given = [*call.node.args, *(keyword.value for keyword in call.node.keywords)]
    if not any(_reaches(part, call.scope, site) for argument in given for part in _parts(argument)):
        return False
    api = site.project.inference.api(function, call.scope)
    return api not in _LOOKING and not site.project.calls.targets(call.node, call.scope)


def _passes_on(call: CallSite, site: Site) -> bool:
    """Tell whether a method takes a dataset as it is: it batches, maps what could be batched, or looks at no element."""
    name = call.method_name or ""
    if name in _MAPS:
        return call.node is site.node or pipeline.maps_batches(call.node, call.scope, site) is not None
    known = dataset_method(name)
    return name in _BATCHING | _LOOKING_METHODS or (known is not None and known.order_neutral)


def _reaches(node: ast.expr, scope: Scope, site: Site) -> bool:
    """Tell whether an expression may be a dataset of single elements of the site."""
    return False in _ways([node], scope, site)


def _ways(nodes: list[ast.expr], scope: Scope, site: Site) -> set[bool]:
    """Return, for each way from the site to the datasets that some expressions are, whether it goes through a batch."""
    return {
        any(step.short == "batch" for step in path[place + 1 :])
        for node in nodes
        for part in _parts(node)
        for value in site.project.inference.values(part, scope)
        if isinstance(value, Pipeline)
        for path in value.step.paths()
        for place, step in enumerate(path)
        if step.call is site.node
    }


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """Yield the parts of a tuple or list, or the expression itself where it can be a dataset."""
    if isinstance(node, ast.Tuple | ast.List):
        for element in node.elts:
            yield from _parts(element)
    elif isinstance(node, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.IfExp | ast.Starred):
        yield node
