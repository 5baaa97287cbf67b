"""Which tensor a loop goes through, and how its body speaks of one row."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.loops import Loop
from deepperf.facts.scopes import Scope
from deepperf.facts.syntax import dotted_name, target_names
from deepperf.facts.values import Made
from deepperf.knowledge import lookup

if TYPE_CHECKING:
    from deepperf.facts.infer import Inference

_TENSORS = ("tensor", "variable")
# Ops that give several tensors.
_SPLITTING = frozenset(
    "split unstack unbind meshgrid while_loop cond dynamic_partition chunk tensor_split hsplit vsplit moments nonzero topk "
    "top_k unique sort max min qr svd eigh gradients gradient map_fn scan broadcast_tensors".split()
)
_SHAPES = frozenset({"tensorflow.shape", "keras.backend.shape", "keras.ops.shape", "keras.backend.int_shape"})


class Rows(NamedTuple):
    """The rows a loop runs over: of `tensor`, spoken of by an index with one of `counters`, or by one of the names `items`."""

    tensor: str
    counters: frozenset[str]
    items: frozenset[str]
    is_tensor: bool

    def is_row(self, node: ast.expr) -> bool:
        """Tell whether an expression is one row: the loop's variable, or an index that the counter alone sets."""
        if isinstance(node, ast.Name):
            return node.id in self.items
        if not isinstance(node, ast.Subscript) or dotted_name(node.value) is None:
            return False
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        by_counter = [part for part in parts if self._is_place(part)]
        rest = [part for part in parts if part not in by_counter]
        return len(by_counter) == 1 and all(_is_whole(part) for part in rest)

    def _is_place(self, node: ast.expr) -> bool:
        """Tell whether an index is the counter, or `i : i + 1`."""
        if isinstance(node, ast.Slice):
            upper = node.upper
            return (
                node.lower is not None
                and self._is_place(node.lower)
                and isinstance(upper, ast.BinOp)
                and isinstance(upper.op, ast.Add)
                and self._is_place(upper.left)
                and isinstance(upper.right, ast.Constant)
                and upper.right.value == 1
            )
        return isinstance(node, ast.Name) and node.id in self.counters


def rows_of(loop: Loop, inference: Inference) -> Rows | None:
    """Return the rows that a loop runs over, None if it does not surely run over those of a tensor."""
    assert not isinstance(loop.node, ast.While)
    iterated, target = loop.node.iter, loop.node.target
    name = inference.api(iterated.func, loop.scope) if isinstance(iterated, ast.Call) else None
    arguments = iterated.args if isinstance(iterated, ast.Call) else []
    if (
        name in ("builtins.range", "tensorflow.range")
        and isinstance(target, ast.Name)
        and len(arguments) == 1
    ):
        sized = _sized(arguments[0], loop.scope, inference)
        return Rows(sized[0], frozenset({target.id}), frozenset(), sized[1]) if sized else None
    counters: frozenset[str] = frozenset()
    if name == "builtins.enumerate" and len(arguments) == 1 and isinstance(target, ast.Tuple):
        counters = frozenset(target_names(target.elts[0]))
        iterated, target = arguments[0], target.elts[-1]
        name = inference.api(iterated.func, loop.scope) if isinstance(iterated, ast.Call) else None
        arguments = iterated.args if isinstance(iterated, ast.Call) else []
    tensors = arguments if name == "builtins.zip" else [iterated]
    if not tensors or not all(
        is_tensor(_unstacked(part, loop.scope, inference), loop.scope, inference) for part in tensors
    ):
        return None
    spelled = ", ".join(ast.unparse(_unstacked(part, loop.scope, inference)) for part in tensors)
    return Rows(spelled, counters, frozenset(target_names(target)), True)


def is_tensor(node: ast.expr, scope: Scope, inference: Inference) -> bool:
    """Tell whether an expression is surely one tensor, and no list of them."""
    found = inference.values(node, scope)
    return all(
        isinstance(value, Made) and value.kind in _TENSORS and not _may_be_list(value) for value in found
    ) and not _is_asked_for_lists(node, scope)


def _may_be_list(value: Made) -> bool:
    """Tell whether what is called a tensor may be a list of them: what a model gives, or an op that splits."""
    kind = lookup(value.api).returns
    return kind in ("model", "layer", "function") or value.api.rpartition(".")[2] in _SPLITTING


def _is_asked_for_lists(node: ast.expr, scope: Scope) -> bool:
    """Tell whether the function asks if something is a list or a tuple: then it may well be one."""
    path = dotted_name(node)
    return path is not None and any(
        isinstance(call.node.func, ast.Name)
        and call.node.func.id == "isinstance"
        and bool(call.node.args)
        and dotted_name(call.node.args[0]) == path
        for call in scope.module.index.calls
        if call.scope is scope
    )


def _unstacked(node: ast.expr, scope: Scope, inference: Inference) -> ast.expr:
    """`tf.unstack(x)` is gone through as `x` is."""
    if isinstance(node, ast.Call) and len(node.args) == 1:
        name = inference.api(node.func, scope)
        if name in ("tensorflow.unstack", "torch.unbind", "keras.ops.unstack"):
            return node.args[0]
    return node


def _sized(node: ast.expr, scope: Scope, inference: Inference) -> tuple[str, bool] | None:
    """Return the tensor whose size a number is, and whether it is sure that it is a tensor and no array."""
    if isinstance(node, ast.Name):
        definitions = scope.module.definitions(node, scope)
        only = definitions[0] if len(definitions) == 1 else None
        if only is None or only.kind != "assign" or only.value is None or only.scope is not scope:
            return None
        node = only.value
        if only.path:
            return _shaped(node, scope, inference) if len(only.path) == 1 else None
    if isinstance(node, ast.Call) and len(node.args) == 1:
        name = inference.api(node.func, scope)
        if name == "builtins.len" and is_tensor(node.args[0], scope, inference):
            return ast.unparse(node.args[0]), True
        if name == "builtins.int":
            return _sized(node.args[0], scope, inference)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "size" and name is None:
            return ast.unparse(node.func.value), True
    return _shaped(node.value, scope, inference) if isinstance(node, ast.Subscript) else None


def _shaped(node: ast.expr, scope: Scope, inference: Inference) -> tuple[str, bool] | None:
    """Return the tensor whose shape an expression is."""
    if isinstance(node, ast.Attribute) and node.attr == "shape":
        return ast.unparse(node.value), is_tensor(node.value, scope, inference)
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr in ("size", "get_shape") and not node.args:
        return ast.unparse(node.func.value), True
    if isinstance(node.func, ast.Attribute) and node.func.attr == "as_list":
        return _shaped(node.func.value, scope, inference)
    is_shape = inference.api(node.func, scope) in _SHAPES
    return (ast.unparse(node.args[0]), True) if is_shape and node.args else None


def _is_whole(node: ast.expr) -> bool:
    """Tell whether an index leaves an axis as it is, or takes a fixed part of it."""
    if isinstance(node, ast.Slice):
        return node.lower is node.upper is node.step is None
    return isinstance(node, ast.Constant)
