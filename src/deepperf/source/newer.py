"""Syntax that the running Python does not know yet."""

from __future__ import annotations

import re
import sys

_HEAD = r"\s*(?:async\s+)?(?:def|class)\s+\w+\s*"

# (version, pattern of the line of the error, pattern of the error's message, what it is).
_NEWER = (
    ((3, 11), r"\s*except\s*\*", "", "`except*`"),
    ((3, 12), rf"{_HEAD}\[(?![^\]]*=)", "", "type parameters"),
    ((3, 12), r"\s*type\s+\w+\s*(?:\[(?![^\]]*=)[^=]*)?=", "", "a `type` statement"),
    ((3, 12), "", "f-string expression part cannot include", "a backslash or comment inside an f-string"),
    (
        (3, 12),
        r".*\b[rR]?[fF][rR]?([\"'])[^{]*\{[^{}]*\1[^{}]*\}",
        "f-string",
        "the same quotes inside an f-string",
    ),
    ((3, 13), rf"(?:{_HEAD}|\s*type\s+\w+\s*)\[[^\]]*=", "", "defaults of type parameters"),
    ((3, 14), r"\s*except\*?\s+[\w.]+(?:\s*,\s*(?:\w+\.)*[A-Z]\w*)+\s*:", "", "`except` without parentheses"),
    ((3, 14), r".*(?<![\w\"'])(?:[tT][rR]?|[rR][tT])[\"']", "invalid syntax", "a template string"),
    ((3, 15), "", "unpacking cannot be used in", "unpacking in a comprehension"),
    ((3, 15), r"\s*lazy\s+(?:import|from)\b", "", "a lazy import"),
)


def needed(error: SyntaxError, line: str) -> tuple[str, str] | None:
    """Return the version of Python that knows the syntax that an error is about, and what that is.

    `line` is the text of the line of the error. None where nothing newer than the running one is recognised.
    """
    for version, pattern, message, what in _NEWER:
        if sys.version_info < version and message in (error.msg or "") and re.match(pattern, line):
            return ".".join(map(str, version)), what
    return None
