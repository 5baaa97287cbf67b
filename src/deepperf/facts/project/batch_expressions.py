"""What expressions give on the symbols of a dataset function."""

from __future__ import annotations

import ast
from abc import abstractmethod

from deepperf.facts.project.batch_operations import Operations
from deepperf.facts.project.symbols import Element, Env, Fixed, NotBatchable, Structure, Symbol, origins
from deepperf.facts.values import Api, Const, Func, Plain


class Expressions(Operations):
    """Evaluates expressions on symbols."""

    @abstractmethod
    def called(self, value: Func, node: ast.Call, env: Env) -> Symbol:
        """Return what a call of a project function gives."""

    def evaluate(self, node: ast.expr, env: Env) -> Symbol:
        """Return the symbol of an expression.

        Raises:
            NotBatchable: the expression may do another thing with a batch than with each element.
        """
        if isinstance(node, ast.Name) and node.id in env.local:
            return env.local[node.id]
        if isinstance(node, ast.Constant):
            return Fixed(scalar=isinstance(node.value, int | float))
        if isinstance(node, ast.Tuple | ast.List):
            parts = tuple((i, self.evaluate(e, env)) for i, e in enumerate(node.elts))
            return Structure(parts, is_list=isinstance(node, ast.List))
        if isinstance(node, ast.Dict):
            return self._dict(node, env)
        if isinstance(node, ast.DictComp):
            return self._dict_comprehension(node, env)
        if isinstance(node, ast.Subscript):
            return self._subscript(node, env)
        if isinstance(node, ast.Call):
            return self._call(node, env)
        if isinstance(node, ast.Name | ast.Attribute):
            return self._outside(node, env)
        return self.combine([self.evaluate(part, env) for part in _operands(node)], "operator", node, env)

    def _dict(self, node: ast.Dict, env: Env) -> Symbol:
        parts: list[tuple[object, Symbol]] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                rest = self.evaluate(value, env)
                parts.extend(rest.parts if isinstance(rest, Structure) else (("*", rest),))
                continue
            if not isinstance(key, ast.Constant):
                raise NotBatchable("a dict with computed keys")
            parts.append((key.value, self.evaluate(value, env)))
        return Structure(tuple(parts))

    def _dict_comprehension(self, node: ast.DictComp, env: Env) -> Symbol:
        """`{name: f(value) for name, value in features.items()}` does the same to each feature of an element."""
        generator = node.generators[0]
        held = self._all_items(generator.iter, env)
        if len(node.generators) > 1 or generator.ifs or not isinstance(held, Element):
            raise NotBatchable("a comprehension")
        target = generator.target
        names = (
            [n.id for n in target.elts if isinstance(n, ast.Name)] if isinstance(target, ast.Tuple) else []
        )
        if len(names) != 2 or not isinstance(node.key, ast.Name) or node.key.id != names[0]:
            raise NotBatchable("a comprehension")
        self.whole.add(held.origin)
        local = {**env.local, names[0]: Fixed(False), names[1]: held.part("*")}
        return Structure((("*", self.evaluate(node.value, Env(env.scope, local))),))

    def _all_items(self, node: ast.expr, env: Env) -> Symbol | None:
        if (
            not isinstance(node, ast.Call)
            or not isinstance(node.func, ast.Attribute)
            or node.func.attr != "items"
        ):
            return None
        return self.evaluate(node.func.value, env)

    def _subscript(self, node: ast.Subscript, env: Env) -> Symbol:
        value = self.evaluate(node.value, env)
        if isinstance(value, Fixed):
            return Fixed(False)
        key = self.project.inference.one(node.slice, env.scope)
        if isinstance(key, Const) and (isinstance(key.value, str) or isinstance(value, Structure)):
            return self.item(value, key.value)
        if isinstance(value, Element):
            return self.cut_at_end(node, value, env)
        raise NotBatchable("an item of a tensor")

    @staticmethod
    def item(value: Symbol, key: object) -> Symbol:
        """Return one part of a structure."""
        if isinstance(value, Structure):
            parts = dict(value.parts)
            if key in parts:
                return parts[key]
            rest = parts.get("*")
            if isinstance(rest, Element) and isinstance(key, str):
                return rest.part(key)
        if isinstance(value, Element) and isinstance(key, str) and value.rank == 0:
            return value.part(key)
        raise NotBatchable("an item of a tensor")

    def _outside(self, node: ast.expr, env: Env) -> Symbol:
        if isinstance(node, ast.Attribute):
            root: ast.expr = node
            while isinstance(root, ast.Attribute):
                root = root.value
            if isinstance(root, ast.Name) and not isinstance(env.local.get(root.id, Fixed(False)), Fixed):
                raise NotBatchable("an attribute of a tensor")
        values = self.project.inference.values(node, env.scope)
        return Fixed(
            scalar=all(
                (isinstance(v, Const) and isinstance(v.value, int | float))
                or (isinstance(v, Plain) and v.kind == "number")
                for v in values
            )
        )

    def _call(self, node: ast.Call, env: Env) -> Symbol:
        if isinstance(node.func, ast.Attribute) and node.func.attr == "pop":
            return self._pop(node, node.func.value, env)
        values = self.project.inference.values(node.func, env.scope)
        value = values[0] if len(values) == 1 else None
        if isinstance(value, Func) and value.given is None:
            return self.called(value, node, env)
        if isinstance(value, Api):
            return self.api(value.name, node, env)
        raise NotBatchable("a call that cannot be followed")

    def _pop(self, node: ast.Call, holder: ast.expr, env: Env) -> Symbol:
        """`features.pop("label")` takes one feature out of an element."""
        key = node.args[0] if len(node.args) == 1 and not node.keywords else None
        held = env.local.get(holder.id) if isinstance(holder, ast.Name) else None
        if not isinstance(holder, ast.Name) or not isinstance(held, Element | Structure):
            raise NotBatchable("a change of something outside")
        if not isinstance(key, ast.Constant) or not isinstance(key.value, str):
            raise NotBatchable("an item assignment")
        taken = self.item(held, key.value)
        self.taken.update(origins(taken))
        parts = held.parts if isinstance(held, Structure) else (("*", held),)
        env.local[holder.id] = Structure(tuple(part for part in parts if part[0] != key.value))
        return taken


# `==` compares the objects where TensorFlow 1 runs.
_ORDERS = ([ast.Lt], [ast.LtE], [ast.Gt], [ast.GtE])


def _operands(node: ast.expr) -> list[ast.expr]:
    """Return the operands of an operator that works element by element."""
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
        return [node.left, node.right]
    if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
        return [node.operand]
    if isinstance(node, ast.Compare) and [type(sign) for sign in node.ops] in _ORDERS:
        return [node.left, *node.comparators]
    raise NotBatchable(type(node).__name__)
