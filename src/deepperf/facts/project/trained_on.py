"""Whether a list that a loop fills becomes the data a model is trained on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.scopes import CallSite, Scope
from deepperf.facts.syntax import arguments_of, target_names
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 2
_ARRAYS = frozenset("array asarray stack concatenate vstack convert_to_tensor constant".split())
_SLICES = "tensorflow.data.Dataset.from_tensor_slices"
_FIT_SETTINGS = frozenset("epochs batch_size validation_data validation_split callbacks nb_epoch".split())


class TrainedOn:
    """Follows lists by name to the call that trains on them."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def fit(self, name: str, scope: Scope) -> Place | None:
        """Return the call that trains on an array made of the list called `name`, None if none is found."""
        names = self._derived(self._arrays(name, scope), scope)
        return self._taken(names, scope, 0)

    def _arrays(self, name: str, scope: Scope) -> set[str]:
        """Return the names of arrays that a list is made into; the list too, where it is returned as it is."""
        made = {name}
        for statement in ast.walk(scope.node):
            if isinstance(statement, ast.Assign) and _makes_array(statement.value, name):
                made.update(found for target in statement.targets for found in target_names(target))
        return made

    def _derived(self, names: set[str], scope: Scope) -> set[str]:
        """Return the names and all that is computed from them in a scope."""
        size = 0
        while size < len(names):
            size = len(names)
            for statement in ast.walk(scope.node):
                if isinstance(statement, ast.Assign) and _mentions(statement.value, names):
                    names = names.union(*(set(target_names(target)) for target in statement.targets))
        return names

    def _taken(self, names: set[str], scope: Scope, depth: int) -> Place | None:
        for call in self.project.calls.of_scope(scope):
            given = arguments_of(call.node)
            if any(_mentions(part, names) for part in given) and self._trains(call):
                return call.module.source.place(call.node.func, "the model is trained on it here")
        function = scope.function
        returned = [part for part in scope.module.flow(scope).returns if _mentions(part, names)]
        if function is None or not returned or depth >= _DEPTH:
            return None
        for caller in self.project.calls.callers(function).sites:
            outer = caller.call
            if isinstance(outer.statement, ast.Assign) and outer.statement.value is outer.node:
                bound = {n for target in outer.statement.targets for n in target_names(target)}
                found = self._taken(self._derived(bound, outer.scope), outer.scope, depth + 1)
                if found is not None:
                    return found
        return None

    def _trains(self, call: CallSite) -> bool:
        if self.project.inference.api(call.node.func, call.scope) == _SLICES:
            return True
        if call.method_name != "fit":
            return False
        is_keras = bool(self.project.models.called(call))
        return is_keras or any(keyword.arg in _FIT_SETTINGS for keyword in call.node.keywords)


def _makes_array(node: ast.expr, name: str) -> bool:
    return any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in _ARRAYS
        and any(isinstance(part, ast.Name) and part.id == name for part in call.args)
        for call in ast.walk(node)
    )


def _mentions(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(part, ast.Name) and part.id in names for part in ast.walk(node))
