"""What Python's own functions and loops give, as far as inference needs it."""

from __future__ import annotations

import ast
import builtins
from typing import TYPE_CHECKING

from deepperf.facts.definitions import Definition
from deepperf.facts.scopes import Scope
from deepperf.facts.values import UNKNOWN, Api, Const, Frame, Made, Pipeline, Plain, Sequence, Value, Values

if TYPE_CHECKING:
    from deepperf.facts.infer import Inference

_BUILTINS = frozenset(dir(builtins))
_NUMBERS = {
    "int",
    "float",
    "len",
    "abs",
    "round",
    "sum",
    "min",
    "max",
    "ord",
    "hash",
    "id",
    "complex",
    "pow",
    "divmod",
}
_STRINGS = {"str", "repr", "chr", "format", "input", "bin", "hex", "oct", "ascii"}
_BOOLS = {"bool", "isinstance", "hasattr", "callable", "all", "any", "issubclass"}
_SEQUENCES = {
    "list": "list",
    "tuple": "tuple",
    "set": "set",
    "dict": "dict",
    "sorted": "list",
    "frozenset": "set",
}


# What gives all variables of a graph or a model, as a list.
_VARIABLE_LISTS = frozenset(
    "trainable_variables global_variables local_variables model_variables trainable_weights weights variables".split()
)


def is_builtin(name: str) -> bool:
    """Tell whether a name that nothing binds is Python's own."""
    return name in _BUILTINS


def builtin_result(
    inference: Inference, name: str, node: ast.Call, scope: Scope, frame: Frame | None
) -> Values:
    """Return what calling a builtin function gives."""
    if name in ("sum", "min", "max", "abs", "round", "pow") and node.args:
        operand = inference.values(node.args[0], scope, frame)
        if any(isinstance(value, Made) for value in operand) or UNKNOWN in operand:
            return tuple(v if isinstance(v, Made) else UNKNOWN for v in operand)
    if name in _NUMBERS:
        return (Plain("number"),)
    if name in _STRINGS:
        return (Plain("string"),)
    if name in _BOOLS:
        return (Plain("bool"),)
    if name in _SEQUENCES:
        return _sequence(inference, _SEQUENCES[name], node, scope, frame)
    if name == "range":
        return (Sequence("range", None, scope, frame),)
    if name in ("iter", "reversed", "next") and node.args:
        found = inference.values(node.args[0], scope, frame)
        if name == "iter":
            return found
        if name == "next":
            return tuple({id(e): e for v in found for e in item_of(v, scope)}.values())
    if name == "getattr" and len(node.args) >= 2 and isinstance(node.args[1], ast.Constant):
        attribute = ast.Attribute(value=node.args[0], attr=str(node.args[1].value), ctx=ast.Load())
        found = tuple(
            inference.member(v, attribute, scope)[0] for v in inference.values(node.args[0], scope, frame)
        )
        return found or (UNKNOWN,)
    return (UNKNOWN,)


def _sequence(inference: Inference, kind: str, node: ast.Call, scope: Scope, frame: Frame | None) -> Values:
    if len(node.args) == 1:
        inner = inference.one(node.args[0], scope, frame)
        if isinstance(inner, Sequence) and inner.elements is not None and kind != "dict":
            return (Sequence(kind, inner.elements, inner.scope, inner.frame),)
    return (Sequence(kind, () if not node.args and not node.keywords else None, scope, frame),)


def item_of(value: Value, scope: Scope) -> Values:
    """Return what iterating over a value gives."""
    if isinstance(value, Pipeline):
        return (Made("tensor", "tensorflow.data.Dataset", value.step.call),)
    if isinstance(value, Made) and value.kind in ("tensor", "array", "loader"):
        return (Made("tensor" if value.kind == "loader" else value.kind, value.api, value.node),)
    if isinstance(value, Made) and _lists_variables(value):
        return (Made("variable", "tensorflow.Variable", value.node),)
    if isinstance(value, Sequence) and value.kind == "range":
        return (Plain("number"),)
    if isinstance(value, Const) and isinstance(value.value, str):
        return (Plain("string"),)
    return (UNKNOWN,)


def _lists_variables(value: Made) -> bool:
    """Tell whether a value is a list of variables: by the name of what gives it, or by the collection it is."""
    last = value.api.rpartition(".")[2]
    if (
        last in ("get_collection", "get_collection_ref")
        and isinstance(value.node, ast.Call)
        and value.node.args
    ):
        key = value.node.args[0]
        name = key.attr if isinstance(key, ast.Attribute) else getattr(key, "value", "")
        return isinstance(name, str) and name.lower() in _VARIABLE_LISTS
    return last in _VARIABLE_LISTS


def element_of(inference: Inference, definition: Definition, frame: Frame | None) -> Values:
    """Return what the target of a loop or comprehension holds."""
    node, path, scope = definition.value, definition.path, definition.scope
    if node is None:
        return (UNKNOWN,)
    if isinstance(node, ast.Call) and node.args:
        callee = inference.api(node.func, scope, frame)
        if callee == "builtins.enumerate":
            if path[:1] == (0,):
                return (Plain("number"),)
            node, path = node.args[0], path[1:]
        elif callee == "builtins.zip" and path and 0 <= path[0] < len(node.args):
            node, path = node.args[path[0]], path[1:]
    found: list[Value] = []
    for value in inference.values(node, scope, frame):
        if isinstance(value, Sequence) and value.elements and not path and len(value.elements) <= 8:
            for element in value.elements:
                found.extend(inference.values(element, value.scope, value.frame))
        else:
            found.extend(item_of(value, scope))
    unique = list(dict.fromkeys(found))
    return tuple(unique) if unique and len(unique) <= 8 else (UNKNOWN,)


def is_immutable(value: Value) -> bool:
    """Tell whether nothing can change the value in place, so that only rebinding its name can vary it."""
    if isinstance(value, Const | Plain | Api):
        return True
    if isinstance(value, Made):
        if value.kind == "tensor" and value.api.startswith("torch"):
            return False
        return value.kind in ("tensor", "number", "string", "function", "plain", "graph", "session", "none")
    if isinstance(value, Sequence):
        return value.kind == "range"
    return type(value).__name__ in ("Func", "LambdaRef", "ClassRef", "ModuleRef", "Pipeline")
