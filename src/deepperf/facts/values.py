"""What an expression can be: the values that inference speaks of.

A value is evidence, not a type: `UNKNOWN` is a value of its own, and an expression may have several.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.pipelines import Step
    from deepperf.facts.scopes import Class, Function, Scope


class Value:
    """Base of all values."""

    __slots__ = ()


Values = tuple[Value, ...]


class Unknown(Value):
    """Nothing is known."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "unknown"


UNKNOWN = Unknown()


@dataclass(frozen=True, slots=True)
class Const(Value):
    """A Python constant: a number, a string, a boolean, None."""

    value: object

    def __repr__(self) -> str:
        return repr(self.value)


@dataclass(frozen=True, slots=True)
class Plain(Value):
    """A Python value of a known kind but unknown content: `number`, `string`, `bool`."""

    kind: str

    def __repr__(self) -> str:
        return self.kind


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Value):
    """A list, tuple, set or dict display, or the result of a builtin that makes one. `elements` is None if unknown."""

    kind: str
    elements: tuple[ast.expr, ...] | None
    scope: Scope
    frame: Frame | None = None

    def __repr__(self) -> str:
        return self.kind


@dataclass(frozen=True, slots=True)
class Api(Value):
    """Something outside the project, by its canonical name: a function, a class, a module, a constant."""

    name: str

    def __repr__(self) -> str:
        return f"api {self.name}"


@dataclass(frozen=True, slots=True, eq=False)
class Made(Value):
    """What a call of an API gave: `kind` is the knowledge tables' word (tensor, session, optimizer, model, …)."""

    kind: str
    api: str
    node: ast.AST

    def __repr__(self) -> str:
        return f"{self.kind} of {self.api}" if self.api else self.kind


@dataclass(frozen=True, slots=True, eq=False)
class Pipeline(Value):
    """A dataset, known by its last transformation."""

    step: Step

    def __repr__(self) -> str:
        return f"pipeline {self.step}"


@dataclass(frozen=True, slots=True)
class ModuleRef(Value):
    """A module of the project."""

    module: Module

    def __repr__(self) -> str:
        return f"module {self.module.name}"


@dataclass(frozen=True, slots=True)
class Func(Value):
    """A function of the project; `bound` is the object a method is taken from, `given` what a `partial` passes already."""

    function: Function
    bound: Value | None = None
    given: ast.Call | None = None

    def __repr__(self) -> str:
        return f"function {self.function.qualname}"


@dataclass(frozen=True, slots=True, eq=False)
class LambdaRef(Value):
    """A lambda, with the scope it was written in."""

    node: ast.Lambda
    scope: Scope
    frame: Frame | None = None

    def __repr__(self) -> str:
        return "lambda"


@dataclass(frozen=True, slots=True)
class ClassRef(Value):
    """A class of the project."""

    cls: Class

    def __repr__(self) -> str:
        return f"class {self.cls.qualname}"


@dataclass(frozen=True, slots=True)
class Instance(Value):
    """An object of a project class."""

    cls: Class

    def __repr__(self) -> str:
        return f"instance {self.cls.qualname}"


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """One call being followed: the parameters of `function` stand for what `call` passes, seen in the caller's frame."""

    function: Function
    call: ast.Call
    scope: Scope
    caller: Frame | None
    bound: Value | None = None

    @property
    def depth(self) -> int:
        """How many calls deep this frame is."""
        return 1 if self.caller is None else self.caller.depth + 1


_ALTERNATIVES = 8


def merge(groups: Iterable[Values]) -> Values:
    """Join the alternatives of several values, without duplicates; too many of them mean that nothing is known."""
    found: list[Value] = []
    for group in groups:
        found.extend(value for value in group if value not in found)
    if not found or len(found) > _ALTERNATIVES:
        return (UNKNOWN,)
    return tuple(found)
