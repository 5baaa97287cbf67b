"""Class hierarchies across files: methods, fields and bases."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.definitions import Definition
from deepperf.facts.pipelines import Step
from deepperf.facts.scopes import Class, Function, Scope
from deepperf.facts.values import (
    UNKNOWN,
    Api,
    ClassRef,
    Frame,
    Func,
    Instance,
    Made,
    Pipeline,
    Plain,
    Value,
    Values,
    merge,
)
from deepperf.knowledge import canonical, lookup

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_CALL_METHODS = ("__call__", "call", "forward")


class Classes:
    """Answers about the classes of a project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._orders: dict[Class, tuple[Class | str, ...]] = {}
        self._fields: dict[tuple[Class, str], list[Definition]] = {}

    def order(self, cls: Class) -> tuple[Class | str, ...]:
        """Return a class and all its bases, nearest first; bases outside the project by canonical name ("?" if unknown)."""
        known = self._orders.get(cls)
        if known is not None:
            return known
        self._orders[cls] = (cls,)
        found: list[Class | str] = [cls]
        for base in cls.node.bases:
            for value in self.project.inference.values(base, cls.context.scope):
                if isinstance(value, ClassRef):
                    found.extend(c for c in self.order(value.cls) if c not in found)
                else:
                    found.append(value.name if isinstance(value, Api) else "?")
        self._orders[cls] = tuple(found)
        return self._orders[cls]

    def inherited(self, scope: Scope, name: str) -> Values:
        """Return what `super().name` is in a method: the attribute as the bases of its class define it."""
        function = scope.function
        if function is None or function.cls is None:
            return (UNKNOWN,)
        for base in self.order(function.cls)[1:]:
            if isinstance(base, Class) and name in base.methods:
                return self._method_value(base.methods[name], Instance(function.cls))
        return (UNKNOWN,)

    def extends(self, cls: Class, name: str) -> bool:
        """Tell whether a class has the API class `name` among its bases."""
        return name in self.order(cls)

    def is_closed(self, cls: Class) -> bool:
        """Tell whether all bases of a class are known to the project."""
        return all(isinstance(base, Class) or base == "builtins.object" for base in self.order(cls))

    def method(self, cls: Class, name: str) -> Function | None:
        """Return the method that a name finds on a class or its project bases."""
        for base in self.order(cls):
            if isinstance(base, Class) and name in base.methods:
                return base.methods[name]
        return None

    def setter(self, cls: Class, name: str) -> Function | None:
        """Return the function that an assignment to an attribute runs, None if it just stores the value."""
        for base in self.order(cls):
            if isinstance(base, Class) and name in base.setters:
                return base.setters[name]
        return None

    def call_of(self, instance: Instance) -> Values:
        """Return the methods that calling an instance runs."""
        for name in _CALL_METHODS:
            found = self.method(instance.cls, name)
            if found is not None:
                return (Func(found, instance),)
        return (UNKNOWN,)

    def member(self, value: Instance | ClassRef, name: str) -> Values:
        """Return what an attribute of an object or class of the project is."""
        method = self.method(value.cls, name)
        if method is not None:
            return self._method_value(method, value)
        definitions = self.field_definitions(value, name)
        if not definitions:
            return (UNKNOWN,)
        return merge([self.project.inference.defined(definition) for definition in definitions])

    @staticmethod
    def is_property(method: Function) -> bool:
        """Tell whether reading the attribute runs the method."""
        names = {ast.unparse(decorator).rpartition(".")[2] for decorator in method.node.decorator_list}
        return bool(names & {"property", "cached_property"})

    def overrides(self, method: Function, cls: Class) -> list[Function]:
        """Return the methods that subclasses of `cls`, in its module, put in the place of a method."""
        found = []
        for other in cls.module.index.classes:
            own = other.methods.get(method.name)
            if own is not None and own is not method and other is not cls and cls in self.order(other):
                found.append(own)
        return found

    def _method_value(self, method: Function, value: Instance | ClassRef) -> Values:
        if self.is_property(method) and isinstance(value, Instance):
            flow = method.module.flow(method.scope)
            call = ast.Call(func=ast.Name(id=method.name), args=[], keywords=[])
            frame = Frame(method, call, method.scope, None, value)
            return merge(
                [self.project.inference.values(result, method.scope, frame) for result in flow.returns]
            )
        if isinstance(value, ClassRef):
            is_class_method = any(
                ast.unparse(d).rpartition(".")[2] == "classmethod" for d in method.node.decorator_list
            )
            return (Func(method, value if is_class_method else None),)
        return (Func(method, None if method.is_static else value),)

    def field_definitions(self, value: Value, name: str) -> list[Definition]:
        """Return where a field of an object or class of the project gets its values."""
        if not isinstance(value, Instance | ClassRef):
            return []
        key = (value.cls, name)
        known = self._fields.get(key)
        if known is None:
            known = self._fields[key] = []
            for base in self.order(value.cls):
                if isinstance(base, Class):
                    known.extend(self._own_fields(base, name))
        return known

    @staticmethod
    def _own_fields(owner: Class, name: str) -> list[Definition]:
        found = list(owner.module.flow(owner.scope).definitions.get(name, ()))
        if name in owner.module.index.stores:
            for method in (*owner.methods.values(), *owner.setters.values()):
                if method.self_name is not None:
                    flow = owner.module.flow(method.scope)
                    found.extend(flow.definitions.get(f"{method.self_name}.{name}", ()))
        return found

    def annotated(self, function: Function, name: str) -> Value | None:
        """Return what a parameter's annotation says of it, None if it says nothing that is known."""
        for parameter in function.parameters:
            if parameter.arg == name and parameter.annotation is not None:
                return self._annotation(parameter.annotation, function)
        return None

    def _annotation(self, node: ast.expr, function: Function) -> Value | None:
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            try:
                node = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError):
                return None
        if not isinstance(node, ast.Name | ast.Attribute):
            return None
        value = self.project.inference.one(node, function.context.scope)
        if isinstance(value, ClassRef):
            return Instance(value.cls)
        if not isinstance(value, Api):
            return None
        return self._api_instance(value.name, node, function)

    @staticmethod
    def _api_instance(name: str, node: ast.expr, function: Function) -> Value | None:
        if name == "tensorflow.data.Dataset":
            return Pipeline(Step(name, node, function.scope, None))
        if name in ("builtins.int", "builtins.float", "builtins.bool"):
            return Plain("number")
        if name == "builtins.str":
            return Plain("string")
        if name in _TENSORS:
            return Made("tensor", name, node)
        api = lookup(canonical(name))
        return Made(api.returns, name, node) if api.known and api.returns not in ("unknown", "none") else None


_TENSORS = ("tensorflow.Tensor", "torch.Tensor", "jax.Array", "jax.numpy.ndarray")
