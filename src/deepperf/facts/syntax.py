"""Small questions about syntax trees that need no knowledge of the program."""

from __future__ import annotations

import ast
from collections.abc import Iterator

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef
LoopNode = ast.For | ast.AsyncFor | ast.While | ast.comprehension
Position = tuple[int, int]

# Fields that hold no expressions that are evaluated: names, operators, annotations, numbers.
_SKIPPED_FIELDS = frozenset(
    "ctx op ops id attr arg kind type_comment annotation type_params conversion names name module level asname rest "
    "kwd_attrs simple is_async str tag".split()
)


_fields_of: dict[type[ast.AST], tuple[str, ...]] = {}


def child_fields(kind: type[ast.AST]) -> tuple[str, ...]:
    """Return the fields of a node type that can hold expressions."""
    known = _fields_of.get(kind)
    if known is None:
        known = _fields_of[kind] = tuple(name for name in kind._fields if name not in _SKIPPED_FIELDS)
    return known


def dotted_name(node: ast.AST) -> str | None:
    """Return `a.b.c` for a chain of attributes on a name, None for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return None
    parts.append(node.id)
    return ".".join(reversed(parts))


def root_name(node: ast.AST) -> ast.Name | None:
    """Return the name an expression of attributes, subscripts and calls starts with, None if it starts otherwise."""
    while True:
        if isinstance(node, ast.Name):
            return node
        if isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
            node = node.value
        elif isinstance(node, ast.Call):
            node = node.func
        else:
            return None


def target_names(target: ast.AST) -> Iterator[str]:
    """Yield the plain names that an assignment target binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for element in target.elts:
            yield from target_names(element)
    elif isinstance(target, ast.Starred):
        yield from target_names(target.value)


def start(node: ast.AST) -> Position:
    """Return where a node starts, as (line, byte column)."""
    return node.lineno, node.col_offset  # type: ignore[attr-defined]


def end(node: ast.AST) -> Position:
    """Return where a node ends, as (line, byte column)."""
    return node.end_lineno, node.end_col_offset  # type: ignore[attr-defined]


def inside(node: ast.AST, outer: ast.AST) -> bool:
    """Tell whether `node` stands in the text of `outer`, both of one file."""
    return start(outer) <= start(node) and end(node) <= end(outer)


def runs_in(node: ast.AST, loop: LoopNode, owner: ast.AST | None = None) -> bool:
    """Tell whether `node` is evaluated on each pass of `loop`: its body, the test of a `while`, a comprehension's element.

    `owner` is the comprehension expression a `comprehension` loop belongs to.
    """
    if isinstance(loop, ast.comprehension):
        return owner is not None and inside(node, owner) and not inside(node, loop.iter)
    if isinstance(loop, ast.While) and inside(node, loop.test):
        return True
    return start(loop.body[0]) <= start(node) and end(node) <= end(loop.body[-1])


def argument(call: ast.Call, name: str, position: int | None) -> ast.expr | None:
    """Return the expression a call passes for a parameter, None if it passes none that can be seen."""
    for keyword in call.keywords:
        if keyword.arg == name:
            return keyword.value
    if position is None or position >= len(call.args):
        return None
    if any(isinstance(value, ast.Starred) for value in call.args[: position + 1]):
        return None
    return call.args[position]


def is_super(node: ast.expr) -> bool:
    """Tell whether an expression is `super()`."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "super"


def has_unpacking(call: ast.Call) -> bool:
    """Tell whether a call passes `*args` or `**kwargs`, so that not all its arguments can be seen."""
    return any(isinstance(value, ast.Starred) for value in call.args) or any(
        keyword.arg is None for keyword in call.keywords
    )


def walk_own(root: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function or statement list owner, not those of functions and classes nested in it."""
    stack = list(ast.iter_child_nodes(root))
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            stack.extend(ast.iter_child_nodes(node))
