"""What a loop does to a tensor row by row, where no pass needs what another one gave."""

from __future__ import annotations

import ast
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.blocks import own_expressions, statements
from deepperf.facts.loops import Loop, Trips
from deepperf.facts.project.mapped import Operation
from deepperf.facts.project.row_functions import runs_on_rows
from deepperf.facts.project.row_sources import Rows, is_tensor, rows_of
from deepperf.facts.scopes import Scope
from deepperf.facts.syntax import dotted_name
from deepperf.facts.values import Api, ClassRef, Func, Instance, LambdaRef, Made, Value
from deepperf.knowledge import lookup

if TYPE_CHECKING:
    from deepperf.facts.project import Project


class Outcome(Enum):
    """What becomes of what each pass gives."""

    STACKED = "are stacked"
    SUMMED = "are added up"
    STORED = "are stored row by row"


class RowLoop(NamedTuple):
    """A loop over `rows`: what is done with each, whether it asks a model or chooses by a value; `sure` if all are tensors."""

    rows: Rows
    outcome: Outcome
    work: tuple[ast.Call | ast.BinOp, ...]
    asks_model: bool
    chooses: bool
    sure: bool


_FRAMEWORKS = ("tensorflow.", "torch.", "jax.", "keras.ops.", "keras.backend.")
_JOINS = frozenset(
    "stack concat cat concatenate convert_to_tensor parallel_stack vstack hstack array".split()
)
# Methods of tensors that do for many rows what they do for one.
_METHODS = frozenset(
    "abs clamp contiguous cos cumsum div dot exp expand flatten float long int log log_softmax matmul max mean min mm mul mv "
    "norm permute pow relu reshape round sigmoid sin softmax sqrt squeeze std sum t tanh to transpose type unsqueeze view".split()
)

# Of these, what only moves or views the row.
_MOVING = frozenset(
    "contiguous expand flatten float int long permute reshape squeeze t to transpose type unsqueeze view".split()
)


class RowLoops:
    """Answers whether loops go through tensors row by row."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def of(self, loop: Loop) -> RowLoop | None:
        """Return what a loop does row by row, None if it does more than that or if that is not sure."""
        if isinstance(loop.node, ast.While | ast.AsyncFor) or loop.trips in (Trips.ONCE, Trips.FEW):
            return None
        rows = rows_of(loop, self.project.inference)
        if rows is None:
            return None
        body = _Body(self.project, loop, rows)
        return body.of_comprehension() if loop.is_comprehension else body.of_statements()


class _Body:
    """One loop's body, and what was found in it."""

    def __init__(self, project: Project, loop: Loop, rows: Rows) -> None:
        self.project = project
        self.loop = loop
        self.rows = rows
        self.work: list[ast.Call | ast.BinOp] = []
        self.outcomes: set[Outcome] = set()
        self.lists: set[str] = set()
        self.filled: set[str] = set()
        self.asks_model = False
        self.chooses = False
        self.touches_row = False
        self.runs_ops = False
        self.sure = True
        self.sums: set[ast.AST] = set()

    @property
    def scope(self) -> Scope:
        return self.loop.scope

    def of_comprehension(self) -> RowLoop | None:
        owner = self.loop.owner
        if not isinstance(owner, ast.ListComp) or len(owner.generators) > 1 or owner.generators[0].ifs:
            return None
        taker = next((c for c in self.scope.module.index.calls if owner in c.node.args), None)
        if taker is None or not self._works(owner.elt):
            return None
        name = self.project.inference.api(taker.node.func, taker.scope) or ""
        if name.startswith(_FRAMEWORKS) and name.rpartition(".")[2] in _JOINS:
            return self._result(Outcome.STACKED)
        return None

    def of_statements(self) -> RowLoop | None:
        for statement, _ in statements(self.loop):
            if not self._statement(statement):
                return None
        if self._carries() or len(self.outcomes) != 1:
            return None
        outcome = next(iter(self.outcomes))
        if outcome is Outcome.STACKED and not all(self._is_joined(name) for name in self.lists):
            return None
        return self._result(outcome)

    def _result(self, outcome: Outcome) -> RowLoop | None:
        does_work = self.asks_model or self.runs_ops or any(self._is_op(node) for node in self.work)
        if not self.touches_row or not does_work:
            return None
        return RowLoop(self.rows, outcome, tuple(self.work), self.asks_model, self.chooses, self.sure)

    # statements

    def _statement(self, statement: ast.stmt) -> bool:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            return self._assigned(statement.targets[0], statement.value)
        if isinstance(statement, ast.AugAssign) and isinstance(statement.op, ast.Add):
            if isinstance(statement.value, ast.List):
                return self._collected(statement.target, statement.value.elts)
            return self._summed(statement.target, statement.target, statement.value)
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return self._appended(statement.value)
        if isinstance(statement, ast.If):
            self.chooses = True
            return (
                bool(statement.orelse)
                and isinstance(statement.test, ast.Compare)
                and self._works(statement.test)
            )
        return isinstance(statement, ast.Pass) or (
            isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        )

    def _assigned(self, target: ast.expr, value: ast.expr) -> bool:
        if isinstance(target, ast.Subscript):
            self.outcomes.add(Outcome.STORED)
            self.filled.add(ast.unparse(target.value))
            self.sums.add(target.value)
            return self.rows.is_row(target) and self._works(value)
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and isinstance(target, ast.Name):
            for part, other in ((value.left, value.right), (value.right, value.left)):
                if isinstance(part, ast.Name) and part.id == target.id and self._is_from_earlier(part):
                    return self._summed(target, part, other)
        return isinstance(target, ast.Name) and self._works(value)

    def _summed(self, target: ast.expr, part: ast.expr, added: ast.expr) -> bool:
        self.outcomes.add(Outcome.SUMMED)
        self.sums.add(part)
        return isinstance(target, ast.Name) and self._works(added)

    def _appended(self, call: ast.Call) -> bool:
        callee = call.func
        if not isinstance(callee, ast.Attribute) or callee.attr != "append" or len(call.args) != 1:
            return False
        return self._collected(callee.value, call.args)

    def _collected(self, holder: ast.expr, items: list[ast.expr]) -> bool:
        name = dotted_name(holder)
        if name is None:
            return False
        self.lists.add(name)
        self.sums.add(holder)
        self.outcomes.add(Outcome.STACKED)
        return all(self._works(item) for item in items)

    def _is_joined(self, name: str) -> bool:
        """Tell whether all that is done with a list after the loop is to make one tensor of it."""
        joins = others = 0
        for call in self.scope.module.index.calls:
            if call.scope is not self.scope or self.loop.runs(call.node):
                continue
            if any(dotted_name(argument) == name for argument in call.node.args):
                found = self.project.inference.api(call.node.func, call.scope) or ""
                is_join = found.startswith(_FRAMEWORKS) and found.rpartition(".")[2] in _JOINS
                joins, others = joins + is_join, others + (not is_join)
        return joins == 1 and not others

    def _carries(self) -> bool:
        """Tell whether a pass reads a name that an earlier pass has set, or the list or tensor that it fills."""
        filled = self.lists | self.filled
        for statement, _ in statements(self.loop):
            for node in own_expressions(statement):
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node not in self.sums:
                    if self._is_from_earlier(node):
                        return True
                    if node.id in filled:
                        return True
        return False

    def _is_from_earlier(self, node: ast.Name) -> bool:
        found = self.scope.module.definitions(node, self.scope)
        inner = [d for d in found if hasattr(d.node, "lineno") and self.loop.runs(d.node)]
        return bool(inner) and len(inner) < len(found)

    # expressions

    def _works(self, node: ast.expr) -> bool:
        """Tell whether an expression does nothing but work that has a form for all rows."""
        if self.rows.is_row(node):
            self.touches_row = True
            if isinstance(node, ast.Subscript) and ast.unparse(node.value) != self.rows.tensor:
                self.sure &= is_tensor(node.value, self.scope, self.project.inference)
            return True
        if isinstance(node, ast.Name):
            return node.id not in self.rows.counters
        if isinstance(node, ast.Constant | ast.Attribute):
            return not isinstance(node, ast.Attribute) or self._works(node.value)
        if isinstance(node, ast.Subscript):
            return self._works(node.value) and not self._names_counter(node.slice)
        if isinstance(node, ast.BinOp | ast.Compare | ast.UnaryOp | ast.Tuple | ast.List | ast.IfExp):
            if isinstance(node, ast.BinOp):
                self.work.append(node)
            self.chooses |= isinstance(node, ast.IfExp)
            return all(self._works(part) for part in ast.iter_child_nodes(node) if isinstance(part, ast.expr))
        return isinstance(node, ast.Call) and self._call(node)

    def _names_counter(self, node: ast.expr) -> bool:
        return any(isinstance(n, ast.Name) and n.id in self.rows.counters for n in ast.walk(node))

    def _call(self, node: ast.Call) -> bool:
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if any(isinstance(part, ast.Starred) for part in given) or not all(
            self._works(part) for part in given
        ):
            return False
        self.work.append(node)
        return all(
            self._callee(value, node) for value in self.project.inference.values(node.func, self.scope)
        )

    def _callee(self, value: Value, node: ast.Call) -> bool:
        if isinstance(value, Api):
            return runs_on_rows(Operation(value.name, node, self.scope))
        if isinstance(value, Made) and value.kind in ("model", "layer"):
            # A recurrent layer or a cell keeps something from call to call.
            self.asks_model = True
            return not any(word in value.api for word in ("RNN", "LSTM", "GRU", "Cell"))
        if isinstance(value, Instance) and self.project.models.is_model(value):
            self.asks_model = True
            return True
        if isinstance(value, Func | LambdaRef | ClassRef | Instance):
            found = self.project.row_functions.of(node.func, self.scope)
            self.runs_ops |= found is not None
            return found is not None
        return (
            isinstance(node.func, ast.Attribute)
            and node.func.attr in _METHODS
            and self._works(node.func.value)
        )

    def _is_op(self, node: ast.Call | ast.BinOp) -> bool:
        """Tell whether a piece of work is surely one on tensors."""
        name = self.project.inference.api(node.func, self.scope) if isinstance(node, ast.Call) else None
        if name is not None:
            return name.startswith(_FRAMEWORKS) and "free" not in lookup(name).traits
        moves = isinstance(node, ast.Call) and getattr(node.func, "attr", "") in _MOVING
        return self.rows.is_tensor and not moves
