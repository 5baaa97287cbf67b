"""What the function given to a dataset transformation does: its cost, its state, and whether it works on batches."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import root_name, walk_own
from deepperf.facts.values import UNKNOWN, Api, ClassRef, Func, Instance, LambdaRef, Made, Pipeline, Value
from deepperf.knowledge import lookup
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 5
_STATEFUL = frozenset({"random", "stateful", "side-effect", "resource", "python", "writes"})


@dataclass
class Operation:
    """An API call that a mapped function makes, directly or through project functions."""

    name: str
    call: ast.expr
    scope: Scope


@dataclass
class Mapped:
    """What is known of a mapped function.

    `resolved` is False where some of its code could not be followed: then nothing it lacks is certain. `keeps_notes` is True
    where Python code that runs for each element changes objects outside, `shuffles` where a dataset in it is shuffled.
    """

    node: ast.AST
    scope: Scope
    resolved: bool = True
    operations: list[Operation] = field(default_factory=list)
    unknown: list[ast.Call] = field(default_factory=list)
    functions: list[Function | ast.Lambda] = field(default_factory=list)
    makes_objects: bool = False
    keeps_notes: bool = False
    shuffles: bool = False

    def with_effect(self, effects: frozenset[str]) -> list[Operation]:
        """Return the operations that have one of these effects."""
        return [operation for operation in self.operations if lookup(operation.name).effects & effects]

    @property
    def stateful(self) -> list[Operation]:
        """The operations that keep TensorFlow from running the function in parallel by itself."""
        return self.with_effect(_STATEFUL)

    @property
    def writes_state(self) -> bool:
        """Whether the order in which elements come matters to the function: it counts, or writes."""
        return self.keeps_notes or bool(self.with_effect(frozenset({"writes"})))

    @property
    def only_reports(self) -> bool:
        """Whether all work of the function is to print or to write files, in the order of the elements."""
        return bool(self.costly) and self.costly == self.with_effect(frozenset({"side-effect"}))

    @property
    def costly(self) -> list[Operation]:
        """The operations that do work: not casts, shape reads and re-arrangements of the element."""
        return [o for o in self.operations if "free" not in lookup(o.name).traits and lookup(o.name).effects]

    @property
    def holds_interpreter(self) -> bool:
        """Whether all work is pure Python, called back for each element: calls at the same time wait for each other."""
        callbacks = self.with_effect(frozenset({"python"}))
        seen = {operation.call for operation in self.operations}
        methods = [call for call in self.unknown if call not in seen]
        return (
            bool(callbacks)
            and len(self.functions) > 1  # the one that is called back is known
            and all(o in callbacks or _is_pure_python(o.name) for o in self.operations)
            and all(isinstance(m.func, ast.Attribute) and m.func.attr in _TEXT_METHODS for m in methods)
        )

    @property
    def is_light(self) -> bool:
        """Whether the function surely does little: makes objects of its element, re-orders, casts or reshapes parts."""
        return self.resolved and not self.costly

    @property
    def is_trivial(self) -> bool:
        """Whether the function only picks and re-orders parts of its element."""
        return self.is_light and not self.makes_objects

    @property
    def returns_dataset(self) -> bool:
        """Whether the function builds a dataset."""
        return any(lookup(o.name).returns == "dataset" or ".data." in o.name for o in self.operations)


class MappedFunctions:
    """Answers what the functions given to dataset transformations do."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self._known: dict[ast.AST, tuple[Mapped, ...]] = {}

    def of(self, argument: ast.expr, scope: Scope) -> tuple[Mapped, ...]:
        """Return what each function that `argument` may be does; empty if none of them can be seen."""
        known = self._known.get(argument)
        if known is None:
            found = [
                self._value(value, argument, scope)
                for value in self.project.inference.values(argument, scope)
            ]
            known = tuple(mapped for mapped in found if mapped is not None) if None not in found else ()
            self._known[argument] = known
        return known

    def _value(self, value: Value, argument: ast.expr, scope: Scope) -> Mapped | None:
        if isinstance(value, LambdaRef):
            mapped = Mapped(value.node, value.scope)
            self._follow(value.node, value.node, value.scope, mapped, 0)
            return mapped
        if isinstance(value, Func | Instance):
            targets = self.project.calls.entered(value)
            if len(targets) != 1:
                return None
            mapped = Mapped(targets[0].function.node, targets[0].function.scope)
            self._enter(targets[0].function, mapped, 0)
            return mapped
        if isinstance(value, Api):
            return self._outside(value.name, argument, scope)
        if isinstance(value, Made) and value.api and value.kind != "unknown":
            return self._outside(value.api, argument, scope)
        return None

    @staticmethod
    def _outside(name: str, argument: ast.expr, scope: Scope) -> Mapped:
        """What is known of a function or an object of a framework that is given by itself."""
        mapped = Mapped(argument, scope, resolved=lookup(name).known)
        call = ast.copy_location(ast.Call(argument, [], []), argument)
        mapped.operations.append(Operation(name, call, scope))
        return mapped

    def _enter(self, function: Function, mapped: Mapped, depth: int) -> None:
        self._follow(function, function.node, function.scope, mapped, depth)

    def _follow(
        self, function: Function | ast.Lambda, node: ast.AST, scope: Scope, mapped: Mapped, depth: int
    ) -> None:
        if function in mapped.functions:
            return
        if depth > _DEPTH:
            mapped.resolved = False
            return
        mapped.functions.append(function)
        for part in _own_nodes(node):
            if isinstance(part, ast.Call):
                self._call(part, scope, mapped, depth)
            elif isinstance(part, ast.BinOp | ast.Compare | ast.UnaryOp):
                self._operator(part, scope, mapped)
            elif isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue

    def _operator(self, node: ast.BinOp | ast.Compare | ast.UnaryOp, scope: Scope, mapped: Mapped) -> None:
        sign = node.ops[0] if isinstance(node, ast.Compare) else node.op
        mapped.operations.append(Operation(f"operator.{type(sign).__name__}", node, scope))

    def _call(self, call: ast.Call, scope: Scope, mapped: Mapped, depth: int) -> None:
        for value in self.project.inference.values(call.func, scope):
            if isinstance(value, Api):
                mapped.operations.append(Operation(value.name, call, scope))
                if not lookup(value.name).known and not value.name.startswith("builtins."):
                    mapped.resolved = False
                    mapped.unknown.append(call)
                self._callbacks(call, scope, mapped, depth)
                if "python" in lookup(value.name).effects and self._keeps_notes(call, scope):
                    mapped.keeps_notes = True
            elif isinstance(value, LambdaRef):
                self._follow(value.node, value.node, value.scope, mapped, depth + 1)
            elif isinstance(value, ClassRef):
                mapped.makes_objects = True
            elif self.project.calls.entered(value):
                for target in self.project.calls.entered(value):
                    self._enter(target.function, mapped, depth + 1)
            elif self._is_transformation(call, scope):
                mapped.shuffles = mapped.shuffles or call.func.attr == "shuffle"  # type: ignore[attr-defined]
                self._callbacks(call, scope, mapped, depth)
            else:
                self._method(call, value, mapped, scope)

    def _is_transformation(self, call: ast.Call, scope: Scope) -> bool:
        """Tell whether a call is a method of a dataset."""
        if not isinstance(call.func, ast.Attribute):
            return False
        receivers = self.project.inference.values(call.func.value, scope)
        return all(isinstance(value, Pipeline) for value in receivers)

    def _callbacks(self, call: ast.Call, scope: Scope, mapped: Mapped, depth: int) -> None:
        """Functions handed to an API (`tf.cond`, `tf.py_function`, `tf.map_fn`) run as part of the mapped function."""
        for argument in (*call.args, *(keyword.value for keyword in call.keywords)):
            for value in self.project.inference.values(argument, scope):
                if isinstance(value, LambdaRef):
                    self._follow(value.node, value.node, value.scope, mapped, depth + 1)
                elif isinstance(value, Func):
                    self._enter(value.function, mapped, depth + 1)

    def _keeps_notes(self, call: ast.Call, scope: Scope) -> bool:
        """Tell whether the Python function that is handed over counts or collects what it is called with."""
        return any(
            _is_note(node, value.function)
            for argument in call.args[:1]
            for value in self.project.inference.values(argument, scope)
            if isinstance(value, Func)
            for node in walk_own(value.function.node)
        )

    def _method(self, call: ast.Call, value: Value, mapped: Mapped, scope: Scope) -> None:
        if isinstance(value, Made) and value.api and value.kind != "unknown":
            mapped.operations.append(Operation(value.api, call, scope))
            return
        name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
        if name in _HARMLESS_METHODS:
            return
        if value is UNKNOWN or isinstance(value, Made):
            mapped.resolved = False
            mapped.unknown.append(call)

    def place(self, operation: Operation, message: str) -> Place:
        """Return the place of an operation."""
        return operation.scope.module.source.place(operation.call, message)


_HARMLESS_METHODS = frozenset(
    "set_shape get_shape as_list items keys values pop append update copy get extend format join split startswith "
    "endswith strip lower upper insert with_values rank num_elements".split()
)


# Libraries whose functions run Python code, and keep the interpreter to themselves.
_PURE_PYTHON = (
    "operator.",
    "builtins.",
    "json.",
    "re.",
    "string.",
    "ast.",
    "csv.",
    "random.",
    "math.",
    "collections.",
)
_TEXT_METHODS = frozenset(
    "numpy decode encode tolist item replace find count lstrip rstrip title splitlines".split()
)


def _is_pure_python(name: str) -> bool:
    traits = lookup(name).traits
    return name.startswith(_PURE_PYTHON) or "free" in traits or "cheap" in traits


_COLLECTORS = frozenset("append extend add appendleft write writelines writerow put".split())


def _is_note(node: ast.AST, function: Function) -> bool:
    """Tell whether a node changes something outside the function it stands in."""
    if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
        changed = root_name(node)
    elif isinstance(node, ast.AugAssign):
        changed = root_name(node.target)
    elif (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _COLLECTORS
    ):
        changed = root_name(node.func.value)
    else:
        return False
    if changed is None:
        return False
    return changed.id == function.self_name or function.scope.holder(changed.id) is not function.scope


def _own_nodes(node: ast.AST) -> Iterator[ast.AST]:
    return ast.walk(node.body) if isinstance(node, ast.Lambda) else walk_own(node)
