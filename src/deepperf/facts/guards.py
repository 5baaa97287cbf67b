"""What keeps a place in a loop from running on each pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING

from deepperf.facts.scopes import Context
from deepperf.facts.syntax import dotted_name, start, target_names

if TYPE_CHECKING:
    from deepperf.facts.loops import Loop


class Guard(Enum):
    """What keeps a statement in a loop from running on each pass."""

    FIRST_PASS = "runs once"
    SOMETIMES = "runs now and then"
    CHANGED = "runs when a value is another than before"
    HANDLER = "runs on errors"
    SWITCH = "runs behind a switch"


def guards(context: Context, loop: Loop) -> list[Guard]:
    """Return the guards between a place and the loop around it."""
    found: list[Guard] = []
    leaving = False
    for step in context:
        if step.node is loop.node:
            # A branch that always ends by leaving the loop runs at most once.
            return [*found, Guard.FIRST_PASS] if leaving else found
        if step.kind in ("function", "class", "module"):
            break
        if step.kind == "loop":
            leaving = False
        leaving = leaving or isinstance(_last(step), ast.Break | ast.Return | ast.Raise)
        if step.kind == "except":
            found.append(Guard.HANDLER)
        elif step.kind in ("if", "else") and isinstance(step.node, ast.If):
            guard = _guard(step.node.test, step)
            if guard is not None and not (guard is Guard.FIRST_PASS and _is_about_item(step.node.test, loop)):
                found.append(guard)
    return found


def runs_once(context: Context) -> bool:
    """Tell whether a condition around a place in its function lets it run the first time only: `if self.model is None`."""
    return any(
        step.kind == "except"
        or (step.kind in ("if", "else") and isinstance(step.node, ast.If) and _guard(step.node.test, step))
        for step in context.within_function()
    )


def _last(step: Context) -> ast.stmt | None:
    """The last statement of a branch or a `try`."""
    if step.kind in ("if", "try") and isinstance(step.node, ast.If | ast.Try):
        return step.node.body[-1]
    return step.node.orelse[-1] if step.kind == "else" and isinstance(step.node, ast.If) else None


def leaves_if_made(statements: list[ast.stmt], before: ast.AST) -> bool:
    """Tell whether one of the statements before a place leaves when the thing was made earlier.

    `if key in self.made: return self.made[key]`, `if self._op is not None: return self._op`.
    """
    for statement in statements:
        if start(statement) >= start(before):
            return False
        if isinstance(statement, ast.If) and isinstance(statement.body[-1], ast.Return | ast.Continue):
            test = statement.test
            if (
                isinstance(test, ast.Compare)
                and isinstance(test.ops[0], ast.IsNot)
                and _is_none(test.comparators[0])
            ):
                return not isinstance(test.left, ast.Name)
            if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.In):
                return isinstance(test.comparators[0], ast.Attribute) and not isinstance(
                    test.left, ast.Constant
                )
            if isinstance(test, ast.Call | ast.Attribute) and _is_memo_test(test):
                return True
    return False


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _guard(test: ast.expr, step: Context) -> Guard | None:
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return _negation(test.operand, step) if step.kind == "if" else None
    if isinstance(test, ast.BoolOp) and step.kind == "if":
        found = [_guard(value, step) for value in test.values]
        if isinstance(test.op, ast.And):
            return next((guard for guard in found if guard is not None), None)
        return Guard.CHANGED if Guard.CHANGED in found and None not in found else None
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _comparison(test, step)
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    if step.kind == "if" and name.lower().lstrip("_") in (
        "debug",
        "verbose",
        "first",
        "first_time",
        "first_iter",
    ):
        return Guard.FIRST_PASS if "first" in name.lower() else Guard.SWITCH
    return None


def _negation(operand: ast.expr, step: Context) -> Guard | None:
    """Return the guard of an `if not …`: a memory of earlier passes, a counter that is 0, a remainder that is 0."""
    if isinstance(operand, ast.BinOp) and isinstance(operand.op, ast.Mod):
        return Guard.SOMETIMES
    is_first = isinstance(operand, ast.Name) or _is_memo_test(operand) or _is_set_in(operand, step)
    return Guard.FIRST_PASS if is_first else None


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
    if isinstance(test, ast.UnaryOp) and isinstance(test.operand, ast.Name) and test.operand.id in names:
        return not _counts(test.operand.id, loop)
    if isinstance(test, ast.Compare):
        left, operator, _ = _ordered(test)
        if isinstance(operator, ast.Eq | ast.NotEq | ast.Lt) and isinstance(left, ast.Name):
            return not _counts(left.id, loop)
        # `key not in made`: what counts is where the key is looked for.
        asked = test.comparators[0] if isinstance(test.ops[0], ast.In | ast.NotIn) else test.left
    return any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(asked))


def _counts(name: str, loop: Loop) -> bool:
    """Whether a name counts the passes of a loop: the target of a `range`, the first one of an `enumerate`, `i += 1`."""
    if isinstance(loop.node, ast.comprehension):
        return False
    if not isinstance(loop.node, ast.While):
        target, iterated = loop.node.target, loop.node.iter
        callee = (
            iterated.func.id if isinstance(iterated, ast.Call) and isinstance(iterated.func, ast.Name) else ""
        )
        if callee in ("range", "xrange", "trange") and isinstance(target, ast.Name) and target.id == name:
            return True
        if (
            callee in ("enumerate", "tqdm")
            and isinstance(target, ast.Tuple)
            and name in target_names(target.elts[0])
        ):
            return True
    return any(
        isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) and node.target.id == name
        for statement in loop.node.body
        for node in ast.walk(statement)
    )


def _ordered(test: ast.Compare) -> tuple[ast.expr, ast.cmpop, ast.expr]:
    """Return the parts of a comparison, a constant on the right: `0 == i` is `i == 0`."""
    left, operator, right = test.left, test.ops[0], test.comparators[0]
    if isinstance(left, ast.Constant) and isinstance(operator, ast.Eq | ast.NotEq):
        return right, operator, left
    return left, operator, right


def _comparison(test: ast.Compare, step: Context) -> Guard | None:
    left, operator, right = _ordered(test)
    if isinstance(right, ast.Constant) and type(right.value) in (int, float):
        return _compared_with_number(left, operator, right.value, step.kind)  # type: ignore[arg-type]
    if step.kind == "if":
        if (isinstance(operator, ast.Is) and _is_none(right)) or isinstance(operator, ast.NotIn):
            return Guard.FIRST_PASS
        if isinstance(operator, ast.NotEq) and (_is_stored_in(left, step) or _is_stored_in(right, step)):
            return Guard.CHANGED
    elif isinstance(operator, ast.IsNot | ast.In):
        return Guard.FIRST_PASS
    return None


def _compared_with_number(left: ast.expr, operator: ast.cmpop, number: float, arm: str) -> Guard | None:
    wanted = ast.Eq if arm == "if" else ast.NotEq
    if isinstance(operator, wanted):
        is_remainder = isinstance(left, ast.BinOp) and isinstance(left.op, ast.Mod)
        return Guard.SOMETIMES if is_remainder else Guard.FIRST_PASS
    if arm == "if" and isinstance(operator, ast.Lt) and number <= 1 and isinstance(left, ast.Name):
        return Guard.FIRST_PASS
    return None


def _is_set_in(flag: ast.expr, step: Context) -> bool:
    """Whether the branch behind `if not flag` sets the flag, or adds to it: it runs on the first pass only."""
    path = dotted_name(flag)
    appends = path is not None and any(
        isinstance(node, ast.Call) and dotted_name(node.func) == f"{path}.append" for node in _branch(step)
    )
    return appends or _is_stored_in(flag, step)


def _is_stored_in(target: ast.expr, step: Context) -> bool:
    """Whether the branch behind a test assigns to a name or attribute of the test."""
    path = dotted_name(target)
    return path is not None and any(
        isinstance(node, ast.Name | ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and dotted_name(node) == path
        for node in _branch(step)
    )


def _branch(step: Context) -> Iterator[ast.AST]:
    for statement in step.node.body if isinstance(step.node, ast.If) else ():
        yield from ast.walk(statement)


def _is_memo_test(node: ast.expr) -> bool:
    """Whether `not node` asks if something was made before: `hasattr(self, "x")`, a name, a field."""
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id == "hasattr"
    return isinstance(node, ast.Attribute) and node.attr.startswith(("_", "built", "init"))
