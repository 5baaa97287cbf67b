"""Questions about code around modes for debugging."""

from __future__ import annotations

import ast

from deepperf.facts.loops import Loop, Trips
from deepperf.facts.scopes import Class
from deepperf.facts.syntax import arguments_of, inside
from deepperf.facts.values import Instance
from deepperf.model import Place
from deepperf.rules.api import Site, Spot, StoreSpot

_SEEDING = frozenset(
    "seed manual_seed manual_seed_all seed_everything set_seed set_random_seed set_random_state".split()
)


def loop_place(loop: Loop) -> Place:
    """Return the place of a loop of training steps."""
    return loop.place("the loop of the training steps")


def step_loop(site: Spot) -> Loop | None:
    """Return the loop of training steps that runs a place on each of its passes."""
    hotness = site.project.hotness
    for around in hotness.around(site.located):
        is_long = around.loop.trips not in (Trips.ONCE, Trips.FEW)
        if is_long and hotness.is_step_loop(around.loop) and not hotness.guards(around, site.located):
            return around.loop
    return None


def recorded_loop(site: Site) -> Loop | None:
    """Return the loop of training steps in the `with` that a call opens, or around it; None if few steps are taken."""
    statement = site.located.statement
    if not isinstance(statement, ast.With | ast.AsyncWith):
        return None
    for found in site.module.index.loops:
        loop = Loop(found.body, site.project.inference)
        is_within = found.scope is site.scope and inside(found.statement, statement)
        if is_within and isinstance(loop.node, ast.For) and _takes_all_steps(loop, site):
            return loop
    return step_loop(site)


def _takes_all_steps(loop: Loop, site: Site) -> bool:
    leaves = any(isinstance(node, ast.Break | ast.Return) for node in ast.walk(loop.node))
    is_long = loop.trips not in (Trips.ONCE, Trips.FEW)
    return is_long and not leaves and site.project.hotness.is_step_loop(loop)


def is_seeded(site: Spot) -> bool:
    """Tell whether seeds are set beside a place: runs are meant to repeat."""
    return any(
        (found.method_name or getattr(found.node.func, "id", "")) in _SEEDING
        for found in site.project.calls.of_scope(site.scope)
    )


def is_off_beside(site: StoreSpot, name: str) -> bool:
    """Tell whether another attribute of the same object is set to False in the same scope."""
    return any(
        other.scope is site.scope
        and ast.unparse(other.node.value) == ast.unparse(site.target.value)
        and isinstance(other.value, ast.Constant)
        and other.value.value is False
        for other in site.module.index.stores.get(name, ())
    )


def needs_python(site: Spot) -> bool:
    """Tell whether a model or its losses seem to need eager mode: what they run calls NumPy, or asks tensors for arrays."""
    names = {ast.unparse(part).rpartition(".")[2] for part in _passed(site.node)}
    models = site.project.inference.values(_model(site), site.scope)
    modules = {value.cls.module for value in models if isinstance(value, Instance)} | {site.module}
    return any(
        _uses_numpy(function.node)
        for module in modules
        for function in module.index.functions
        if _is_of_keras(function.cls, site) or function.name in names
    )


def _model(site: Spot) -> ast.expr:
    node = site.node.func if isinstance(site.node, ast.Call) else site.node
    return node.value if isinstance(node, ast.Attribute) else node


def _passed(node: ast.AST) -> list[ast.expr]:
    if not isinstance(node, ast.Call):
        return []
    parts = [part for value in arguments_of(node) for part in ast.walk(value)]
    return [part for part in parts if isinstance(part, ast.Name | ast.Attribute)]


def _is_of_keras(cls: Class | None, site: Spot) -> bool:
    bases = site.project.classes.order(cls) if cls is not None else ()
    return any(isinstance(base, str) and base.startswith("keras.") for base in bases)


def _uses_numpy(root: ast.AST) -> bool:
    for node in ast.walk(root):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            owner = node.func.value
            if node.func.attr == "numpy" or (isinstance(owner, ast.Name) and owner.id in ("np", "numpy")):
                return True
    return False
