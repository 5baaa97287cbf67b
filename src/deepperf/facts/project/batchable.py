"""Does a function of one dataset element give the same on a whole batch?

The function is run on symbols: an element's tensor, one feature of it, a constant. Every step must be one that is known
to act on a stacked batch as it acts on each element; anything else means "no".
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import argument
from deepperf.facts.values import Api, Const, Func, LambdaRef, Made, Plain, Sequence
from deepperf.knowledge import lookup
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 4


class NotBatchable(Exception):
    """The function needs one element at a time, or nothing is known; the message says why."""


@dataclass(frozen=True)
class Element:
    """A tensor that comes from the element: `origin` names the part, `rank` how many axes it has lost or gained."""

    origin: str
    rank: int = 0


@dataclass(frozen=True)
class Fixed:
    """Something that does not come from the element. `scalar` is True for numbers, so that broadcasting is sure."""

    scalar: bool


@dataclass(frozen=True)
class Structure:
    """A tuple, list or dict of symbols."""

    parts: tuple[tuple[object, Symbol], ...]


Symbol = Element | Fixed | Structure


@dataclass
class Batchable:
    """The proof that a function works on batches: what it does, and which calls need their batched twin instead."""

    operations: list[tuple[str, Place]] = field(default_factory=list)
    twins: list[tuple[str, str, Place]] = field(default_factory=list)

    @property
    def does_work(self) -> bool:
        """Whether the function computes anything at all."""
        return bool(self.operations or self.twins)


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
            if isinstance(values[0], LambdaRef):
                run.lambda_(values[0])
            elif isinstance(values[0], Func) and values[0].given is None:
                run.function(values[0], None, 0)
            elif isinstance(values[0], Api):
                run.api_alone(values[0].name, node, scope)
            else:
                return None
        except NotBatchable:
            return None
        return run.proof


class _Run:
    """One run of a function on symbols."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.proof = Batchable()
        self._scope: Scope | None = None
        self._depth = 0

    def api_alone(self, name: str, node: ast.expr, scope: Scope) -> None:
        if "elementwise" not in lookup(name).traits:
            raise NotBatchable(name)
        self.proof.operations.append((name, scope.module.source.place(node)))

    def lambda_(self, value: LambdaRef) -> None:
        arguments = value.node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise NotBatchable("variable arguments")
        names = [parameter.arg for parameter in arguments.args]
        free = len(names) - len(arguments.defaults)
        local: dict[str, Symbol] = {name: Element(name) for name in names[:free]}
        local.update({name: Fixed(False) for name in names[free:]})
        self._evaluate(value.node.body, value.scope, local)

    def function(self, value: Func, passed: list[Symbol] | None, depth: int) -> Symbol:
        function = value.function
        if depth > _DEPTH or function.node.decorator_list or isinstance(function.node, ast.AsyncFunctionDef):
            raise NotBatchable("a function that cannot be followed")
        local = self._parameters(function, value, passed)
        self._depth = depth
        for statement in function.node.body:
            result = self._statement(statement, function.scope, local)
            if result is not None:
                return result
        raise NotBatchable("no return")

    @staticmethod
    def _parameters(function: Function, value: Func, passed: list[Symbol] | None) -> dict[str, Symbol]:
        arguments = function.node.args
        if arguments.vararg or arguments.kwarg:
            raise NotBatchable("variable arguments")
        names = [parameter.arg for parameter in function.positional]
        local: dict[str, Symbol] = {}
        if function.self_name is not None and value.bound is not None:
            local[names.pop(0)] = Fixed(False)
        free = len(names) - len(arguments.defaults)
        for place, name in enumerate(names):
            if passed is not None and place < len(passed):
                local[name] = passed[place]
            else:
                local[name] = Element(name) if passed is None and place < free else Fixed(False)
        for parameter in arguments.kwonlyargs:
            local[parameter.arg] = Fixed(False)
        return local

    # statements

    def _statement(self, statement: ast.stmt, scope: Scope, local: dict[str, Symbol]) -> Symbol | None:
        if isinstance(statement, ast.Return) and statement.value is not None:
            return self._evaluate(statement.value, scope, local)
        if isinstance(statement, ast.Assign):
            value = self._evaluate(statement.value, scope, local)
            for target in statement.targets:
                self._bind(target, value, scope, local)
            return None
        if isinstance(statement, ast.AnnAssign) and statement.value is not None:
            self._bind(statement.target, self._evaluate(statement.value, scope, local), scope, local)
            return None
        if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            left = local.get(statement.target.id, Fixed(False))
            right = self._evaluate(statement.value, scope, local)
            local[statement.target.id] = self._combine([left, right], "operator", statement, scope)
            return None
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            return None
        raise NotBatchable(type(statement).__name__)

    def _bind(self, target: ast.expr, value: Symbol, scope: Scope, local: dict[str, Symbol]) -> None:
        if isinstance(target, ast.Name):
            local[target.id] = value
        elif isinstance(target, ast.Tuple | ast.List):
            for place, element in enumerate(target.elts):
                self._bind(element, self._item(value, place), scope, local)
        elif isinstance(target, ast.Subscript) and isinstance(target.value, ast.Name):
            key = target.slice
            if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
                raise NotBatchable("an item assignment")
            held = local.get(target.value.id)
            parts = held.parts if isinstance(held, Structure) else ()
            if not isinstance(held, Structure | Element):
                raise NotBatchable("a change of something outside")
            kept = tuple(part for part in parts if part[0] != key.value)
            origin = () if isinstance(held, Structure) else (("*", held),)
            local[target.value.id] = Structure((*kept, (key.value, value), *origin))
        else:
            raise NotBatchable("a change of something outside")

    @staticmethod
    def _item(value: Symbol, key: object) -> Symbol:
        if isinstance(value, Structure):
            parts = dict(value.parts)
            if key in parts:
                return parts[key]
            rest = parts.get("*")
            if isinstance(rest, Element) and isinstance(key, str):
                return Element(f"{rest.origin}[{key}]")
        if isinstance(value, Element) and isinstance(key, str) and value.rank == 0:
            return Element(f"{value.origin}[{key}]")
        raise NotBatchable("an item of a tensor")

    # expressions

    def _evaluate(self, node: ast.expr, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        if isinstance(node, ast.Name) and node.id in local:
            return local[node.id]
        if isinstance(node, ast.Constant):
            return Fixed(scalar=isinstance(node.value, int | float))
        if isinstance(node, ast.Tuple | ast.List):
            return Structure(tuple((i, self._evaluate(e, scope, local)) for i, e in enumerate(node.elts)))
        if isinstance(node, ast.Dict):
            return self._dict(node, scope, local)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, scope, local)
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            operands = [self._evaluate(part, scope, local) for part in (node.left, node.right)]
            return self._combine(operands, "operator", node, scope)
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            return self._combine([self._evaluate(node.operand, scope, local)], "operator", node, scope)
        if isinstance(node, ast.Compare) and all(isinstance(o, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for o in node.ops):
            operands = [self._evaluate(part, scope, local) for part in (node.left, *node.comparators)]
            return self._combine(operands, "operator", node, scope)
        if isinstance(node, ast.Call):
            return self._call(node, scope, local)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._outside(node, scope, local)
        raise NotBatchable(type(node).__name__)

    def _dict(self, node: ast.Dict, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        parts: list[tuple[object, Symbol]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if not isinstance(key, ast.Constant):
                raise NotBatchable("a dict with computed keys")
            parts.append((key.value, self._evaluate(value, scope, local)))
        return Structure(tuple(parts))

    def _subscript(self, node: ast.Subscript, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        value = self._evaluate(node.value, scope, local)
        if isinstance(value, Fixed):
            return Fixed(False)
        key = self.project.inference.one(node.slice, scope)
        if isinstance(key, Const) and (isinstance(key.value, str) or isinstance(value, Structure)):
            return self._item(value, key.value)
        raise NotBatchable("an item of a tensor")

    def _outside(self, node: ast.expr, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        if isinstance(node, ast.Attribute):
            root: ast.expr = node
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and not isinstance(local.get(root.id, Fixed(False)), Fixed):
                raise NotBatchable("an attribute of a tensor")
        values = self.project.inference.values(node, scope)
        return Fixed(
            scalar=all(
                (isinstance(v, Const) and isinstance(v.value, int | float)) or (isinstance(v, Plain) and v.kind == "number")
                for v in values
            )
        )

    def _combine(self, operands: list[Symbol], name: str, node: ast.AST, scope: Scope) -> Symbol:
        """Join the operands of an elementwise operation: all of one part of the element, or plain numbers."""
        elements = {operand for operand in operands if isinstance(operand, Element)}
        if any(isinstance(operand, Structure) for operand in operands):
            raise NotBatchable("an operation on a structure")
        if not elements:
            return Fixed(all(isinstance(operand, Fixed) and operand.scalar for operand in operands))
        if len(elements) > 1:
            raise NotBatchable("operands whose ranks may differ")
        if any(isinstance(operand, Fixed) and not operand.scalar for operand in operands):
            raise NotBatchable("an operand from outside whose rank is unknown")
        self.proof.operations.append((name, scope.module.source.place(node)))
        return elements.pop()

    def _call(self, node: ast.Call, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        values = self.project.inference.values(node.func, scope)
        if len(values) != 1:
            raise NotBatchable("a call that cannot be followed")
        value = values[0]
        if isinstance(value, Func) and value.given is None and not node.keywords:
            depth = self._depth
            passed = [self._evaluate(argument, scope, local) for argument in node.args]
            result = self.function(value, passed, depth + 1)
            self._depth = depth
            return result
        if isinstance(value, Api):
            return self._api(value.name, node, scope, local)
        symbols = [self._evaluate(part, scope, local) for part in (*node.args, *(k.value for k in node.keywords))]
        if isinstance(value, Made | Sequence) or any(not isinstance(s, Fixed) for s in symbols):
            raise NotBatchable("a call that cannot be followed")
        raise NotBatchable("an unknown call")

    def _api(self, name: str, node: ast.Call, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        api = lookup(name)
        if name in _DTYPES_BY_NAME or not api.effects and api.returns == "plain":
            return Fixed(False)
        if api.twin:
            return self._record(name, api.twin, node, scope)
        if "elementwise" in api.traits or "image-4d" in api.traits:
            return self._elementwise(name, node, scope, local)
        if "axis" in api.traits:
            return self._along_axis(name, node, scope, local)
        raise NotBatchable(name)

    def _record(self, name: str, twin: str, node: ast.Call, scope: Scope) -> Symbol:
        self.proof.twins.append((name, twin, scope.module.source.place(node)))
        return Element(f"{name}@{node.lineno}:{node.col_offset}")

    def _elementwise(self, name: str, node: ast.Call, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        operands = []
        for part in (*node.args, *(keyword.value for keyword in node.keywords)):
            if self._is_setting(part, scope, local):
                continue
            operands.append(self._evaluate(part, scope, local))
        joined = self._combine(operands, name, node, scope)
        changes = -1 if argument(node, "axis", None) is not None else 0
        if changes:
            raise NotBatchable("an axis of an elementwise operation")
        gained = 1 if name == "tensorflow.one_hot" else 0
        return Element(joined.origin, joined.rank + gained) if isinstance(joined, Element) else joined

    def _is_setting(self, node: ast.expr, scope: Scope, local: dict[str, Symbol]) -> bool:
        """Whether an argument only sets how the op works: a dtype, a string, a boolean, a size from outside."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str | bool) or node.value is None
        if isinstance(node, ast.Name) and node.id in local:
            return False
        value = self.project.inference.one(node, scope)
        return isinstance(value, Api)

    def _along_axis(self, name: str, node: ast.Call, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        parameters = lookup(name).parameters
        axis = argument(node, "axis", parameters.index("axis") if "axis" in parameters else None)
        value = self.project.inference.one(axis, scope) if axis is not None else None
        if isinstance(axis, ast.UnaryOp) and isinstance(axis.op, ast.USub) and isinstance(axis.operand, ast.Constant):
            number: object = -axis.operand.value  # type: ignore[operator]
        else:
            number = value.value if isinstance(value, Const) else None
        if not isinstance(number, int) or number >= 0 or not node.args:
            raise NotBatchable("an axis counted from the front")
        operand = self._evaluate(node.args[0], scope, local)
        joined = self._combine([operand], name, node, scope)
        keeps = argument(node, "keepdims", None)
        if isinstance(joined, Element) and not (isinstance(keeps, ast.Constant) and keeps.value is True):
            return Element(joined.origin, joined.rank - 1)
        return joined


_DTYPES_BY_NAME = frozenset(
    f"tensorflow.{name}" for name in "float16 float32 float64 int8 int16 int32 int64 uint8 bool string bfloat16".split()
)
