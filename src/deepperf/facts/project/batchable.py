"""Does a function of one dataset element give the same on a whole batch?

The function is run on symbols: an element's tensor, one feature of it, a constant. Every step must be one that is known
to act on a stacked batch as it acts on each element; anything else means "no".
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.project.symbols import (
    Batchable,
    Element,
    Fixed,
    NotBatchable,
    Structure,
    Symbol,
    check_result,
)
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import argument
from deepperf.facts.values import Api as ApiValue
from deepperf.facts.values import Const, Func, LambdaRef, Plain
from deepperf.knowledge import Api, lookup

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 4


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
                check_result(run.lambda_(values[0]))
            elif isinstance(values[0], Func):
                check_result(run.function(values[0], None, 0))
            elif isinstance(values[0], ApiValue):
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
        if "elementwise" not in lookup(name).traits or "axis" in lookup(name).traits:
            raise NotBatchable(name)
        self.proof.operations.append((name, scope.module.source.place(node)))

    def lambda_(self, value: LambdaRef) -> Symbol:
        arguments = value.node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
            raise NotBatchable("variable arguments")
        names = [parameter.arg for parameter in arguments.args]
        free = len(names) - len(arguments.defaults)
        local: dict[str, Symbol] = {name: Element(name) for name in names[:free]}
        local.update({name: Fixed(False) for name in names[free:]})
        return self._evaluate(value.node.body, value.scope, local)

    def function(self, value: Func, passed: list[Symbol] | None, depth: int) -> Symbol:
        function = value.function
        if depth > _DEPTH or function.node.decorator_list or isinstance(function.node, ast.AsyncFunctionDef):
            raise NotBatchable("a function that cannot be followed")
        local = self._parameters(function, value, passed)
        if value.given is not None:
            self._given(value, local)
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

    def _given(self, value: Func, local: dict[str, Symbol]) -> None:
        """A `partial` sets parameters: by name, so that those left come from the element."""
        call = value.given
        if call is None or len(call.args) != 1 or any(keyword.arg is None for keyword in call.keywords):
            raise NotBatchable("a partial with positional arguments")
        for keyword in call.keywords:
            number = isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, int | float)
            local[str(keyword.arg)] = Fixed(scalar=number)

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
            parts = tuple((i, self._evaluate(e, scope, local)) for i, e in enumerate(node.elts))
            return Structure(parts, is_list=isinstance(node, ast.List))
        if isinstance(node, ast.Dict):
            return self._dict(node, scope, local)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, scope, local)
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            operands = [self._evaluate(part, scope, local) for part in (node.left, node.right)]
            return self._combine(operands, "operator", node, scope)
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            return self._combine([self._evaluate(node.operand, scope, local)], "operator", node, scope)
        if (
            isinstance(node, ast.Compare)
            and len(node.ops) == 1
            and all(isinstance(o, ast.Lt | ast.LtE | ast.Gt | ast.GtE) for o in node.ops)
        ):
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
            if key is None:
                rest = self._evaluate(value, scope, local)
                parts.extend(rest.parts if isinstance(rest, Structure) else (("*", rest),))
                continue
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
                (isinstance(v, Const) and isinstance(v.value, int | float))
                or (isinstance(v, Plain) and v.kind == "number")
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
        if isinstance(value, ApiValue):
            return self._api(value.name, node, scope, local)
        raise NotBatchable("a call that cannot be followed")

    def _api(self, name: str, node: ast.Call, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        api = lookup(name)
        if "heavy" in api.traits:
            raise NotBatchable(f"{name} does so much that the call costs nothing beside it")
        if api.known and not api.effects and api.returns in ("plain", "number", "string"):
            return Fixed(False)
        if api.twin:
            self.proof.twins.append((name, api.twin, scope.module.source.place(node)))
            return Element(f"{name}@{node.lineno}:{node.col_offset}")
        if "axis" in api.traits:
            return self._along_axis(api, node, scope, local)
        is_select = "select" in api.traits and len(node.args) + len(node.keywords) >= 3
        if is_select or api.traits & {"elementwise", "image-4d"}:
            return self._elementwise(name, node, scope, local)
        raise NotBatchable(name)

    def _elementwise(self, name: str, node: ast.Call, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        parts = (*node.args, *(keyword.value for keyword in node.keywords))
        operands = [
            self._evaluate(part, scope, local) for part in parts if not self._is_setting(part, scope, local)
        ]
        return self._combine(operands, name, node, scope)

    def _is_setting(self, node: ast.expr, scope: Scope, local: dict[str, Symbol]) -> bool:
        """Whether an argument only sets how the op works: a dtype, a string, a boolean."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str | bool) or node.value is None
        if isinstance(node, ast.Name) and node.id in local:
            return False
        return isinstance(self.project.inference.one(node, scope), ApiValue)

    def _along_axis(self, api: Api, node: ast.Call, scope: Scope, local: dict[str, Symbol]) -> Symbol:
        """An op along an axis counted from the end does on a batch what it does on an element."""
        parameters = api.parameters
        axis = argument(node, "axis", parameters.index("axis") if "axis" in parameters else None)
        if (axis is None and "last-axis" not in api.traits) or (
            axis is not None and not self._is_negative(axis, scope)
        ):
            raise NotBatchable("an axis counted from the front")
        first = argument(node, parameters[0], 0) if parameters else None
        if first is None:
            raise NotBatchable("an op without a visible operand")
        operand = self._evaluate(first, scope, local)
        if isinstance(operand, Structure):
            operand = self._joined(operand, api.name, node)
        joined = self._combine([operand], api.name, node, scope)
        if not isinstance(joined, Element):
            return joined
        return Element(joined.origin, joined.rank + self._rank_change(api, node))

    @staticmethod
    def _rank_change(api: Api, node: ast.Call) -> int:
        if "adds-axis" in api.traits:
            return 1
        if "drops-axis" not in api.traits:
            return 0
        place = api.parameters.index("keepdims") if "keepdims" in api.parameters else None
        keeps = argument(node, "keepdims", place)
        if keeps is None:
            return -1
        if not isinstance(keeps, ast.Constant):
            raise NotBatchable("keepdims that is not written out")
        return 0 if keeps.value else -1

    def _is_negative(self, axis: ast.expr, scope: Scope) -> bool:
        if (
            isinstance(axis, ast.UnaryOp)
            and isinstance(axis.op, ast.USub)
            and isinstance(axis.operand, ast.Constant)
        ):
            return isinstance(axis.operand.value, int) and axis.operand.value > 0
        value = self.project.inference.one(axis, scope)
        return isinstance(value, Const) and isinstance(value.value, int) and value.value < 0

    @staticmethod
    def _joined(parts: Structure, name: str, node: ast.Call) -> Element:
        """Tensors that are joined along an axis have one rank, or the op would fail."""
        if not parts.parts or not all(isinstance(part, Element) for _, part in parts.parts):
            raise NotBatchable("an operand from outside whose rank is unknown")
        return Element(f"{name}@{node.lineno}:{node.col_offset}")
