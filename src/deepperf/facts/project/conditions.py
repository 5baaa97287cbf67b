"""Whether a place runs whenever its program does, or only if something asks for it."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from deepperf.facts.scopes import CallSite, Context, Function, Located
from deepperf.facts.syntax import start

if TYPE_CHECKING:
    from deepperf.facts.project import Project

_DEPTH = 3
_FIXTURES = ("setUp", "setUpClass", "setUpModule", "setup_method", "setup_class")


class Conditions:
    """Answers whether something stands between the start of the program and a place in it."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def always(self, located: Located, depth: int = 0) -> bool:
        """Tell whether no condition stands around a place, nor around every call of the function it is in."""
        for step in located.context:
            if step.kind == "function" and step.scope.function is not None:
                return self._always_reached(step.scope.function, located, depth)
            if step.kind in ("if", "else", "except", "lambda") and not _is_main_block(step):
                return False
        return True

    def _always_reached(self, function: Function, place: Located, depth: int) -> bool:
        if function.name in _FIXTURES or function.name.startswith("test"):
            return False
        if _may_leave(function, place.node):
            return False
        callers = self.project.calls.callers(function).sites
        if not callers or depth >= _DEPTH:
            return True
        return any(self.always(caller.call, depth + 1) for caller in callers)

    def undone(self, call: CallSite) -> bool:
        """Tell whether a switch that a call turns on with `True` is turned off by another call, later or elsewhere."""
        return any(
            other is not call
            and _last(other.node.func) == _last(call.node.func)
            and any(_is_off(value) for value in (*other.node.args, *(k.value for k in other.node.keywords)))
            and (other.scope is not call.scope or start(other.node) > start(call.node))
            for other in call.module.index.calls
        )


def named_for(located: Located, words: tuple[str, ...]) -> bool:
    """Tell whether a function, a class or the file around a place has one of some words in its name."""
    names = [located.scope.qualname, located.module.name.rpartition(".")[2]]
    return any(word in name.lower() for name in names for word in words)


def _is_main_block(step: Context) -> bool:
    return (
        step.kind == "if"
        and isinstance(step.node, ast.If)
        and isinstance(step.node.test, ast.Compare)
        and isinstance(step.node.test.left, ast.Name)
        and step.node.test.left.id == "__name__"
    )


def _may_leave(function: Function, before: ast.AST) -> bool:
    """Tell whether a function returns ahead of a place where a flag says so: `if not debug: return`."""
    return any(
        isinstance(statement, ast.If)
        and start(statement) < start(before)
        and isinstance(statement.body[-1], ast.Return)
        and isinstance(statement.test, ast.Name | ast.Attribute | ast.UnaryOp)
        for statement in function.node.body
    )


def _is_off(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value in (False, None)


def _last(node: ast.expr) -> str | None:
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", None)
