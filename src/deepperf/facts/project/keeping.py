"""Whether what a loop does leaves the objects alone that an expression in it reads."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.builtin import is_immutable
from deepperf.facts.project.changes import Change
from deepperf.facts.scopes import CallSite, Function, Scope
from deepperf.facts.syntax import dotted_name, walk_own
from deepperf.facts.values import UNKNOWN, Made, Values
from deepperf.model import Confidence

if TYPE_CHECKING:
    from deepperf.facts.project import Project

# Kinds of values that a step of training changes.
_TRAINED = frozenset({"variable", "model", "layer", "module", "list", "tensor"})


class Entry(NamedTuple):
    """A call on the way from a loop to a function that runs in it; `certain` as in `Caller`."""

    call: CallSite
    function: Function
    bound: bool
    certain: bool = True


class Keeping:
    """Answers for one loop and the calls that lead to a place; `confidence` sinks with every doubt."""

    def __init__(self, project: Project, chain: tuple[Entry, ...], change: Change) -> None:
        self.project = project
        self.chain = chain
        self.change = change
        self.confidence = Confidence.HIGH if all(entry.certain for entry in chain) else Confidence.MEDIUM

    def _unchanged(self, path: str, node: ast.expr, scope: Scope, level: int) -> bool:
        """Tell whether the loop leaves the object at a path alone: it cannot be changed in place, or nothing does."""
        values = self.project.inference.values(node, scope)
        if all(is_immutable(value) for value in values):
            return True
        if self._is_trained(values):
            return False
        names = self.project.effects.aliases.of(path, scope)
        if level == 0:
            return self._left_alone(self.change, names)
        function = self.chain[level - 1].function
        holder = scope.holder(node.id) if isinstance(node, ast.Name) else scope
        if holder is not function.scope and not self._left_alone(self.change, names):
            return False
        return self._left_alone(self.project.effects.of_nodes(walk_own(function.node), scope), names)

    def _is_trained(self, values: Values) -> bool:
        """Tell whether a loop that trains surely changes a value; where it is unknown what the value is, doubt is left."""
        if not self.change.trains:
            return False
        if any(isinstance(value, Made) and value.kind in _TRAINED for value in values):
            return True
        if UNKNOWN in values:
            self.confidence = Confidence.LOW
        return False

    def _left_alone(self, change: Change, names: frozenset[str]) -> bool:
        """Tell whether a change leaves an object alone under all its names; a call that hides what it does leaves doubt."""
        if any(change.touches(name) for name in names):
            return False
        if change.vague or any(change.suspects_path(name) for name in names):
            self.confidence = Confidence.LOW
        return True

    def _unchanged_attribute(self, path: str, scope: Scope, level: int) -> bool:
        """An attribute may be rebound by anyone who can reach its object, so what the loop does to the object counts."""
        names = self.project.effects.aliases.of(path, scope)
        if not self._left_alone(self.change, names):
            return False
        if level == 0:
            return True
        root, _, rest = path.partition(".")
        entry = self.chain[level - 1]
        outer = self._outer_path(root, entry)
        if not self._left_alone(self.project.effects.of_function(entry.function), names):
            return False
        return outer is None or self._unchanged_attribute(f"{outer}.{rest}", entry.call.scope, level - 1)

    def _outer_path(self, root: str, entry: Entry) -> str | None:
        if entry.bound and root == entry.function.self_name:
            callee = entry.call.node.func
            return dotted_name(callee.value) if isinstance(callee, ast.Attribute) else None
        passed = self.project.calls.argument_for(entry.function, root, entry.call.node, bound=entry.bound)
        return dotted_name(passed) if passed is not None else None
