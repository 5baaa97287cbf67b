"""Which checks want to see which calls of a module."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from deepperf.facts.module import Module
from deepperf.facts.project import Project
from deepperf.facts.scopes import CallSite, FunctionSite
from deepperf.facts.site import FunctionSpot, LoopSpot, Operator, Site, Spot, StoreSpot
from deepperf.facts.values import ClassRef, Made, Pipeline, Value
from deepperf.knowledge import lookup
from deepperf.model import Finding
from deepperf.rules.rule import Rule


class Check(NamedTuple):
    """A check method of a rule."""

    code: str
    run: Callable[[Any], Iterator[Finding]]


class Dispatcher:
    """Finds the checks for each call of a module, with the cheap tests first.

    Most calls are left out by their spelling alone: only what is left is resolved. `yields_to` says for each
    rule which others speak instead of it.
    """

    def __init__(self, rules: Iterable[type[Rule]]) -> None:
        self._by_name: dict[str, list[Check]] = {}
        self._by_effect: dict[str, list[Check]] = {}
        self._by_method: dict[str, list[tuple[str, Check]]] = {}
        self._by_operator: list[tuple[str, Check]] = []
        self._by_base: list[tuple[str, Check]] = []
        self._by_store: dict[str, list[Check]] = {}
        self._for_loops: list[Check] = []
        self._for_functions: list[Check] = []
        self.yields_to: dict[str, tuple[str, ...]] = {}
        for rule in rules:
            self.yields_to[rule.code] = rule.yields_to
            self._add(rule)
        self._last_names = frozenset(name.rpartition(".")[2] for name in self._by_name)

    def _add(self, kind: type[Rule]) -> None:
        rule = kind()
        for interest, method in kind.checks():
            check = Check(kind.code, getattr(rule, method))
            if interest.kind == "method":
                for name in interest.names:
                    self._by_method.setdefault(name, []).append((interest.on or "", check))
                continue
            if interest.kind in ("operator", "instance"):
                wanted = self._by_operator if interest.kind == "operator" else self._by_base
                wanted.append((interest.on or "", check))
                continue
            if interest.kind in ("loop", "function"):
                (self._for_loops if interest.kind == "loop" else self._for_functions).append(check)
                continue
            if interest.kind == "store":
                for name in interest.names:
                    self._by_store.setdefault(name, []).append(check)
                continue
            for name in interest.names:
                self._by_name.setdefault(name, []).append(check)
            if interest.effect is not None:
                self._by_effect.setdefault(interest.effect, []).append(check)

    def sites(self, module: Module, project: Project) -> Iterator[tuple[Spot, list[Check]]]:
        """Yield the places of `module` that some check wants to see, with those checks."""
        own_classes = {cls.name for cls in module.index.classes}
        for call in module.index.calls:
            is_api = self._may_be_api(call, module)
            may_make = bool(self._by_base) and (is_api or getattr(call.node.func, "id", "") in own_classes)
            if not is_api and not may_make and call.method_name not in self._by_method:
                continue
            name = project.inference.api(call.node.func, call.scope) if is_api else None
            checks = self._for_method(call, project) if name is None else self._for_api(name)
            if name is None and may_make and not checks:
                checks = self._for_class(call, project)
            if checks:
                yield Site(call, project, name), checks

        if self._by_operator:
            yield from self._operators(module, project)
        for name, checks in self._by_store.items():
            for store in module.index.stores.get(name, ()):
                yield StoreSpot(store, project), checks
        if self._for_loops:
            for loop in module.index.loops:
                yield LoopSpot(loop, project), self._for_loops
        if self._for_functions:
            for defined in module.index.functions:
                yield FunctionSpot(FunctionSite(defined), project), self._for_functions

    def _operators(self, module: Module, project: Project) -> Iterator[tuple[Spot, list[Check]]]:
        """Only a function that calls some API can be expected to hold values of a framework."""
        scopes = {call.scope for call in module.index.calls if self._may_be_api(call, module)}
        for found in module.index.operators:
            if found.scope not in scopes:
                continue
            values = project.inference.values(found.node, found.scope)
            checks = [
                c for kind, c in self._by_operator if any(_is_kind(value, kind, project) for value in values)
            ]
            if checks:
                yield Operator(found, project), checks

    def _may_be_api(self, call: CallSite, module: Module) -> bool:
        """Tell by the spelling of the callee whether it can be an API that matters."""
        root = call.node.func
        last = call.method_name
        while isinstance(root, ast.Attribute):
            root = root.value
        if not isinstance(root, ast.Name):
            return False
        index = module.index
        if root.id in index.imported or (last or root.id) in self._last_names:
            return True
        return bool(index.star_imports) and call.scope.holder(root.id) is None

    def _for_api(self, name: str) -> list[Check]:
        last = name.rpartition(".")[2]
        checks = [*self._by_name.get(name, ()), *self._by_name.get(f"*.{last}", ())]
        if self._by_effect:
            for effect in sorted(lookup(name).effects & self._by_effect.keys()):
                checks += self._by_effect[effect]
        return list(dict.fromkeys(checks))

    def _for_method(self, call: CallSite, project: Project) -> list[Check]:
        wanted = self._by_method.get(call.method_name or "")
        if not wanted or not isinstance(call.node.func, ast.Attribute):
            return []
        values = project.inference.values(call.node.func.value, call.scope)
        return [check for kind, check in wanted if any(_is_kind(value, kind, project) for value in values)]

    def _for_class(self, call: CallSite, project: Project) -> list[Check]:
        if project.inference.is_function(call.node.func, call.scope):
            return []
        bases = {
            base
            for value in project.inference.values(call.node.func, call.scope)
            if isinstance(value, ClassRef)
            for base in project.classes.order(value.cls)
        }
        return list(dict.fromkeys(check for base, check in self._by_base if base in bases))


def _is_kind(value: Value, kind: str, project: Project) -> bool:
    if kind == "dataset":
        return isinstance(value, Pipeline)
    if kind == "keras-model":
        return project.models.is_model(value)
    return isinstance(value, Made) and value.kind == kind
