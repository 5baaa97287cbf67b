"""What operators and subscripts give."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.scopes import Scope
from deepperf.facts.syntax import dotted_name
from deepperf.facts.values import UNKNOWN, Const, Frame, Made, Pipeline, Plain, Sequence, Value, Values, merge

if TYPE_CHECKING:
    from deepperf.facts.infer import Inference

_NOTHING: Values = (UNKNOWN,)


def operator_result(
    inference: Inference, node: ast.Compare | ast.BinOp | ast.UnaryOp, scope: Scope, frame: Frame | None
) -> Values:
    """Return what an operator gives."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
    else:
        operands = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.operand]
    found = [inference.values(operand, scope, frame) for operand in operands]
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        numbers = [v.value for v in found[0] if isinstance(v, Const) and isinstance(v.value, int | float)]
        if len(numbers) == len(found[0]):
            return tuple(Const(-number) for number in numbers)
    return combined(found, node)


def combined(operands: list[Values], node: ast.AST) -> Values:
    """Return what an operator makes of its operands: a tensor of any tensor, a number of numbers."""
    for group in operands:
        for value in group:
            if isinstance(value, Made) and value.kind in ("tensor", "variable", "array"):
                return (Made("tensor" if value.kind == "variable" else value.kind, value.api, node),)
    if isinstance(node, ast.Compare):
        return (Plain("bool"),) if all(UNKNOWN not in group for group in operands) else _NOTHING
    kinds = {_plain_kind(value) for group in operands for value in group}
    if None in kinds:
        return _NOTHING
    return (Plain("string" if "string" in kinds else "number"),)


def _plain_kind(value: Value) -> str | None:
    """Return whether a value is a `number` or a `string`, None for anything else."""
    if isinstance(value, Plain):
        return "string" if value.kind == "string" else "number"
    if isinstance(value, Const) and isinstance(value.value, str | int | float | complex):
        return "string" if isinstance(value.value, str) else "number"
    return None


def has_items_stored(node: ast.expr, scope: Scope) -> bool:
    """Tell whether an item of what a name or field holds is assigned to in a scope."""
    path = dotted_name(node)
    if path is None:
        return False
    stores = scope.module.index.stores.get(path.rpartition(".")[2], ())
    return any(
        isinstance(store.node, ast.Subscript)
        and store.scope is scope
        and dotted_name(store.node.value) == path
        for store in stores
    )


def item_result(inference: Inference, node: ast.Subscript, scope: Scope, frame: Frame | None) -> Values:
    """Return what an item or a slice of a value is."""
    index = node.slice.value if isinstance(node.slice, ast.Constant) else None
    groups: list[Values] = []
    for value in inference.values(node.value, scope, frame):
        if isinstance(value, Made) and value.kind in ("tensor", "array", "variable"):
            groups.append((Made("tensor" if value.kind == "variable" else value.kind, value.api, node),))
        elif isinstance(value, Sequence) and value.kind != "dict" and isinstance(index, int):
            is_known = not has_items_stored(node.value, scope)
            groups.append(inference.element(value, (index,)) if is_known else _NOTHING)
        elif isinstance(index, int) and isinstance(node.value, ast.Attribute) and node.value.attr == "shape":
            groups.append((Plain("number"),))
        elif (
            isinstance(value, Pipeline)
            and isinstance(index, str)
            and value.step.name == "tensorflow_datasets.load"
        ):
            groups.append((value,))
        else:
            groups.append(_NOTHING)
    return merge(groups)
