"""Questions about ops created in loops that TF101 and TF104 both ask."""

from __future__ import annotations

import ast

from deepperf.facts.loops import Guard, Loop, Trips
from deepperf.facts.project.hotness import Around
from deepperf.facts.syntax import inside
from deepperf.facts.values import Api
from deepperf.knowledge import lookup
from deepperf.rules.api import Place, Site

_ONE_TIME = {Guard.FIRST_PASS, Guard.HANDLER, Guard.SWITCH}
_RESETS = frozenset({"tensorflow.reset_default_graph", "keras.backend.clear_session", "tensorflow.Graph"})
# What only holds other code or names, or makes an object that is no op: never worth a finding of its own.
_INITIAL_VALUES = ("Variable", "get_variable", "get_local_variable", "TensorArray", "add_weight", "assign", "initializer")


def creates_node(node: ast.AST, site: Site) -> bool:
    """Tell whether an expression is a call of an API that adds a node to the graph."""
    if not isinstance(node, ast.Call):
        return False
    values = site.project.inference.values(node.func, site.scope)
    return bool(values) and all(isinstance(v, Api) and "node" in lookup(v.name).effects for v in values)


def is_part_of_another(site: Site) -> bool:
    """Tell whether the call is an operand of a larger call that creates nodes too, in the same statement."""
    parents = site.module.parents(site.call.statement)
    node: ast.AST | None = parents.get(site.node)
    while node is not None and not isinstance(node, ast.stmt | ast.Lambda | ast.comprehension):
        if creates_node(node, site):
            return True
        node = parents.get(node)
    return False


def runs_only_once(site: Site, around: Around) -> bool:
    """Tell whether a loop around the site does not repeat it: few passes, a guard, or no second pass at all."""
    if around.loop.trips in (Trips.ONCE, Trips.FEW):
        return True
    return any(guard in _ONE_TIME for guard in site.project.hotness.guards(around, site.call))


def has_fresh_graph(site: Site, around: Around) -> bool:
    """Tell whether each pass of the loop gets a graph of its own, so that nodes do not pile up."""
    regions = site.project.regions
    contexts = [site.call.context, *(entry.call.context for entry in around.chain)]
    for context in contexts:
        for step in context:
            if step.node is around.loop.node:
                break
            if regions.opens_fresh_graph(step):
                return True
    return any(
        isinstance(node, ast.Call) and site.project.inference.api(node.func, around.loop.scope) in _RESETS
        for node in _body(around.loop)
    )


def _body(loop: Loop) -> list[ast.AST]:
    if isinstance(loop.node, ast.comprehension):
        return []
    return [node for statement in loop.node.body for node in ast.walk(statement)]


def is_initial_value(site: Site) -> bool:
    """Tell whether the result becomes the first value of a variable or buffer: each pass then needs its own."""
    parents = site.module.parents(site.call.statement)
    node: ast.AST | None = parents.get(site.node)
    while node is not None and not isinstance(node, ast.stmt):
        if isinstance(node, ast.Call):
            last = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if last.endswith(_INITIAL_VALUES):
                return True
        if isinstance(node, ast.keyword) and node.arg in ("initializer", "initial_value"):
            return True
        node = parents.get(node)
    return False


def is_for_devices(around: Around) -> bool:
    """Tell whether the loop builds the same on several devices: then each device needs its own nodes."""
    loop = around.loop
    texts = [ast.unparse(loop.node.target) if not isinstance(loop.node, ast.While) else ""]
    if not isinstance(loop.node, ast.While):
        texts.append(ast.unparse(loop.node.iter))
    if any(word in text.lower() for text in texts for word in ("gpu", "device", "tower", "replica")):
        return True
    return any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "device"
        for node in _body(loop)
    )


def chain_places(around: Around) -> tuple[Place, ...]:
    """Return the calls that lead from a loop to the site, outermost first."""
    return tuple(
        entry.call.module.source.place(entry.call.node, f"{entry.function.name} is called in the loop")
        for entry in around.chain
    )


def stands_in(node: ast.AST, loop: Loop) -> bool:
    """Tell whether a node is part of a loop's text."""
    return not isinstance(loop.node, ast.comprehension) and inside(node, loop.node)
