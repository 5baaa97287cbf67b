"""What calls give: of project functions and classes, of lambdas, of APIs, and of the methods of datasets."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.builtin import builtin_result
from deepperf.facts.pipelines import Step
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.values import (
    UNKNOWN,
    Api,
    ClassRef,
    Frame,
    Func,
    Instance,
    LambdaRef,
    Made,
    Pipeline,
    Plain,
    Value,
    Values,
    merge,
)
from deepperf.knowledge import dataset_method, is_dataset_source, lookup, method_result

if TYPE_CHECKING:
    from deepperf.facts.infer import Inference

_CALL_DEPTH = 4
_NOTHING: Values = (UNKNOWN,)


class Results:
    """Answers what calls give, for one inference."""

    def __init__(self, inference: Inference) -> None:
        self._inference = inference
        self._applications: dict[ast.expr, ast.Call] = {}
        self._frames: dict[tuple[Function, ast.Call, Frame | None], Frame] = {}
        self._returned: dict[Function, Values | None] = {}

    def of_call(self, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
        if isinstance(node.func, ast.Attribute):
            receivers = self._inference.values(node.func.value, scope, frame)
            if any(isinstance(value, Pipeline) for value in receivers):
                return self._transformed(node, node.func.attr, receivers, scope, frame)
        return merge(
            [
                self.result(value, node, scope, frame)
                for value in self._inference.values(node.func, scope, frame)
            ]
        )

    def _transformed(
        self, node: ast.Call, name: str, receivers: Values, scope: Scope, frame: Frame | None
    ) -> Values:
        method = dataset_method(name)
        if method is None or method.role == "sink":
            known = lookup(f"tensorflow.data.Dataset.{name}")
            return (Made(known.returns, known.name, node),) if known.known else _NOTHING
        inputs = tuple(value.step for value in receivers if isinstance(value, Pipeline))
        complete = len(inputs) == len(receivers)
        if name == "apply" and node.args:
            return self._applied(node, inputs, scope, frame)
        if name in ("concatenate", "zip"):
            others = [v for argument in node.args for v in self._inference.values(argument, scope, frame)]
            inputs += tuple(value.step for value in others if isinstance(value, Pipeline))
        step = Step(f"tensorflow.data.Dataset.{name}", node, scope, frame, inputs, complete)
        return (Pipeline(step),)

    def _applied(self, node: ast.Call, inputs: tuple[Step, ...], scope: Scope, frame: Frame | None) -> Values:
        argument = node.args[0]
        own = [v for v in self._inference.values(argument, scope, frame) if isinstance(v, Func | LambdaRef)]
        if own and isinstance(node.func, ast.Attribute):
            call = ast.copy_location(ast.Call(argument, [node.func.value], []), node)
            return merge(
                [self.result(value, self._applications.setdefault(node, call), scope, frame) for value in own]
            )
        if isinstance(argument, ast.Call):
            name = self._inference.api(argument.func, scope, frame)
            if name is not None:
                return (Pipeline(Step(name, argument, scope, frame, inputs)),)
        return (Pipeline(Step("tensorflow.data.Dataset.apply", node, scope, frame, inputs)),)

    def result(self, callee: Value, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
        """Return what calling `callee` by `node` gives."""
        if isinstance(callee, Api):
            return self._api_result(callee.name, node, scope, frame)
        if isinstance(callee, Func):
            return self._function_result(callee, node, scope, frame)
        if isinstance(callee, ClassRef):
            if self._inference.project.classes.extends(callee.cls, "tensorflow.data.Dataset"):
                return (Pipeline(Step("tensorflow.data.Dataset", node, scope, frame)),)
            return (Instance(callee.cls),)
        if isinstance(callee, LambdaRef):
            return (
                self._inference.values(callee.node.body, callee.scope, callee.frame)
                if not callee.node.args.args
                else _NOTHING
            )
        if isinstance(callee, Instance):
            return merge(
                [
                    self.result(value, node, scope, frame)
                    for value in self._inference.project.classes.call_of(callee)
                ]
            )
        if isinstance(callee, Made):
            return (Made(method_result(callee.kind, "__call__", called=True), callee.api, node),)
        return _NOTHING

    def of_entering(self, value: Value, node: ast.expr) -> Values:
        """Return what a `with` gives its name: what `__enter__` of a project class returns, else the object itself."""
        if isinstance(value, Instance):
            method = self._inference.project.classes.method(value.cls, "__enter__")
            if method is not None:
                call = ast.copy_location(ast.Call(node, [], []), node)
                call = self._applications.setdefault(node, call)
                return self._function_result(Func(method, value), call, method.scope, None)
        return (value,)

    def _api_result(self, name: str, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
        if name.startswith("builtins."):
            return builtin_result(self._inference, name[9:], node, scope, frame)
        if (
            name in ("functools.partial", "tensorflow.function", "functools.wraps", "functools.lru_cache")
            and node.args
        ):
            return self._wrapped(name, node, scope, frame)
        if is_dataset_source(name):
            return (Pipeline(Step(name, node, scope, frame)),)
        if name.startswith("tensorflow.data.Dataset."):
            return _NOTHING
        api = lookup(name)
        if api.returns == "dataset":
            return (Pipeline(Step(name, node, scope, frame)),)
        if api.returns in ("number", "string"):
            return (Plain(api.returns),)
        return (Made(api.returns, name, node),) if api.known else _NOTHING

    def _wrapped(self, name: str, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
        inner = self._inference.values(node.args[0], scope, frame)
        if name != "functools.partial":
            return inner
        return tuple(
            Func(value.function, value.bound, node)
            if isinstance(value, Func) and value.given is None
            else value
            for value in inner
        )

    def _function_result(self, callee: Func, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
        function = callee.function
        depth = frame.depth if frame is not None else 0
        if (
            depth >= _CALL_DEPTH
            or isinstance(function.node, ast.AsyncFunctionDef)
            or callee.given is not None
        ):
            return _NOTHING
        own_class = callee.bound is None or (
            isinstance(callee.bound, Instance) and callee.bound.cls is function.cls
        )
        if own_class:
            whatever_is_passed = self._independent_result(function)
            if whatever_is_passed is not None:
                return whatever_is_passed
        key = (function, node, frame)
        inner = self._frames.get(key)
        if inner is None:
            inner = self._frames[key] = Frame(function, node, scope, frame, callee.bound)
        return merge(
            [
                self._inference.values(expression, function.scope, inner)
                for expression in self._results(function)
            ]
        )

    def _independent_result(self, function: Function) -> Values | None:
        """Return what a function gives whatever its arguments are, None if it depends on them."""
        if function not in self._returned:
            self._returned[function] = None
            self._returned[function] = self._inference.without_parameters(
                self._results(function), function.scope
            )
        return self._returned[function]

    @staticmethod
    def _results(function: Function) -> list[ast.expr]:
        """Return the expressions a function returns; none for a generator."""
        flow = function.module.flow(function.scope)
        return [] if flow.is_generator else flow.returns
