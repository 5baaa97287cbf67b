"""What operations give on the symbols of a dataset function."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from deepperf.facts.project.symbols import (
    Batchable,
    Element,
    Env,
    Fixed,
    NotBatchable,
    Shape,
    Structure,
    Symbol,
)
from deepperf.facts.syntax import argument
from deepperf.facts.values import Api as ApiValue
from deepperf.facts.values import Const, Made, Sequence
from deepperf.knowledge import Api, lookup

if TYPE_CHECKING:
    from deepperf.facts.project import Project


class Operations(ABC):
    """Runs operations on symbols.

    `proof` collects what was done. `whole` are the parts of the element that went in as they came, `taken` those that were
    taken out of it.
    """

    def __init__(self, project: Project) -> None:
        self.project = project
        self.proof = Batchable()
        self.whole: set[str] = set()
        self.taken: set[str] = set()

    @abstractmethod
    def evaluate(self, node: ast.expr, env: Env) -> Symbol:
        """Return the symbol of an expression."""

    def api(self, name: str, node: ast.Call, env: Env) -> Symbol:
        """Return what a call of an API gives."""
        api = lookup(name)
        if "heavy" in api.traits:
            raise NotBatchable(f"{name} does so much that the call costs nothing beside it")
        if api.known and not api.effects and api.returns in ("plain", "number", "string"):
            return Fixed(False)
        if api.twin:
            return self._record(api, node, env)
        if "axis" in api.traits:
            return self._along_axis(api, node, env)
        is_select = "select" in api.traits and len(node.args) + len(node.keywords) >= 3
        if is_select or api.traits & {"elementwise", "image-4d"}:
            result = self._elementwise(name, node, env)
            # Told the size of its result, an op makes images of all sizes equal.
            return self._evened(result) if "target_height" in api.parameters else result
        raise NotBatchable(name)

    def combine(self, operands: list[Symbol], name: str, node: ast.AST, env: Env) -> Symbol:
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
        self.proof.operations.append((name, env.scope.module.source.place(node)))
        return elements.pop()

    def _evened(self, result: Symbol) -> Symbol:
        """Note an operation that may give one shape for all elements where they came with different ones."""
        if isinstance(result, Element):
            if result.shape is Shape.VARYING:
                raise NotBatchable("elements of different shapes")
            self.proof.evens |= result.shape is Shape.OF_SOURCE
        return result

    def _record(self, api: Api, node: ast.Call, env: Env) -> Symbol:
        """A parser of one record, which has a twin for many."""
        record = argument(node, api.parameters[0], 0)
        source = self.evaluate(record, env) if record is not None else None
        if not isinstance(source, Element) or "sequence_features" in api.parameters:
            raise NotBatchable("no record of the element, or one whose twin gives another structure")
        self.whole.add(source.origin)
        self.proof.twins.append((api.name, api.twin, env.scope.module.source.place(node)))
        features = argument(node, "features", 1)
        is_fixed = features is not None and self._has_fixed_lengths(features, env)
        origin = f"{api.name}@{node.lineno}:{node.col_offset}"
        return Element(origin, 0, Shape.SAME if is_fixed else Shape.VARYING)

    def _has_fixed_lengths(self, features: ast.expr, env: Env) -> bool:
        """Tell whether each feature of a record has one length for sure."""
        infer = self.project.inference
        written = infer.one(features, env.scope)
        if not isinstance(written, Sequence) or written.elements is None:
            return False
        made = [infer.one(element, written.scope, written.frame) for element in written.elements]
        return all(isinstance(value, Made) and value.api == "tensorflow.io.FixedLenFeature" for value in made)

    def _elementwise(self, name: str, node: ast.Call, env: Env) -> Symbol:
        parts = (*node.args, *(keyword.value for keyword in node.keywords))
        operands = [self.evaluate(part, env) for part in parts if not self._is_setting(part, env)]
        return self.combine(operands, name, node, env)

    def _is_setting(self, node: ast.expr, env: Env) -> bool:
        """Whether an argument only sets how the op works: a dtype, a string, a boolean."""
        if isinstance(node, ast.Constant):
            return isinstance(node.value, str | bool) or node.value is None
        if isinstance(node, ast.Name) and node.id in env.local:
            return False
        return isinstance(self.project.inference.one(node, env.scope), ApiValue)

    def _along_axis(self, api: Api, node: ast.Call, env: Env) -> Symbol:
        """An op along an axis counted from the end does on a batch what it does on an element."""
        parameters = api.parameters
        axis = argument(node, "axis", parameters.index("axis") if "axis" in parameters else None)
        counted_from_end = "last-axis" in api.traits if axis is None else self._is_negative(axis, env)
        if not counted_from_end:
            raise NotBatchable("an axis counted from the front")
        first = argument(node, parameters[0], 0) if parameters else None
        if first is None:
            raise NotBatchable("an op without a visible operand")
        for other in (*node.args, *(keyword.value for keyword in node.keywords)):
            if other is not first and not isinstance(self.evaluate(other, env), Fixed):
                raise NotBatchable("a setting that each element has for itself")
        operand = self.evaluate(first, env)
        if isinstance(operand, Structure):
            operand = self._joined(operand)
        result = self.combine([operand], api.name, node, env)
        if not isinstance(result, Element):
            return result
        if "drops-axis" in api.traits:
            self._evened(result)
        return Element(result.origin, result.rank + self._rank_change(api, node), result.shape)

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

    def _is_negative(self, axis: ast.expr, env: Env) -> bool:
        if (
            isinstance(axis, ast.UnaryOp)
            and isinstance(axis.op, ast.USub)
            and isinstance(axis.operand, ast.Constant)
        ):
            return isinstance(axis.operand.value, int) and axis.operand.value > 0
        value = self.project.inference.one(axis, env.scope)
        return isinstance(value, Const) and isinstance(value.value, int) and value.value < 0

    def _joined(self, parts: Structure) -> Element:
        """Tensors that are joined along an axis have one rank, or the op would fail: that of the first."""
        elements = [part for _, part in parts.parts if isinstance(part, Element)]
        if not elements or len(elements) != len(parts.parts):
            raise NotBatchable("an operand from outside whose rank is unknown")
        self.whole.update(element.origin for element in elements)
        return elements[0]

    def cut_at_end(self, node: ast.Subscript, value: Element, env: Env) -> Symbol:
        """An index that starts with `...` counts the axes from the end: `image[..., 0]`, `image[..., tf.newaxis]`."""
        items = node.slice.elts if isinstance(node.slice, ast.Tuple) else []
        if not items or not (isinstance(items[0], ast.Constant) and items[0].value is Ellipsis):
            raise NotBatchable("an item of a tensor")
        change = 0
        for item in items[1:]:
            if isinstance(item, ast.Slice):
                bounds = [self.evaluate(part, env) for part in (item.lower, item.upper, item.step) if part]
                if not all(isinstance(bound, Fixed) for bound in bounds):
                    raise NotBatchable("a slice that each element has for itself")
                if item.lower or item.upper:
                    self._evened(value)
                continue
            index = self.project.inference.one(item, env.scope)
            if index in (Const(None), ApiValue("tensorflow.newaxis")):
                change += 1
            elif (isinstance(index, Const) and isinstance(index.value, int)) or self._is_negative(item, env):
                change -= 1
                self._evened(value)
            else:
                raise NotBatchable("an item of a tensor")
        cut = self.combine([value], "indexing", node, env)
        return Element(value.origin, value.rank + change, value.shape) if isinstance(cut, Element) else cut
