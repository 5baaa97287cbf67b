"""Loops: how often they run, and what they run over."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from enum import Enum
from typing import TYPE_CHECKING

from deepperf.facts.operators import has_items_stored
from deepperf.facts.pipelines import Step
from deepperf.facts.scopes import Context, Located, Scope
from deepperf.facts.syntax import LoopNode, runs_in, start
from deepperf.facts.values import UNKNOWN, Api, Const, Made, Pipeline, Sequence, Value
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.infer import Inference

FEW = 10
_DICT_VIEWS = ("items", "keys", "values")
_ARITHMETIC: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}
_GROWERS = frozenset({"append", "extend", "insert", "add", "update", "appendleft"})


class Trips(Enum):
    """How often a loop's body runs."""

    ONCE = "once"
    FEW = "few"
    MANY = "many"
    UNKNOWN = "unknown"


class LoopKind(Enum):
    """What a loop runs over."""

    DATA = "data"
    EPOCHS = "epochs"
    COUNTED = "counted"
    LITERAL = "literal"
    WHILE = "while"
    OTHER = "other"


class Loop:
    """A `for`, a `while` or one `for` of a comprehension."""

    def __init__(self, context: Context, inference: Inference) -> None:
        self.context = context
        self.node: LoopNode = context.node  # type: ignore[assignment]
        self.scope: Scope = context.scope
        self.owner = context.owner
        self._inference = inference

    def __repr__(self) -> str:
        return f"<loop {self.kind.value} {self.trips.value} line {self.line}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Loop) and other.node is self.node

    def __hash__(self) -> int:
        return hash(self.node)

    @property
    def header(self) -> ast.AST:
        """The node to point at: the iterable, or the test of a `while`."""
        return self.node.test if isinstance(self.node, ast.While) else self.node.iter

    @property
    def line(self) -> int:
        """The line the loop starts on, in the module's own numbering."""
        return (
            start(self.node)[0]
            if not isinstance(self.node, ast.comprehension)
            else start(self.node.target)[0]
        )

    @property
    def is_comprehension(self) -> bool:
        """Whether it is part of a comprehension or generator expression."""
        return isinstance(self.node, ast.comprehension)

    def place(self, message: str) -> Place:
        """Return the place of the loop's header."""
        return self.scope.module.source.place(self.header, message)

    def runs(self, node: ast.AST) -> bool:
        """Tell whether a node of the same function is evaluated on each pass."""
        return runs_in(node, self.node, self.owner)

    @property
    def iterated(self) -> tuple[Value, ...]:
        """What the loop runs over; nothing for a `while`."""
        if isinstance(self.node, ast.While):
            return ()
        return self._inference.values(_stripped(self.node.iter, self._inference, self.scope), self.scope)

    @property
    def kind(self) -> LoopKind:
        """What the loop runs over."""
        if isinstance(self.node, ast.While):
            return LoopKind.WHILE
        for value in self.iterated:
            if isinstance(value, Pipeline) or (
                isinstance(value, Made) and value.kind in ("loader", "dataset", "iterator")
            ):
                return LoopKind.DATA
            if isinstance(value, Sequence) and value.elements is not None:
                return LoopKind.LITERAL
        names = {n.id.lower() for n in ast.walk(self.node.target) if isinstance(n, ast.Name)}
        if any("epoch" in name for name in names):
            return LoopKind.EPOCHS
        return LoopKind.COUNTED if self._range_arguments() is not None else LoopKind.OTHER

    @property
    def over_tensor(self) -> bool:
        """Whether AutoGraph would turn the loop into a graph loop: it runs over a tensor, `tf.range` or a dataset."""
        if isinstance(self.node, ast.While):
            return any(
                isinstance(value, Made) and value.kind in ("tensor", "variable")
                for value in self._inference.values(self.node.test, self.scope)
            )
        return any(
            isinstance(value, Pipeline)
            or (isinstance(value, Made) and value.kind in ("tensor", "iterator", "variable"))
            for value in self.iterated
        )

    def _range_arguments(self) -> list[ast.expr] | None:
        node = (
            None
            if isinstance(self.node, ast.While)
            else _stripped(self.node.iter, self._inference, self.scope)
        )
        if isinstance(node, ast.Call) and node.args:
            name = self._inference.api(node.func, self.scope)
            spelled = node.func.id if isinstance(node.func, ast.Name) else ""
            if name == "builtins.range" or spelled == "xrange" or _is_trange(name or ""):
                return node.args
        return None

    @property
    def trips(self) -> Trips:
        """How often the body runs, as far as the code says."""
        if self.leaves_in_first_pass:
            return Trips.ONCE
        counted = self._range_arguments()
        if counted is not None:
            return self._counted(counted)
        for value in self.iterated:
            if isinstance(value, Sequence) and value.elements is not None:
                if UNKNOWN in self.iterated or self._may_grow():
                    break
                return _by_number(len(value.elements))
            if isinstance(value, Pipeline) and (taken := self._taken(value.step)) is not None:
                return _by_number(taken)
            if isinstance(value, Const) and isinstance(value.value, str | bytes):
                return _by_number(len(value.value))
        return Trips.MANY if self.kind is LoopKind.DATA else Trips.UNKNOWN

    def _taken(self, step: Step) -> int | None:
        """Return how many elements a dataset has whose last step takes only so many."""
        if step.short != "take" or not isinstance(step.call, ast.Call) or len(step.call.args) != 1:
            return None
        value = self._inference.one(step.call.args[0], step.scope, step.frame)
        number = value.value if isinstance(value, Const) else None
        return number if isinstance(number, int) and number >= 0 else None

    def _may_grow(self) -> bool:
        """Whether what the loop runs over is added to somewhere, or unpacks others."""
        if isinstance(self.node, ast.While):
            return False
        return _may_grow(_stripped(self.node.iter, self._inference, self.scope), self.scope)

    @property
    def is_written_short(self) -> bool:
        """Whether the loop's own line shows that it has few passes: a short literal, `range(3)`."""
        if isinstance(self.node, ast.While) or self.trips is not Trips.FEW:
            return False
        node = _stripped(self.node.iter, self._inference, self.scope)
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict | ast.Constant):
            return True
        return isinstance(node, ast.Call) and all(
            isinstance(a, ast.Constant | ast.UnaryOp) for a in node.args
        )

    def _counted(self, arguments: list[ast.expr]) -> Trips:
        numbers = [self._number(argument) for argument in arguments]
        if None in numbers:
            return Trips.UNKNOWN
        known = [number for number in numbers if number is not None]
        if len(known) > 3 or (len(known) == 3 and known[2] == 0):
            return Trips.UNKNOWN
        # A range may be longer than `len` can say.
        return _by_number(len(range(*known)[: FEW + 1]))

    def _number(self, node: ast.expr) -> int | None:
        if isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
            left, right = self._number(node.left), self._number(node.right)
            return None if left is None or right is None else _ARITHMETIC[type(node.op)](left, right)
        if (
            isinstance(node, ast.Call)
            and len(node.args) == 1
            and self._inference.api(node.func, self.scope) == "builtins.len"
        ):
            return self._length(node.args[0])
        value = self._inference.one(node, self.scope)
        if isinstance(value, Const) and type(value.value) is int:
            return value.value
        return None

    def _length(self, node: ast.expr) -> int | None:
        value = self._inference.one(node, self.scope)
        if isinstance(value, Sequence) and value.elements is not None and not _may_grow(node, self.scope):
            return len(value.elements)
        return None

    @property
    def leaves_in_first_pass(self) -> bool:
        """Whether the body ends the loop at its own end, so that there is no second pass."""
        if isinstance(self.node, ast.comprehension):
            return False
        return _leaves(self.node.body) and not any(_continues(statement) for statement in self.node.body)


def _leaves(block: list[ast.stmt]) -> bool:
    """Tell whether the end of a block of statements always leaves the loop around it."""
    last = block[-1] if block else None
    if isinstance(last, ast.If):
        return _leaves(last.body) and _leaves(last.orelse)
    if isinstance(last, ast.With | ast.AsyncWith):
        return _leaves(last.body)
    return isinstance(last, ast.Break | ast.Return | ast.Raise)


def _continues(node: ast.AST) -> bool:
    """Tell whether a statement may start the next pass of the loop around it, which is not that of a loop inside."""
    if isinstance(node, ast.For | ast.AsyncFor | ast.While):
        return any(_continues(child) for child in node.orelse)
    return isinstance(node, ast.Continue) or any(
        _continues(child)
        for child in ast.iter_child_nodes(node)
        if isinstance(child, ast.stmt | ast.ExceptHandler | ast.match_case)
    )


def _may_grow(node: ast.expr, scope: Scope) -> bool:
    """Tell whether the list or dict that an expression is, is added to somewhere, or unpacks others."""
    if not isinstance(node, ast.Name | ast.Attribute):
        return any(isinstance(child, ast.Starred) for child in ast.walk(node))
    path = ast.unparse(node)
    return has_items_stored(node, scope) or any(
        call.method_name in _GROWERS and ast.unparse(call.node.func) == f"{path}.{call.method_name}"
        for call in scope.module.index.calls
    )


def _by_number(count: int) -> Trips:
    if count <= 1:
        return Trips.ONCE
    return Trips.FEW if count <= FEW else Trips.MANY


# Wrappers that only show progress or count: the loop runs over what they are given.
_WRAPPERS = {"builtins.enumerate", "builtins.reversed", "builtins.iter", "builtins.list", "builtins.tuple"}


def _stripped(node: ast.expr, inference: Inference, scope: Scope) -> ast.expr:
    while isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in _DICT_VIEWS and not node.args:
            value = inference.one(node.func.value, scope)
            return node.func.value if isinstance(value, Sequence) and value.kind == "dict" else node
        callee = inference.one(node.func, scope) if node.args else None
        name = callee.name if isinstance(callee, Api) else ""
        if name not in _WRAPPERS and (not name.startswith("tqdm") or _is_trange(name)):
            break
        node = node.args[0]
    return node


def _is_trange(name: str) -> bool:
    return name.startswith("tqdm") and name.endswith(".trange")


def enclosing_loops(located: Located, inference: Inference) -> list[Loop]:
    """Return the loops around an expression within its function, innermost first."""
    return [
        Loop(step, inference)
        for step in located.context.within_function()
        if step.kind in ("loop", "comprehension")
    ]
