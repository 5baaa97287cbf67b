"""From text to a syntax tree: Python 3, and Python 2 by way of a conversion in memory."""

from __future__ import annotations

import ast
import sys
import warnings
from typing import NamedTuple

from deepperf.model import Edit


class ParseFailure(Exception):
    """A text that cannot be used. `kind` is the report's: syntax, python-version, encoding or notebook."""

    def __init__(self, kind: str, message: str, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.line = line
        self.column = column


class Parsed(NamedTuple):
    """A tree, and the edits that made Python 3 of the text before it was parsed (none for Python 3)."""

    tree: ast.Module
    edits: tuple[Edit, ...] = ()


def parse(text: str, flags: int = 0) -> Parsed:
    """Parse a Python file; one that only Python 2 reads is converted first, with all line numbers kept.

    `flags` are those of `compile`.

    Raises:
        ParseFailure: the text is not Python, or needs a newer Python than the running one.
    """
    try:
        return Parsed(parse_python3(text, flags))
    except SyntaxError as error:
        failure = _failure(error, text)
    except RecursionError:
        raise ParseFailure("syntax", "is nested too deeply to be parsed", 1) from None
    except (ValueError, MemoryError, OverflowError) as error:
        raise ParseFailure(
            "syntax", f"cannot be parsed: {error or 'it is too large or too deep'}", 1
        ) from None
    if failure.kind == "syntax":
        from deepperf.source.python2 import convert

        converted = convert(text, flags)
        if converted is not None:
            return converted
    raise failure


def parse_python3(text: str, flags: int = 0) -> ast.Module:
    """Return the syntax tree of a text. `flags` are those of `compile`.

    Raises:
        SyntaxError: the text is no Python of the running version.
        ValueError, RecursionError, MemoryError, OverflowError: it cannot be parsed for another reason.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = compile(text, "<source>", "exec", ast.PyCF_ONLY_AST | flags, dont_inherit=True)
    assert isinstance(tree, ast.Module)
    return tree


def _failure(error: SyntaxError, text: str) -> ParseFailure:
    from deepperf.source.lines import Lines
    from deepperf.source.newer import needed

    lines = Lines(text)
    line = min(max(error.lineno or 1, 1), len(lines))
    column = error.offset or None
    newer = needed(error, lines.line(line))
    if newer is None:
        return ParseFailure("syntax", f"is not valid Python: {error.msg}", line, column)
    version, what = newer
    running = ".".join(map(str, sys.version_info[:2]))
    message = (
        f"uses {what}, which needs Python {version}; deepperf runs on {running}: run it with a newer Python"
    )
    return ParseFailure("python-version", message, line, column)
