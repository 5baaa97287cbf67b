"""Python 2 read as Python 3: edits in memory, found with a maintained lib2to3, that keep every line in place.

Only what keeps a text from being parsed is changed: names such as `xrange` stay, since rules know them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from deepperf.model import Edit
from deepperf.source.conversion import Conversion
from deepperf.source.lines import Lines
from deepperf.source.parsing import Parsed, parse_python3

_TABS = re.compile(r"^[ \f]*\t[ \t\f]*", re.MULTILINE)
_CARRIAGE_RETURN = re.compile(r"\r(?!\n)")
_OCTAL = re.compile(r"0[0-7]+[lL]?$")
_RAW = re.compile(r"[uU][rR]")
# Escapes that only text has: in the byte strings of Python 2 they are plain characters.
_ESCAPE = re.compile(r"[\"'].*\\[NuU]", re.DOTALL)


def convert(text: str, flags: int) -> Parsed | None:
    """Return the tree of a Python 2 text and the edits it took, None if it is no Python 2 either.

    `flags` are those of `compile`.
    """
    for edits in _attempts(text):
        try:
            tree = parse_python3(Conversion(text, edits).text, flags)
        except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
            continue
        return Parsed(tree, tuple(edits))
    return None


def _attempts(text: str) -> Iterator[list[Edit]]:
    # Tabs reach to multiples of eight columns in Python 2; Python 3 does not mix them with spaces.
    tabs = [Edit(m.start(), m.end(), m.group().expandtabs()) for m in _TABS.finditer(text)]
    if tabs:
        yield tabs
    from fissix import pygram

    grammars = [pygram.python_grammar, pygram.python_grammar_no_print_statement]
    if "print_function" in text:
        grammars.reverse()
    for grammar in grammars:
        edits = _edits(grammar, text)
        if edits:
            yield [*tabs, *edits]


def _edits(grammar: Any, text: str) -> list[Edit]:
    """Return the edits that make Python 3 of a text, none if it is not of the grammar."""
    from fissix import pytree
    from fissix.pgen2.driver import Driver

    ended = _CARRIAGE_RETURN.sub("\n", text) + "\n"
    try:
        tree = Driver(grammar, pytree.convert).parse_string(ended)
        return list(_Converter(Lines(ended)).edits(tree))
    except Exception:  # Reading what is no Python 2 fails in many ways; all mean "no".
        return []


class _Converter:
    """Finds the edits that make Python 3 of a syntax tree of Python 2. A node is one of `fissix.pytree`."""

    def __init__(self, lines: Lines) -> None:
        self._lines = lines

    def edits(self, tree: Any) -> Iterator[Edit]:
        from fissix.pgen2 import token
        from fissix.pytree import type_repr

        leaves = {token.NUMBER: _number, token.STRING: _string, token.NAME: _name, token.NOTEQUAL: _unequal}
        nodes: dict[str, Callable[[Any], Iterator[Edit]]] = {
            "print_stmt": self._print,
            "exec_stmt": self._exec,
            "raise_stmt": self._raise,
            "except_clause": self._except,
            "tfpdef": self._parameters,
            "vfpdef": self._parameters,
            "atom": self._repr,
            "testlist_safe": self._parenthesised,
        }
        for node in tree.pre_order():
            if node.type in leaves:
                new = leaves[node.type](node.value)
                if new != node.value:
                    yield self._replace(node, new)
            elif node.children and type_repr(node.type) in nodes:
                yield from nodes[type_repr(node.type)](node)

    def _start(self, leaf: Any) -> int:
        return self._lines.starts[int(leaf.lineno) - 1] + int(leaf.column)

    def _end(self, node: Any) -> int:
        *_, last = node.leaves()
        return self._start(last) + len(str(last.value))

    def _replace(self, node: Any, text: str) -> Edit:
        return Edit(self._start(next(node.leaves())), self._end(node), text)

    def _before(self, node: Any, text: str) -> Edit:
        start = self._start(next(node.leaves()))
        return Edit(start, start, text)

    def _after(self, node: Any, text: str) -> Edit:
        end = self._end(node)
        return Edit(end, end, text)

    def _print(self, node: Any) -> Iterator[Edit]:
        yield self._after(node.children[0], "(")
        if _sign(node, 1) == ">>":
            yield self._replace(node.children[1], "")
        yield self._after(node, ")")

    def _exec(self, node: Any) -> Iterator[Edit]:
        yield self._after(node.children[0], "(")
        if _sign(node, 2) == "in":
            yield self._replace(node.children[2], ",")
        yield self._after(node, ")")

    def _raise(self, node: Any) -> Iterator[Edit]:
        if _sign(node, 2) == ",":
            yield self._replace(node.children[2], "(")
            yield self._after(node, ")")

    def _except(self, node: Any) -> Iterator[Edit]:
        if _sign(node, 2) == ",":
            yield self._replace(node.children[2], " as ")
            if not _sign(node, 3):
                yield self._replace(node.children[3], "_")

    def _parameters(self, node: Any) -> Iterator[Edit]:
        """Parameters in parentheses become parameters of their own: their names must be bound."""
        opening, names, closing = node.children
        yield self._replace(opening, "")
        if _sign(names, -1) == ",":
            yield self._replace(names.children[-1], "")
        yield self._replace(closing, "")

    def _repr(self, node: Any) -> Iterator[Edit]:
        if _sign(node, 0) == "`":
            yield self._replace(node.children[0], "repr(")
            yield self._replace(node.children[-1], ")")

    def _parenthesised(self, node: Any) -> Iterator[Edit]:
        yield self._before(node, "(")
        yield self._after(node, ")")


def _sign(node: Any, index: int) -> str:
    """Return the token that a child of a node is, nothing if there is no such child or it is no token."""
    child = node.children[index:][:1]
    return str(getattr(child[0], "value", "")) if child else ""


def _number(value: str) -> str:
    if _OCTAL.match(value):
        value = "0o" + value[1:]
    # A blank for the letter: `7L.real` must not become `7.real`.
    return value[:-1] + " " if value[-1] in "lL" else value


def _string(value: str) -> str:
    if _RAW.match(value):
        return value[1:]
    return "r" + value if _ESCAPE.match(value) else value


def _name(value: str) -> str:
    """Python 3.6 still took two of today's keywords as names."""
    return value.capitalize() if value in ("async", "await") else value


def _unequal(value: str) -> str:
    return "!="
