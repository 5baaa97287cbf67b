"""Python 2 read as Python 3: converted in memory with a maintained lib2to3, so that line numbers hold."""

from __future__ import annotations

import ast
import logging
from functools import cache
from typing import TYPE_CHECKING

from deepperf.source.parsing import parse_python3

if TYPE_CHECKING:
    from fissix.refactor import RefactoringTool

# Only what keeps a file from parsing: names such as xrange stay, since rules know them.
_FIXERS = ("print", "except", "raise", "exec", "repr", "numliterals", "ne", "throw", "tuple_params", "paren")


def convert(text: str) -> ast.Module | None:
    """Return the tree of a Python 2 text, None if it is no Python 2 either."""
    prepared = text.expandtabs(8) if "\t" in text else text
    prepared = prepared.replace("ur'", " r'").replace('ur"', ' r"')
    try:
        tree = parse_python3(prepared)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
    else:
        return tree
    source = prepared if prepared.endswith("\n") else prepared + "\n"
    try:
        converted = str(_tool().refactor_string(source, "<python2>"))
        return parse_python3(converted)
    except Exception:  # The converter fails in many ways on text that is no Python 2; all mean "no".
        return None


@cache
def _tool() -> RefactoringTool:
    logging.getLogger("fissix").setLevel(logging.CRITICAL)
    logging.getLogger("RefactoringTool").setLevel(logging.CRITICAL)
    from fissix.refactor import RefactoringTool

    return RefactoringTool([f"fissix.fixes.fix_{name}" for name in _FIXERS])
