"""Questions about ops created in loops that TF101 and TF104 both ask."""

from __future__ import annotations

import ast

from deepperf.facts.guards import Guard
from deepperf.facts.loops import Loop, Trips
from deepperf.facts.project.hotness import Around
from deepperf.facts.scopes import Context
from deepperf.facts.syntax import walk, walk_own
from deepperf.facts.values import Api, Const, Made, Plain, Value
from deepperf.knowledge import lookup
from deepperf.rules.api import Place, Spot

_ONE_TIME = {Guard.FIRST_PASS, Guard.CHANGED, Guard.HANDLER, Guard.SWITCH}
_RESETS = frozenset({"tensorflow.reset_default_graph", "keras.backend.clear_session", "tensorflow.Graph"})
# What only holds other code or names, or makes an object that is no op: never worth a finding of its own.
_INITIAL_VALUES = (
    "Variable",
    "get_variable",
    "get_local_variable",
    "TensorArray",
    "add_weight",
    "assign",
    "initializer",
)


def creates_node(node: ast.AST, site: Spot) -> bool:
    """Tell whether an expression adds a node to the graph: a call of such an API, or arithmetic on a tensor."""
    infer = site.project.inference
    if isinstance(node, ast.BinOp):
        left = infer.values(node.left, site.scope)
        if any(isinstance(value, Const | Plain) and not _is_number(value) for value in left):
            return False
        return any(_is_tensorflow(value) for value in infer.values(node, site.scope))
    if not isinstance(node, ast.Call):
        return False
    values = infer.values(node.func, site.scope)
    names = [value.name if isinstance(value, Api) else getattr(value, "api", "") for value in values]
    return bool(names) and all("node" in lookup(name).effects for name in names)


def _is_number(value: Const | Plain) -> bool:
    return isinstance(value.value, int | float) if isinstance(value, Const) else value.kind == "number"


def _is_tensorflow(value: Value) -> bool:
    is_tensor = isinstance(value, Made) and value.kind in ("tensor", "variable")
    return is_tensor and value.api.startswith(("tensorflow", "keras"))  # type: ignore[attr-defined]


def is_part_of_another(site: Spot) -> bool:
    """Tell whether the call is an operand of a larger call that creates nodes too, in the same statement."""
    parents = site.module.parents(site.located.statement)
    node: ast.AST | None = parents.get(site.node)
    while node is not None and not isinstance(node, ast.stmt | ast.Lambda | ast.comprehension):
        if creates_node(node, site):
            return True
        node = parents.get(node)
    return False


def is_guarded(site: Spot, around: Around) -> bool:
    """Tell whether a guard keeps the site from running on each pass of a loop around it."""
    return any(guard in _ONE_TIME for guard in site.project.hotness.guards(around, site.located))


def runs_only_once(site: Spot, around: Around) -> bool:
    """Tell whether a loop around the site does not repeat it: few passes, a guard, or no second pass at all."""
    return around.loop.trips in (Trips.ONCE, Trips.FEW) or is_guarded(site, around)


def has_fresh_graph(site: Spot, around: Around) -> bool:
    """Tell whether each pass of the loop gets a graph of its own, so that nodes do not pile up."""
    regions = site.project.regions
    contexts = [site.located.context, *(entry.call.context for entry in around.chain)]
    for context in contexts:
        for step in context:
            if step.node is around.loop.node:
                break
            if regions.opens_fresh_graph(step) or _is_made_on_the_way(
                regions.opens_some_graph(step), step, around
            ):
                return True
    bodies = [_body(around.loop), *(list(walk_own(entry.function.node)) for entry in around.chain)]
    scopes = [around.loop.scope, *(entry.function.scope for entry in around.chain)]
    return any(
        isinstance(node, ast.Call) and site.project.inference.api(node.func, scope) in _RESETS
        for body, scope in zip(bodies, scopes, strict=True)
        for node in body
    )


def _is_made_on_the_way(graph: str | None, step: Context, around: Around) -> bool:
    """Tell whether a graph that is opened between a loop and a site may be made anew on each pass.

    It surely is not if it has a name that is set outside the loop, and no object is made between the loop and the site.
    """
    if graph is None:
        return False
    root = graph.partition(".")[0]
    if not graph or any(entry.function.name == "__init__" for entry in around.chain):
        return True
    own = [d for d in step.scope.module.flow(step.scope).definitions.get(root, ()) if d.kind != "parameter"]
    if step.scope is not around.loop.scope:
        return bool(own)
    if any(around.loop.runs(definition.node) for definition in own):
        return True
    return around.loop.scope.module.project.invariance.changes(around.loop).touches(graph)


def _body(loop: Loop) -> list[ast.AST]:
    if isinstance(loop.node, ast.comprehension):
        return []
    return [node for statement in loop.node.body for node in walk(statement)]


def is_initial_value(site: Spot) -> bool:
    """Tell whether the result becomes the first value of a variable or buffer: each pass then needs its own."""
    parents = site.module.parents(site.located.statement)
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


def is_bound_to_place(site: Spot, around: Around) -> bool:
    """Tell whether a `with` between the loop and the site means something for the op: its order, its gradient."""
    for step in site.located.context:
        if step.node is around.loop.node:
            return False
        if step.kind == "with" and any(
            word in ast.unparse(item.context_expr)
            for item in step.node.items  # type: ignore[attr-defined]
            for word in ("control_dependencies", "GradientTape")
        ):
            return True
    return False


def is_conditional(site: Spot) -> bool:
    """Tell whether the op is one arm of an expression, or a message of an assertion: not created on each pass."""
    parents = site.module.parents(site.located.statement)
    node, parent = site.node, parents.get(site.node)
    while parent is not None and not isinstance(parent, ast.stmt):
        if isinstance(parent, ast.BoolOp) or (isinstance(parent, ast.IfExp) and node is not parent.test):
            return True
        node, parent = parent, parents.get(parent)  # type: ignore[assignment]
    return isinstance(site.located.statement, ast.Assert) and site.located.statement.msg is node


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


def is_over_layers(around: Around) -> bool:
    """Tell whether the loop stacks the parts of a model: it has few passes, and each is large."""
    if isinstance(around.loop.node, ast.While):
        return False
    text = f"{ast.unparse(around.loop.node.target)} {ast.unparse(around.loop.node.iter)}".lower()
    return any(
        word in text for word in ("layer", "block", "stage", "level", "head", "expert", "scale", "stack")
    )
