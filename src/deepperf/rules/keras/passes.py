"""Questions about loops around Keras models that several rules ask."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.guards import leaves_if_made
from deepperf.facts.loops import Loop, Trips
from deepperf.facts.project.hotness import Around
from deepperf.facts.project.regions import Mode
from deepperf.facts.scopes import Located, Scope
from deepperf.facts.syntax import argument, root_name
from deepperf.facts.values import Const
from deepperf.knowledge import method as known_method
from deepperf.rules.api import Place, Site

_FOLDS = ("fold", "split", "cv")


def repeating(site: Site) -> Iterator[Around]:
    """Yield the loops that run a call again and again, innermost first: not those of a few passes, nor behind a guard."""
    for around in site.project.hotness.around(site.located):
        is_short = around.loop.trips in (Trips.ONCE, Trips.FEW) or is_over_folds(around.loop)
        if not is_short and not site.project.hotness.guards(around, site.located):
            yield around


def is_over_folds(loop: Loop) -> bool:
    """Tell whether a loop runs over the folds of a cross-validation: there are a few of them."""
    if isinstance(loop.node, ast.While):
        return False
    header = [loop.node.target, loop.node.iter]
    names = [node.id for part in header for node in ast.walk(part) if isinstance(node, ast.Name)]
    if any(word in name.lower() for name in names for word in _FOLDS):
        return True
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "split"
        and _is_splitter(node.func.value, loop)
        for node in ast.walk(loop.node.iter)
    )


def _is_splitter(node: ast.expr, loop: Loop) -> bool:
    inference = loop.scope.module.project.inference
    made = [node] if isinstance(node, ast.Call) else []
    made += [
        d.value for d in loop.scope.module.definitions(node, loop.scope) if isinstance(d.value, ast.Call)
    ]
    return any("model_selection" in (inference.api(call.func, loop.scope) or "") for call in made)


def is_graph(site: Site) -> bool:
    """Tell whether the call surely adds to a TensorFlow 1 graph."""
    return site.region is not None and site.region.mode is Mode.GRAPH


def given(call: ast.Call, name: str) -> ast.expr | None:
    """Return what a call of a method of a model passes for a parameter, None if nothing that is seen."""
    last = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    parameters = known_method("model", last).parameters
    return argument(call, name, parameters.index(name) if name in parameters else None)


def chain_places(around: Around) -> tuple[Place, ...]:
    """Return the calls that lead from a loop to a place, outermost first."""
    return tuple(
        entry.call.module.source.place(entry.call.node, f"{entry.function.name} is called in the loop")
        for entry in around.chain
    )


def is_kept(node: ast.expr, scope: Scope, statement: ast.stmt) -> bool:
    """Tell whether what a call makes is collected: put into a list, a dict or a queue, or yielded."""
    names = {
        definition.name
        for definitions in scope.module.flow(scope).definitions.values()
        for definition in definitions
        if definition.value is node
    }
    kept = _Kept(node, names)
    return any(kept.by(other) for other in _statements(scope, statement))


def _statements(scope: Scope, statement: ast.stmt) -> Iterator[ast.AST]:
    yield from ast.walk(statement)
    yield from (node for part in getattr(scope.node, "body", []) for node in ast.walk(part))


class _Kept:
    """A made object and its names."""

    def __init__(self, node: ast.expr, names: set[str]) -> None:
        self.node = node
        self.names = names

    def is_it(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Tuple | ast.List):
            return any(self.is_it(element) for element in node.elts)
        if isinstance(node, ast.Dict):
            return any(self.is_it(value) for value in node.values)
        return node is self.node or (
            isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) in self.names
        )

    def by(self, node: ast.AST) -> bool:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _COLLECTING
        ):
            return any(self.is_it(value) for value in node.args)
        if isinstance(node, ast.Assign) and any(isinstance(target, ast.Subscript) for target in node.targets):
            return self.is_it(node.value)
        if isinstance(node, ast.Yield):
            return node.value is not None and self.is_it(node.value)
        if isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            return self.is_it(node.elt)
        return isinstance(node, ast.DictComp) and self.is_it(node.value)


_COLLECTING = frozenset("append add extend insert put appendleft setdefault submit apply_async".split())


def is_conditional(site: Site, around: Around) -> bool:
    """Tell whether a condition stands between a loop and a call of it, so that not each pass runs the call."""
    contexts = [around.context, *(entry.call.context for entry in around.chain[1:])]
    contexts += [site.located.context] if around.chain else []
    for context in contexts:
        for step in context.within_function():
            if step.node is around.loop.node:
                break
            if step.kind in ("if", "else", "except"):
                return True
    return False


def waits_for_a_person(site: Site, around: Around) -> bool:
    """Tell whether a loop asks someone at a keyboard on each pass that runs a call: nothing else matters then."""
    inference = around.loop.scope.module.project.inference
    return any(
        inference.api(found.node.func, found.scope) in ("builtins.input", "builtins.raw_input")
        and _branches(found) <= _branches(site.located)
        for found in around.loop.scope.module.project.models.calls_in(around)
    )


def is_guarded(site: Site) -> bool:
    """Tell whether a condition stands around a call in its function, or the function leaves where the thing was made before."""
    if any(step.kind in ("if", "else", "except") for step in site.located.context.within_function()):
        return True
    return site.function is not None and leaves_if_made(site.function.node.body, site.node)


def is_fixed(node: ast.expr, site: Site) -> bool:
    """Tell whether an expression has one value wherever its function is called: a constant, a name of the module."""
    names = [part for part in ast.walk(node) if isinstance(part, ast.Name)]
    own = [name for name in names if site.scope.holder(name.id) is site.scope and site.function is not None]
    return not any(isinstance(part, ast.Call) for part in ast.walk(node)) and all(
        isinstance(site.project.inference.one(name, site.scope), Const) for name in own
    )


def _branches(located: Located) -> set[tuple[str, ast.AST]]:
    return {
        (step.kind, step.node) for step in located.context.within_function() if step.kind in ("if", "else")
    }


def is_same_each_pass(node: ast.expr, loop: Loop) -> bool:
    """Tell whether a loop sets or changes nothing that an expression in it is made of: its names, and no fields."""
    if isinstance(loop.node, ast.comprehension):
        return False
    parts = list(ast.walk(node))
    calls = {part.func for part in parts if isinstance(part, ast.Call)}
    if any(
        isinstance(part, ast.Attribute) and part not in calls and not _is_import(part, loop) for part in parts
    ):
        return False
    if any(not _only_reads(callee, loop) for callee in calls):
        return False
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    roots = [*loop.node.body, *([loop.node.target] if not isinstance(loop.node, ast.While) else [])]
    stored = [
        root_name(part)
        for root in roots
        for part in ast.walk(root)
        if isinstance(part, ast.Name | ast.Attribute | ast.Subscript) and isinstance(part.ctx, ast.Store)
    ]
    own = set(parts)
    stored += [
        root_name(part.func)
        for root in roots
        for part in ast.walk(root)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute) and part not in own
    ]
    return not any(
        name is not None and name.id in names - loop.scope.module.index.imported for name in stored
    )


def _only_reads(callee: ast.expr, loop: Loop) -> bool:
    """Tell whether calling something gives the same each time: a function of a library, or a view of an array."""
    if isinstance(callee, ast.Attribute) and callee.attr in ("reshape", "astype", "copy"):
        return True
    return (
        isinstance(callee, ast.Attribute)
        and callee.attr in ("expand_dims", "array", "asarray", "reshape")
        and _is_import(callee, loop)
    )


def _is_import(node: ast.Attribute, loop: Loop) -> bool:
    root = root_name(node)
    return root is not None and root.id in loop.scope.module.index.imported
