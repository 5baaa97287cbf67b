"""Questions about switches that hold for a whole program: environment variables, options of a library."""

from __future__ import annotations

import ast

from deepperf.facts.syntax import start
from deepperf.facts.values import Const
from deepperf.rules.api import Place, Site, Spot, StoreSpot

_MAIN = "no condition stands around it"


def is_true(node: ast.expr | None) -> bool:
    """Tell whether an argument is written as `True` or `1`."""
    return isinstance(node, ast.Constant) and node.value in (True, 1)


def constant(node: ast.expr | None, site: Spot) -> object:
    """Return the constant that an expression surely is, None if it is none."""
    value = site.project.inference.one(node, site.scope) if node is not None else None
    return value.value if isinstance(value, Const) else None


def always_on(site: Spot) -> tuple[Place, ...]:
    """Return the evidence that a switch is set in every run, nothing if it may depend on something."""
    return (site.place(_MAIN),) if site.project.conditions.always(site.located) else ()


def variable_set(site: StoreSpot) -> tuple[str, str] | None:
    """Return the environment variable that an assignment sets, and its text; None if the same file sets it otherwise later."""
    found = _item(site.target, site)
    value = constant(site.value, site)
    if found is None or not isinstance(value, str):
        return None
    return None if _is_set_otherwise(found, value, site) else (found, value)


def variable_default(site: Site) -> tuple[str, str] | None:
    """Return what a call of `os.putenv` or `os.environ.setdefault` sets."""
    given = [constant(part, site) for part in site.node.args[:2]]
    if len(given) == 2 and isinstance(given[0], str) and isinstance(given[1], str):
        return given[0], given[1]
    return None


def _item(target: ast.expr, site: StoreSpot) -> str | None:
    if not isinstance(target, ast.Subscript):
        return None
    name = constant(target.slice, site)
    is_environment = site.project.inference.api(target.value, site.scope) == "os.environ"
    return name if is_environment and isinstance(name, str) else None


def _is_set_otherwise(name: str, value: str, site: StoreSpot) -> bool:
    for other in site.module.index.stores.get("environ", ()):
        spot = StoreSpot(other, site.project)
        if other is not site.located and _item(spot.target, spot) == name:
            is_later = other.scope is not site.scope or start(other.node) > start(site.node)
            if is_later and constant(spot.value, spot) != value:
                return True
    return any(
        found.method_name == "pop" and any(constant(part, site) == name for part in found.node.args[:1])
        for found in site.module.index.calls
    )
