"""Whether a name stands for the same object on each pass of a loop, though what the object holds may change."""

from __future__ import annotations

import ast
from abc import abstractmethod

from deepperf.facts.definitions import Definition
from deepperf.facts.loops import Loop
from deepperf.facts.project.changes import Change
from deepperf.facts.project.keeping import Entry, Keeping
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import inside
from deepperf.facts.values import Api
from deepperf.model import Place


class Rebinding(Keeping):
    """Answers about the names in one expression, for one loop and the calls that lead to the expression.

    `because` gathers the places where names are set that keep their value, `_root` is the expression asked about.
    """

    def __init__(self, loop: Loop, chain: tuple[Entry, ...], change: Change, root: ast.expr) -> None:
        super().__init__(loop.scope.module.project, chain, change)
        self.loop = loop
        self.because: list[Place] = []
        self._root = root

    @abstractmethod
    def _holds(self, node: ast.AST, scope: Scope, level: int) -> bool:
        """Tell whether an expression keeps its value."""

    def _same_object(self, node: ast.expr, scope: Scope, level: int) -> bool:
        """Tell whether an expression is the same object on each pass, though what it holds may change."""
        if not isinstance(node, ast.Name):
            return self._holds(node, scope, level)
        definitions = scope.module.definitions(node, scope)
        if not definitions:
            values = self.project.inference.values(node, scope)
            return all(isinstance(value, Api) for value in values)
        if len(definitions) == 1:
            return self._definition(definitions[0], node, scope, level)
        return not any(self._varies(definition, level) for definition in definitions)

    def _varies(self, definition: Definition, level: int) -> bool:
        """Tell whether a definition may take place again while the loop runs, or at an unknown time."""
        if definition.kind in ("declared", "delete"):
            return True
        if definition.kind in ("import", "function", "class"):
            return definition.kind == "function" and self._runs_each_pass(definition, level)
        if definition.kind == "parameter":
            return self._level_of(definition.scope, level) > 0
        return self._runs_each_pass(definition, level)

    def _runs_each_pass(self, definition: Definition, level: int) -> bool:
        if definition.scope is self.loop.scope:
            if definition.kind == "for":
                return definition.statement is self.loop.node or self.loop.runs(definition.node)
            if definition.kind == "comprehension":
                return definition.node is self.loop.node or self.loop.runs(definition.node)
            return self.loop.runs(definition.node)
        return self._level_of(definition.scope, level) > 0

    def _level_of(self, scope: Scope, level: int) -> int:
        """Return how many calls below the loop a scope runs; 0 for the loop's own scope and those around it."""
        for depth in range(level, 0, -1):
            if self.chain[depth - 1].function.scope is scope:
                return depth
        return 0

    def _definition(self, definition: Definition, node: ast.Name, scope: Scope, level: int) -> bool:
        if definition.kind == "parameter":
            return self._parameter(definition, level)
        if definition.kind in ("lambda", "comprehension") and self._within_question(definition):
            return True
        if not self._varies(definition, level):
            if definition.value is not None and self._gives_iterator(definition.value, definition.scope):
                return False
            if definition.kind not in ("import", "function", "class"):
                self.because.append(
                    definition.scope.module.source.place(definition.node, f"{node.id} is set here")
                )
            return True
        if definition.kind == "assign" and not definition.path and definition.value is not None:
            own = self._level_of(definition.scope, level)
            return self._holds(definition.value, definition.scope, own)
        return definition.kind == "function" and self._is_stable_function(definition)

    def _gives_iterator(self, node: ast.expr, scope: Scope) -> bool:
        """Tell whether an expression makes an iterator: each use takes something out of it."""
        if isinstance(node, ast.GeneratorExp):
            return True
        if not isinstance(node, ast.Call):
            return False
        name = self.project.inference.api(node.func, scope) or ""
        return name.startswith("itertools.") or name in _ITERATORS

    def _within_question(self, definition: Definition) -> bool:
        return inside(definition.node, self._root)

    def _is_stable_function(self, definition: Definition) -> bool:
        """A function that is defined anew on each pass does the same each time if it depends on nothing but its arguments."""
        owner = definition.scope.module.index.by_node.get(definition.node)
        return isinstance(owner, Function) and self.project.purity.is_pure(owner)

    def _parameter(self, definition: Definition, level: int) -> bool:
        depth = self._level_of(definition.scope, level)
        if depth == 0:
            return True
        entry = self.chain[depth - 1]
        name = definition.name
        caller = entry.call.scope
        if entry.bound and name == entry.function.self_name:
            callee = entry.call.node.func
            return not isinstance(callee, ast.Attribute) or self._same_object(callee.value, caller, depth - 1)
        passed = self.project.calls.argument_for(entry.function, name, entry.call.node, bound=entry.bound)
        if passed is not None:
            return self._holds(passed, caller, depth - 1) and self._is_passed_on(definition, entry.function)
        default = entry.function.default(name)
        return isinstance(default, ast.Constant) and self.project.calls.passes_everything_visibly(
            entry.call.node
        )

    def _is_passed_on(self, parameter: Definition, function: Function) -> bool:
        """Tell whether a function that calls itself passes a parameter on as it is."""
        for caller in self.project.calls.callers(function).sites:
            if caller.call.function is function:
                passed = self.project.calls.argument_for(
                    function, parameter.name, caller.call.node, bound=caller.bound
                )
                if passed is None or function.module.definitions(passed, function.scope) != (parameter,):
                    return False
        return True


_ITERATORS = frozenset(f"builtins.{name}" for name in "zip map filter iter enumerate reversed open".split())
