"""What grows by a copy on each pass of a loop: a name or a field that a join makes anew out of itself and more."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.blocks import own_expressions, statements
from deepperf.facts.definitions import Definition
from deepperf.facts.guards import Guard, guards
from deepperf.facts.loops import Loop, Trips
from deepperf.facts.project.growth_reads import Reads, asks_size
from deepperf.facts.project.hotness import Around
from deepperf.facts.scopes import Context, Located, Scope
from deepperf.facts.syntax import dotted_name, start, walk_own

if TYPE_CHECKING:
    from deepperf.facts.project import Project


_NUMPY = ("numpy.", "jax.numpy.")
_JOIN_NAMES = frozenset("append cat concat concatenate vstack hstack insert column_stack".split())
# Methods that give the same numbers in another form, right after the join.
_SAME = frozenset("astype to type float cpu cuda contiguous detach numpy copy block_until_ready".split())


class Grown(NamedTuple):
    """What grows, and where: `path` names it in the loop's own function, or in the method that makes a field grow.

    `added` is what the join adds to it. `feeds_next` says that what is added is also what the next pass starts from.
    """

    path: str
    around: Around
    added: tuple[ast.expr, ...]
    feeds_next: bool


class _Step(NamedTuple):
    """An assignment of a join to a part of it: `operand` is that part."""

    path: str
    statement: ast.stmt
    operand: ast.expr
    scope: Scope


class _Indexed(Located):
    """A join that is written as an index."""

    __slots__ = ()

    node: ast.Subscript


class Growth:
    """Answers whether a join makes something grow that is carried from pass to pass and not needed in between."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def of(self, join: Located, parts: Sequence[ast.expr]) -> Grown | None:
        """Return what a join of `parts` makes grow in the innermost loop of many passes around it, None if nothing."""
        for around in self.project.hotness.around(join):
            if around.loop.trips in (Trips.ONCE, Trips.FEW):
                continue
            for operand in parts:
                step = self._step(join, operand, around)
                if step is None or len(parts) < 2 or _stands_twice(operand, parts):
                    continue
                if self._grows(step, join, around):
                    added = tuple(part for part in parts if part is not operand)
                    return Grown(step.path, around, added, _feeds_next(added, join, around))
        return None

    def by_index(self, loop: Loop) -> Iterator[_Indexed]:
        """Yield the joins in a loop, not in one inside of it, that are written as an index: `np.r_[rows, row]`."""
        for statement, context in statements(loop):
            value = statement.value if isinstance(statement, ast.Assign) else None
            if not isinstance(value, ast.Subscript) or not isinstance(value.value, ast.Attribute):
                continue
            nearest = next(step.node for step in context if step.kind == "loop")
            if value.value.attr not in ("r_", "c_") or nearest is not loop.node:
                continue
            if (self.project.inference.api(value.value, loop.scope) or "").startswith(_NUMPY):
                yield _Indexed(value, context, statement)

    def _step(self, join: Located, operand: ast.expr, around: Around) -> _Step | None:
        """Return the assignment that carries a join on, if it is to what the operand is."""
        path = dotted_name(operand)
        if path is None:
            return None
        is_kept = not around.chain or _is_kept_by_object(path, join)
        if is_kept and _target(join.statement, join.node) == path:
            return _Step(path, join.statement, operand, join.scope)
        return self._through_return(join, path, around)

    def _through_return(self, join: Located, path: str, around: Around) -> _Step | None:
        """`data = add(data, item)`, where `add` returns the join of what it gets."""
        if len(around.chain) != 1 or not _is_returned(join, path):
            return None
        entry = around.chain[0]
        passed = self.project.calls.argument_for(entry.function, path, entry.call.node, bound=entry.bound)
        outer = dotted_name(passed) if passed is not None else None
        if (
            passed is None
            or outer is None
            or _reads_more(join, path)
            or _target(entry.call.statement, entry.call.node) != outer
        ):
            return None
        return _Step(outer, entry.call.statement, passed, entry.call.scope)

    def _grows(self, step: _Step, join: Located, around: Around) -> bool:
        if Guard.FIRST_PASS in self.project.hotness.guards(around, join):
            return False
        loop = around.loop
        contexts = dict(statements(loop))
        if step.scope is loop.scope and not self._is_carried(step, loop, contexts):
            return False
        reads = Reads(self.project, loop, contexts, frozenset(_parts_of_growth(step, join)))
        if "." in step.path:
            return around.is_certain and not reads.of_field(step.path, around)
        return not reads.of_name(step.path)

    @staticmethod
    def _is_carried(step: _Step, loop: Loop, contexts: dict[ast.stmt, Context]) -> bool:
        """Tell whether what grows is set before the loop, and in the loop by nothing but joins of itself."""
        root = step.path.partition(".")[0]
        if root != step.path and any(_runs(d, loop) for d in _definitions(root, step.scope)):
            return False
        found = _definitions(step.path, step.scope)
        is_set_before = "." in step.path
        for definition in found:
            if not _runs(definition, loop) or _is_first_pass(definition, loop, contexts):
                is_set_before = True
            elif definition.statement is not step.statement and not _operands(definition, step):
                return False
        return is_set_before


def _definitions(path: str, scope: Scope) -> list[Definition]:
    return scope.module.flow(scope).definitions.get(path, [])


def _runs(definition: Definition, loop: Loop) -> bool:
    return hasattr(definition.node, "lineno") and loop.runs(definition.node)


def _is_first_pass(definition: Definition, loop: Loop, contexts: dict[ast.stmt, Context]) -> bool:
    context = contexts.get(definition.statement)  # type: ignore[call-overload]
    return context is not None and Guard.FIRST_PASS in guards(context, loop)


def _operands(definition: Definition, step: _Step) -> list[ast.expr]:
    """Return what is defined where a join of itself and more defines it: both `a` in `a = append(a, 0)`."""
    value = definition.value
    if not isinstance(value, ast.Call) or definition.path or not value.args:
        return []
    own = getattr(step.statement, "value", None)
    same = isinstance(own, ast.Call) and ast.unparse(own.func) == ast.unparse(value.func)
    if not same and getattr(value.func, "attr", "") not in _JOIN_NAMES:
        return []
    first = value.args[0]
    parts = first.elts if isinstance(first, ast.List | ast.Tuple) else [first]
    return [part for part in parts if dotted_name(part) == definition.name]


def _parts_of_growth(step: _Step, join: Located) -> Iterator[ast.AST]:
    """Yield the nodes that belong to the growing: operands and targets of the joins, and of what is set in their stead."""
    yield step.operand
    instead = {
        statement
        for arm in join.context.within_function()
        if isinstance(arm.node, ast.If)
        for statement in ast.walk(arm.node)
    }
    for definition in _definitions(step.path, step.scope):
        if definition.statement is step.statement or definition.statement in instead:
            yield definition.node
        yield from _operands(definition, step)


def _target(statement: ast.stmt, join: ast.expr) -> str | None:
    """Return the path of the one name or field that a statement sets to a join, or to it in another form."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target, value = statement.targets[0], statement.value
    elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
        target, value = statement.target, statement.value
    else:
        return None
    if isinstance(value, ast.IfExp):
        value = value.body if value.orelse is not join else join
    while value is not join:
        if not isinstance(value, ast.Call) or not isinstance(value.func, ast.Attribute):
            return None
        if value.func.attr not in _SAME:
            return None
        value = value.func.value
    return dotted_name(target)


def _is_returned(join: Located, path: str) -> bool:
    """Tell whether a function returns a join right away, or by the name of the parameter that it is made of."""
    if isinstance(join.statement, ast.Return) and join.statement.value is join.node:
        return all(definition.kind == "parameter" for definition in _definitions(path, join.scope))
    returns = join.module.flow(join.scope).returns
    is_parameter = any(definition.kind == "parameter" for definition in _definitions(path, join.scope))
    return (
        is_parameter
        and _target(join.statement, join.node) == path
        and all(dotted_name(returned) == path for returned in returns)
    )


def _reads_more(join: Located, path: str) -> bool:
    """Tell whether the function of a join needs its parameter for something else than the join."""
    own = set(ast.walk(join.node))
    nodes = [node for node in walk_own(join.scope.node) if node not in own]
    parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
    return any(
        isinstance(node, ast.Name)
        and node.id == path
        and isinstance(node.ctx, ast.Load)
        and not isinstance(parents.get(node), ast.Return)
        and not asks_size(node, parents)
        for node in nodes
    )


def _is_kept_by_object(path: str, join: Located) -> bool:
    function = join.function
    return (
        function is not None
        and function.self_name is not None
        and path.startswith(function.self_name + ".")
        and path.count(".") == 1
    )


def _stands_twice(operand: ast.expr, parts: Sequence[ast.expr]) -> bool:
    path = dotted_name(operand)
    return (
        sum(
            dotted_name(node) == path
            for part in parts
            for node in ast.walk(part)
            if isinstance(node, ast.Name | ast.Attribute)
        )
        != 1
    )


def _feeds_next(added: tuple[ast.expr, ...], join: Located, around: Around) -> bool:
    """Tell whether what is added, or another name for it, is read by the next pass before that sets it anew."""
    if around.chain:
        return False
    nodes = [(node, stmt) for stmt, _ in statements(around.loop) for node in own_expressions(stmt)]
    places = {
        n for part in added for i in ast.walk(part) if isinstance(i, ast.Subscript) for n in ast.walk(i.slice)
    }
    names = {
        node.id
        for part in added
        for node in ast.walk(part)
        if isinstance(node, ast.Name) and node not in places
    }
    names |= {
        target.id
        for _, statement in nodes
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Name)
        if statement.value.id in names
        for target in statement.targets
        if isinstance(target, ast.Name)
    }
    return any(
        _runs(definition, around.loop)
        and definition.kind != "for"
        and start(definition.statement) >= start(statement)
        for node, statement in nodes
        if isinstance(node, ast.Name) and node.id in names and isinstance(node.ctx, ast.Load)
        for definition in join.module.definitions(node, join.scope)
    )
