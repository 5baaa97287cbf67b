"""The questions that tests put to the facts, each answered in a few words."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple

from deepperf.facts.loops import Loop
from deepperf.facts.module import Module
from deepperf.facts.project import Project
from deepperf.facts.project.hotness import Around
from deepperf.facts.scopes import Class, Context, Function, Located, Scope
from deepperf.facts.syntax import inside, start
from deepperf.facts.values import Made, Pipeline, Value

Programs = Callable[[Path], Module]
_SETS = ("value", "pipeline", "calls", "callers", "guard")


class Subject(NamedTuple):
    """The part of a line that a question is about, with where it stands."""

    node: ast.expr
    place: Located

    @property
    def scope(self) -> Scope:
        """The scope the expression is evaluated in."""
        return self.place.scope

    @property
    def project(self) -> Project:
        """The program around it."""
        return self.place.module.project


def ask(module: Module, line: int, kind: str, part: str, loop: str, expected: str) -> str:
    """Return the facts' answer to a question about a line, in the words of the expected one."""
    if kind == "loop":
        words = _loop(module, line)
        return expected if set(expected.split()) <= set(words) else " ".join(words)
    if kind == "callers":
        return _callers(module, line)
    if kind == "bases":
        return _bases(module, line)
    subject = _subject(module, line, part)
    return _invariant(subject, loop) if kind == "invariant" else _ANSWERS[kind](subject)


def normal(kind: str, answer: str) -> str:
    """Return an answer with its alternatives in order."""
    if kind not in _SETS:
        return answer
    mark = " | " if " | " in answer else ", "
    return _sorted(answer.split(mark))


def _sorted(words: Iterable[str]) -> str:
    return " | ".join(sorted(set(words))) or "none"


# from a line to what stands there


def _subject(module: Module, line: int, part: str) -> Subject:
    """Return the expression of a line: what is assigned, returned, tested iterated over, or the part named."""
    statement = _statement(module, line)
    node = _expression(statement)
    if part:
        wanted = ast.unparse(ast.parse(part, mode="eval"))
        nodes = [n for n in ast.walk(statement) if isinstance(n, ast.expr) and ast.unparse(n) == wanted]
        assert nodes, f"{part} does not stand on line {line}"
        node = min(nodes, key=lambda n: abs(n.lineno - line))
    for call in module.index.calls:
        if call.node is node:
            return Subject(node, call)
    return Subject(node, Located(node, _context(module, node), statement))


def _statement(module: Module, line: int) -> ast.stmt:
    """Return the innermost statement that covers a line."""
    nodes = [n for n in ast.walk(module.source.tree) if isinstance(n, ast.stmt)]
    covering = [n for n in nodes if n.lineno <= line <= (n.end_lineno or 0)]
    assert covering, f"no statement on line {line}"
    return max(covering, key=lambda n: (n.lineno, n.col_offset, -(n.end_lineno or 0)))


def _expression(statement: ast.stmt) -> ast.expr:
    for name in ("value", "iter", "test", "subject", "exc"):
        found = getattr(statement, name, None)
        if isinstance(found, ast.expr):
            return found
    if isinstance(statement, ast.With | ast.AsyncWith):
        return statement.items[0].context_expr
    assert isinstance(statement, ast.FunctionDef | ast.ClassDef), f"nothing to ask on line {statement.lineno}"
    return statement.decorator_list[0] if statement.decorator_list else ast.Constant(None)


def _context(module: Module, node: ast.expr) -> Context:
    """Return the loop, function or module that an expression other than a call stands in."""
    around = [loop for loop in _loops(module) if loop.owner is not node and loop.runs(node)]
    steps = [loop.context for loop in around]
    owners: list[Function | Class] = [*module.index.functions, *module.index.classes]
    for owner in owners:
        if inside(node, owner.node) and node.lineno >= owner.node.body[0].lineno:
            kind = "function" if isinstance(owner, Function) else "class"
            steps.append(Context(owner.context, kind, owner.node, owner.scope))
    root = Context(None, "module", module.source.tree, module.index.scope)
    return max(steps, key=lambda step: start(step.owner or step.node), default=root)


# answers


def _kind_of(value: Value) -> str:
    return value.kind if isinstance(value, Made) else repr(value)


def _values(subject: Subject) -> tuple[Value, ...]:
    return subject.project.inference.values(subject.node, subject.scope)


def _value(subject: Subject) -> str:
    return _sorted(_kind_of(value) for value in _values(subject))


def _pipeline(subject: Subject) -> str:
    found: list[str] = []
    for value in _values(subject):
        if not isinstance(value, Pipeline):
            found.append("?")
            continue
        for path in value.step.paths():
            found.append(".".join(step.short for step in path))
            found += ["?" for step in path if not step.complete]
    return _sorted(found)


def _name(subject: Subject) -> str:
    node = subject.node.func if isinstance(subject.node, ast.Call) else subject.node
    return subject.project.inference.api(node, subject.scope) or "none"


def _loops(module: Module) -> list[Loop]:
    return [Loop(site.body, module.project.inference) for site in module.index.loops]


def _loop(module: Module, line: int) -> tuple[str, str]:
    found = [loop for loop in _loops(module) if loop.line == line]
    assert len(found) == 1, f"{len(found)} loops on line {line}"
    return found[0].kind.value, found[0].trips.value


def _around(subject: Subject, name: str = "") -> Around:
    for around in subject.project.hotness.around(subject.place):
        node = around.loop.node
        called = "while" if isinstance(node, ast.While) else ast.unparse(node.target)
        if name in ("", called):
            return around
    raise ValueError(f"no loop {name} around line {subject.node.lineno}")


def _invariant(subject: Subject, loop: str) -> str:
    around = _around(subject, loop)
    found = subject.project.invariance.of(subject.node, subject.scope, around.loop, around.chain)
    return "no" if found is None else found.confidence.name.lower()


def _region(subject: Subject) -> str:
    region = subject.project.regions.of(subject.place.context)
    return "none" if region is None else region.mode.value


def _hot(subject: Subject) -> str:
    return subject.project.hotness.of(subject.place).value


def _guard(subject: Subject) -> str:
    found = subject.project.hotness.guards(_around(subject), subject.place)
    return _sorted(guard.name.lower().replace("_", "-") for guard in found)


def _called(owner: Function | Class | None, module: Module) -> str:
    return module.name if owner is None else f"{module.name}.{owner.qualname}"


def _calls(subject: Subject) -> str:
    assert isinstance(subject.node, ast.Call)
    targets = subject.project.calls.targets(subject.node, subject.scope)
    return _sorted(_called(target.function, target.function.module) for target in targets)


def _callers(module: Module, line: int) -> str:
    function = next(f for f in module.index.functions if f.node.lineno == line)
    callers = module.project.calls.callers(function)
    found = [_called(caller.call.function, caller.call.module) for caller in callers.sites]
    return _sorted(found + [f"handed on in {_called(c.function, c.module)}" for c in callers.handed_on])


def _bases(module: Module, line: int) -> str:
    cls = next(c for c in module.index.classes if c.node.lineno == line)
    order = module.project.classes.order(cls)
    return ", ".join(base if isinstance(base, str) else _called(base, base.module) for base in order)


def _function_given(subject: Subject) -> ast.expr:
    assert isinstance(subject.node, ast.Call)
    return [*subject.node.args, *(keyword.value for keyword in subject.node.keywords)][0]


def _mapped(subject: Subject) -> str:
    found = subject.project.mapped.of(_function_given(subject), subject.scope)
    if len(found) != 1 or not found[0].resolved:
        return "unresolved"
    if found[0].stateful:
        return "stateful"
    if found[0].is_trivial:
        return "trivial"
    return "light" if found[0].is_light else "costly"


def _batchable(subject: Subject) -> str:
    found = subject.project.batchable.of(_function_given(subject), subject.scope)
    return "no" if found is None else "yes"


_ANSWERS: dict[str, Callable[[Subject], str]] = {
    "value": _value,
    "pipeline": _pipeline,
    "name": _name,
    "region": _region,
    "hot": _hot,
    "guard": _guard,
    "calls": _calls,
    "mapped": _mapped,
    "batchable": _batchable,
}
