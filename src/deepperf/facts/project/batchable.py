"""Does a function of one dataset element give the same on a whole batch?

The function is run on symbols: an element's tensor, one feature of it, a constant. Every step must be one that is known
to act on a stacked batch as it acts on each element; anything else means "no".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.project.batch_expressions import Expressions
from deepperf.facts.project.symbols import (
    Batchable,
    Element,
    Env,
    Fixed,
    NotBatchable,
    Structure,
    Symbol,
    check_result,
    origins,
    replaced,
)
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.values import Api, Func, LambdaRef, Value
from deepperf.knowledge import lookup

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 4
# Decorators that leave a function what it is. A `tf.function` with arguments may have a signature for one element.
_TRANSPARENT = frozenset(
    {"tensorflow.function", "tensorflow.autograph.experimental.do_not_convert", "builtins.staticmethod"}
)


class Batchability:
    """Answers whether functions work on batches."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def of(self, node: ast.expr, scope: Scope) -> Batchable | None:
        """Return the proof that the function `node` stands for works on a batch, None if there is none."""
        values = self.project.inference.values(node, scope)
        if len(values) != 1:
            return None
        run = _Run(self.project)
        try:
            run.mapped(values[0], node, scope)
        except NotBatchable:
            return None
        return run.proof


class _Run(Expressions):
    """One run of a function on symbols."""

    def __init__(self, project: Project) -> None:
        super().__init__(project)
        self._depth = 0

    def mapped(self, value: Value, node: ast.expr, scope: Scope) -> None:
        """Run the function that is given to `map`."""
        if isinstance(value, Api):
            return self._api_alone(value.name, node, scope)
        if isinstance(value, LambdaRef):
            local = self._lambda_parameters(value.node)
            result = self.evaluate(value.node.body, Env(value.scope, dict(local)))
        else:
            targets = self.project.calls.entered(value)
            if len(targets) != 1 or targets[0].function.name == "__init__":
                raise NotBatchable("a function that cannot be followed")
            local = self._parameters(targets[0], None)
            result = self._body(targets[0].function, dict(local))
        check_result(result)
        coming = {symbol.origin for symbol in local.values() if isinstance(symbol, Element)}
        coming.update(self.taken, replaced(result))
        self.proof.evens |= not coming <= self.whole.union(origins(result))
        return None

    def _api_alone(self, name: str, node: ast.expr, scope: Scope) -> None:
        if "elementwise" not in lookup(name).traits or "axis" in lookup(name).traits:
            raise NotBatchable(name)
        self.proof.operations.append((name, scope.module.source.place(node)))

    @staticmethod
    def _lambda_parameters(node: ast.Lambda) -> dict[str, Symbol]:
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise NotBatchable("variable arguments")
        names = [parameter.arg for parameter in arguments.args]
        free = len(names) - len(arguments.defaults)
        local: dict[str, Symbol] = {name: Element(name) for name in names[:free]}
        local.update({name: Fixed(False) for name in names[free:]})
        return local

    def called(self, value: Func, node: ast.Call, env: Env) -> Symbol:
        """Return what a call of a project function gives."""
        names = self._free_names(value)
        if len(node.args) > len(names) or any(isinstance(part, ast.Starred) for part in node.args):
            raise NotBatchable("a call that cannot be followed")
        passed = {name: self.evaluate(part, env) for name, part in zip(names, node.args, strict=False)}
        for keyword in node.keywords:
            if keyword.arg is None:
                raise NotBatchable("a call that cannot be followed")
            passed[keyword.arg] = self.evaluate(keyword.value, env)
        if self._depth >= _DEPTH:
            raise NotBatchable("a function that cannot be followed")
        self._depth += 1
        result = self._body(value.function, self._parameters(value, passed))
        self._depth -= 1
        return result

    @staticmethod
    def _free_names(value: Func) -> list[str]:
        """Return the parameters that a call passes by position: all but `self`."""
        names = [parameter.arg for parameter in value.function.positional]
        is_bound = value.function.self_name is not None and value.bound is not None
        return names[1:] if is_bound else names

    def _parameters(self, value: Func, passed: dict[str, Symbol] | None) -> dict[str, Symbol]:
        """Return the symbols of the parameters: what a call passes, or the parts of an element where `map` calls."""
        function = value.function
        arguments = function.node.args
        if arguments.vararg or arguments.kwarg:
            raise NotBatchable("variable arguments")
        local: dict[str, Symbol] = {parameter.arg: Fixed(False) for parameter in function.parameters}
        names = self._free_names(value)
        if passed is None:
            free = len(names) - len(arguments.defaults)
            local.update({name: Element(name) for name in names[:free]})
            defaulted = [parameter.arg for parameter in arguments.kwonlyargs]
        else:
            local.update(passed)
            defaulted = [name for name in local if name not in passed]
        for name in defaulted:
            default = function.default(name)
            local[name] = Fixed(scalar=default is not None and _is_number(default))
        local.update(self._given(value))
        return local

    @staticmethod
    def _given(value: Func) -> dict[str, Symbol]:
        """A `partial` sets parameters: by name, so that those left come from the element."""
        call = value.given
        if call is None:
            return {}
        if len(call.args) != 1 or any(keyword.arg is None for keyword in call.keywords):
            raise NotBatchable("a partial with positional arguments")
        return {str(keyword.arg): Fixed(scalar=_is_number(keyword.value)) for keyword in call.keywords}

    def _body(self, function: Function, local: dict[str, Symbol]) -> Symbol:
        for decorator in function.node.decorator_list:
            if self.project.inference.api(decorator, function.context.scope) not in _TRANSPARENT:
                raise NotBatchable("a decorated function")
        if isinstance(function.node, ast.AsyncFunctionDef):
            raise NotBatchable("a function that cannot be followed")
        env = Env(function.scope, local)
        for statement in function.node.body:
            result = self._statement(statement, env)
            if result is not None:
                return result
        raise NotBatchable("no return")

    def _statement(self, statement: ast.stmt, env: Env) -> Symbol | None:
        if isinstance(statement, ast.Return) and statement.value is not None:
            return self.evaluate(statement.value, env)
        if isinstance(statement, ast.Assign):
            value = self.evaluate(statement.value, env)
            for target in statement.targets:
                self._bind(target, value, env)
            return None
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            self._bind(statement.target, self.evaluate(statement.value, env), env)
            return None
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            left = env.local.get(statement.target.id, Fixed(False))
            right = self.evaluate(statement.value, env)
            env.local[statement.target.id] = self.combine([left, right], "operator", statement, env)
            return None
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return None
        raise NotBatchable(type(statement).__name__)

    def _bind(self, target: ast.expr, value: Symbol, env: Env) -> None:
        if isinstance(target, ast.Name):
            env.local[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for place, element in enumerate(target.elts):
                self._bind(element, self.item(value, place), env)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            self._store_item(target.value.id, target.slice, value, env)
        else:
            raise NotBatchable("a change of something outside")

    @staticmethod
    def _store_item(name: str, key: ast.expr, value: Symbol, env: Env) -> None:
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            raise NotBatchable("an item assignment")
        held = env.local.get(name)
        if not isinstance(held, Structure | Element):
            raise NotBatchable("a change of something outside")
        parts = held.parts if isinstance(held, Structure) else (("*", held),)
        kept = tuple(part for part in parts if part[0] != key.value)
        env.local[name] = Structure((*kept, (key.value, value)))


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)
