"""Loops: how often they run, what they run over, and what keeps a statement in them from running each time."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING

from deepperf.facts.scopes import Context, Located, Scope
from deepperf.facts.syntax import LoopNode, runs_in, start, target_names
from deepperf.facts.values import UNKNOWN, Api, Const, Made, Pipeline, Sequence, Value
from deepperf.model import Place

if TYPE_CHECKING:
    from deepperf.facts.infer import Inference

FEW = 10
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
        return start(self.node)[0] if not isinstance(self.node, ast.comprehension) else start(self.node.target)[0]

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
            if isinstance(value, Pipeline) or (isinstance(value, Made) and value.kind in ("loader", "dataset", "iterator")):
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
            isinstance(value, Pipeline) or (isinstance(value, Made) and value.kind in ("tensor", "iterator", "variable"))
            for value in self.iterated
        )

    def _range_arguments(self) -> list[ast.expr] | None:
        node = None if isinstance(self.node, ast.While) else _stripped(self.node.iter, self._inference, self.scope)
        if isinstance(node, ast.Call) and node.args:
            name = self._inference.api(node.func, self.scope)
            spelled = node.func.id if isinstance(node.func, ast.Name) else ""
            if name == "builtins.range" or spelled == "xrange":
                return node.args
        return None

    @property
    def trips(self) -> Trips:
        """How often the body runs, as far as the code says."""
        if self._leaves_in_first_pass():
            return Trips.ONCE
        counted = self._range_arguments()
        if counted is not None:
            return self._counted(counted)
        for value in self.iterated:
            if isinstance(value, Sequence) and value.elements is not None and not self._may_grow():
                return _by_number(len(value.elements))
            if isinstance(value, Const) and isinstance(value.value, str | bytes):
                return _by_number(len(value.value))
        return Trips.MANY if self.kind is LoopKind.DATA else Trips.UNKNOWN

    def _may_grow(self) -> bool:
        """Whether the list the loop runs over is added to somewhere, or unpacks others."""
        node = None if isinstance(self.node, ast.While) else _stripped(self.node.iter, self._inference, self.scope)
        if isinstance(node, ast.Name | ast.Attribute):
            path = ast.unparse(node)
            return any(
                call.method_name in _GROWERS and ast.unparse(call.node.func) == f"{path}.{call.method_name}"
                for call in self.scope.module.index.calls
            )
        return any(isinstance(child, ast.Starred) for child in ast.walk(node)) if node is not None else False

    @property
    def is_written_short(self) -> bool:
        """Whether the loop's own line shows that it has few passes: a short literal, `range(3)`."""
        if isinstance(self.node, ast.While) or self.trips is not Trips.FEW:
            return False
        node = _stripped(self.node.iter, self._inference, self.scope)
        if isinstance(node, ast.List | ast.Tuple | ast.Set | ast.Dict | ast.Constant):
            return True
        return isinstance(node, ast.Call) and all(isinstance(a, ast.Constant | ast.UnaryOp) for a in node.args)

    def _counted(self, arguments: list[ast.expr]) -> Trips:
        numbers = [self._number(argument) for argument in arguments]
        if None in numbers:
            return Trips.UNKNOWN
        known = [number for number in numbers if number is not None]
        if len(known) > 2 and known[2] == 0:
            return Trips.UNKNOWN
        return _by_number(len(range(*known)))

    def _number(self, node: ast.expr) -> int | None:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            inner = self._number(node.operand)
            return None if inner is None else -inner
        value = self._inference.one(node, self.scope)
        if isinstance(value, Const) and type(value.value) is int:
            return value.value
        return None

    def _leaves_in_first_pass(self) -> bool:
        if isinstance(self.node, ast.comprehension):
            return False
        return isinstance(self.node.body[-1], ast.Break | ast.Return) and not any(
            isinstance(node, ast.Continue) for statement in self.node.body for node in ast.walk(statement)
        )


def _by_number(count: int) -> Trips:
    if count <= 1:
        return Trips.ONCE
    return Trips.FEW if count <= FEW else Trips.MANY


# Wrappers that only show progress or count: the loop runs over what they are given.
_WRAPPERS = {"builtins.enumerate", "builtins.reversed", "builtins.iter", "builtins.list", "builtins.tuple"}


def _stripped(node: ast.expr, inference: Inference, scope: Scope) -> ast.expr:
    while isinstance(node, ast.Call) and node.args:
        value = inference.one(node.func, scope)
        name = value.name if isinstance(value, Api) else ""
        if name not in _WRAPPERS and not name.startswith("tqdm"):
            break
        node = node.args[0]
    return node


def enclosing_loops(located: Located, inference: Inference) -> list[Loop]:
    """Return the loops around an expression within its function, innermost first."""
    return [
        Loop(step, inference)
        for step in located.context.within_function()
        if step.kind in ("loop", "comprehension")
    ]


class Guard(Enum):
    """What keeps a statement in a loop from running on each pass."""

    FIRST_PASS = "runs once"
    SOMETIMES = "runs now and then"
    HANDLER = "runs on errors"
    SWITCH = "runs behind a switch"


def guards(context: Context, loop: Loop, inference: Inference) -> list[Guard]:
    """Return the guards between a place and the loop around it."""
    found: list[Guard] = []
    for step in context:
        if step.node is loop.node or step.kind in ("function", "class", "module"):
            break
        if step.kind == "except":
            found.append(Guard.HANDLER)
        elif step.kind in ("if", "else") and isinstance(step.node, ast.If):
            guard = _guard(step.node.test, step, inference)
            if guard is not None and not (guard is Guard.FIRST_PASS and _is_about_item(step.node.test, loop)):
                found.append(guard)
    return found


def leaves_if_made(statements: list[ast.stmt], before: ast.AST) -> bool:
    """Tell whether one of the statements before a place leaves when the thing was made earlier.

    `if key in self.made: return self.made[key]`, `if self._op is not None: return self._op`.
    """
    for statement in statements:
        if start(statement) >= start(before):
            return False
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return | ast.Continue):
            test = statement.test
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot) and _is_none(test.comparators[0]):
                return not isinstance(test.left, ast.Name)
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In):
                return isinstance(test.comparators[0], ast.Attribute) and not isinstance(test.left, ast.Constant)
            if isinstance(test, ast.Call | ast.Attribute) and _is_memo_test(test):
                return True
    return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _guard(test: ast.expr, step: Context, inference: Inference) -> Guard | None:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return Guard.FIRST_PASS if step.kind == "if" and _is_memo_test(test.operand) else None
    if isinstance(test, ast.BoolOp) and step.kind == "if" and isinstance(test.op, ast.And):
        return next((g for value in test.values if (g := _guard(value, step, inference)) is not None), None)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _comparison(test, step)
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    if step.kind == "if" and name.lower().lstrip("_") in ("debug", "verbose", "first", "first_time", "first_iter"):
        return Guard.FIRST_PASS if "first" in name.lower() else Guard.SWITCH
    return None


def _is_about_item(test: ast.expr, loop: Loop) -> bool:
    """Whether a test asks about what the loop runs over (`if batch is None`), so that it is no memory of earlier passes.

    A comparison of the bare loop variable with a number (`if i == 0`) is one.
    """
    if isinstance(loop.node, ast.While):
        return False
    names = set(target_names(loop.node.target))
    if isinstance(test, ast.BoolOp):
        return all(_is_about_item(value, loop) for value in test.values)
    asked: ast.expr = test
    if isinstance(test, ast.Compare):
        if isinstance(test.ops[0], ast.Eq) and isinstance(test.left, ast.Name):
            return False
        # `key not in made`: what counts is where the key is looked for.
        asked = test.comparators[0] if isinstance(test.ops[0], ast.In | ast.NotIn) else test.left
    return any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(asked))


def _comparison(test: ast.Compare, step: Context) -> Guard | None:
    operator, right = test.ops[0], test.comparators[0]
    if step.kind == "if":
        if isinstance(operator, ast.Is) and _is_none(right):
            return Guard.FIRST_PASS
        if isinstance(operator, ast.NotIn):
            return Guard.FIRST_PASS
        if isinstance(operator, ast.Eq) and isinstance(right, ast.Constant) and type(right.value) in (int, float):
            is_remainder = isinstance(test.left, ast.BinOp) and isinstance(test.left.op, ast.Mod)
            return Guard.SOMETIMES if is_remainder else Guard.FIRST_PASS
    elif isinstance(operator, ast.IsNot | ast.In):
        return Guard.FIRST_PASS
    return None


def _is_memo_test(node: ast.expr) -> bool:
    """Whether `not node` asks if something was made before: `hasattr(self, "x")`, a name, a field."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "hasattr"
    return isinstance(node, ast.Attribute) and node.attr.startswith(("_", "built", "init"))


__all__ = ["FEW", "UNKNOWN", "Guard", "Loop", "LoopKind", "Trips", "enclosing_loops", "guards"]
