"""From text to a syntax tree: Python 3, and Python 2 by way of a conversion in memory."""

from __future__ import annotations

import ast
import re
import sys
import warnings
from typing import NamedTuple


class ParseFailure(Exception):
    """A text that cannot be used. `kind` is the word of the report: syntax, python-version, encoding, notebook."""

    def __init__(self, kind: str, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.line = line
        self.column = column


class Parsed(NamedTuple):
    """A tree, and whether it comes from Python 2."""

    tree: ast.Module
    is_python2: bool


# Syntax of newer Pythons, with the version that brought it: what to look for on the line of a syntax error.
_NEWER = (
    ((3, 11), re.compile(r"\bexcept\s*\*"), "except*"),
    ((3, 12), re.compile(r"^\s*type\s+\w+.*="), "a type statement"),
    ((3, 12), re.compile(r"^\s*(?:async\s+)?(?:def|class)\s+\w+\s*\["), "type parameters"),
    ((3, 12), re.compile(r"\b[fF][rR]?[\"']"), "a newer f-string"),
    ((3, 14), re.compile(r"^\s*except\s+[\w.]+\s*,\s*[\w.]+(?:\s*,\s*[\w.]+)*\s*:"), "except without parentheses"),
    ((3, 14), re.compile(r"\b[tT][rR]?[\"']"), "a template string"),
)
_PYTHON2 = re.compile(
    r"^[ \t]*print(?:[ \t]+[^\s=(.]|[ \t]*$|[ \t]*>>|[ \t]+\()"
    r"|^[ \t]*except\b[^:\n]*,[ \t]*\w+[ \t]*:|^[ \t]*raise\b[^\n(]*,|^[ \t]*exec[ \t]+[^\s(=]"
    r"|`|<>|\b0[0-7]+\b|\b\d+[lL]\b|\b[uU][rR][\"']|\bprint\b.*[\"'%]",
    re.MULTILINE,
)


def parse(text: str) -> Parsed:
    """Parse a Python file; one that only Python 2 reads is converted first, with all line numbers kept.

    Raises:
        ParseFailure: the text is not Python, or needs a newer Python than the running one.
    """
    try:
        return Parsed(parse_python3(text), is_python2=False)
    except SyntaxError as error:
        if isinstance(error, TabError | IndentationError) or _PYTHON2.search(text):
            from deepperf.source.python2 import convert

            converted = convert(text)
            if converted is not None:
                return Parsed(converted, is_python2=True)
        raise _failure(error, text) from None
    except (ValueError, RecursionError, MemoryError, OverflowError) as error:
        message = "is nested too deeply to be parsed" if isinstance(error, RecursionError) else f"cannot be parsed: {error}"
        raise ParseFailure("syntax", message or "cannot be parsed", 1) from None


def parse_python3(text: str, flags: int = 0) -> ast.Module:
    """Return the syntax tree of a text. `flags` are those of `compile`.

    Raises:
        SyntaxError: the text is no Python of the running version.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = compile(text, "<source>", "exec", ast.PyCF_ONLY_AST | flags, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    return tree


def _failure(error: SyntaxError, text: str) -> ParseFailure:
    line = error.lineno
    lines = text.splitlines()
    content = lines[line - 1] if line is not None and 0 < line <= len(lines) else ""
    for version, pattern, what in _NEWER:
        if sys.version_info < version and pattern.search(content):
            needed = ".".join(map(str, version))
            running = ".".join(map(str, sys.version_info[:2]))
            message = f"uses {what}, which needs Python {needed}; deepperf runs on {running}: run it with a newer Python"
            return ParseFailure("python-version", message, line, error.offset)
    return ParseFailure("syntax", f"is not valid Python: {error.msg}", line, error.offset)
