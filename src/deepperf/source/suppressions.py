"""Comments that silence findings.

`# deepperf: ignore[CODE, slug] reason` on a line or on its statement's first line; `ignore-file[…]` anywhere;
`ignore-start[…]` to `ignore-end`; `ignore-cell[…]` in a notebook cell. Without brackets a comment silences every rule.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from deepperf.source.source import Source

_COMMENT = re.compile(r"#\s*deepperf:\s*(ignore(?:-file|-start|-end|-cell)?)\b(?:\[([^\]]*)\])?", re.IGNORECASE)


class Suppression(NamedTuple):
    """One comment: the lines of the text it covers, and the rules it names (none means all)."""

    first: int
    last: int
    names: frozenset[str]


class Suppressions:
    """What the comments of a file silence."""

    def __init__(self, source: Source) -> None:
        self.found: tuple[Suppression, ...] = ()
        if "deepperf" in source.text:
            self.found = tuple(_read(source))

    def covers(self, code: str, slug: str, *lines: int) -> bool:
        """Tell whether a finding of a rule is silenced on one of these lines (the finding's, its statement's first)."""
        return any(
            any(found.first <= line <= found.last for line in lines)
            and (not found.names or code.lower() in found.names or slug.lower() in found.names)
            for found in self.found
        )


def _read(source: Source) -> Iterator[Suppression]:
    last = len(source.lines)
    open_ranges: list[tuple[int, frozenset[str]]] = []
    for line, comment in _comments(source.text):
        match = _COMMENT.search(comment)
        if match is None:
            continue
        kind = match.group(1).lower()
        names = frozenset(name.strip().lower() for name in (match.group(2) or "").split(",") if name.strip())
        if kind == "ignore":
            yield Suppression(line, line, names)
        elif kind == "ignore-file":
            yield Suppression(1, last, names)
        elif kind == "ignore-cell" and source.notebook is not None:
            yield Suppression(*source.notebook.cell_lines(line), names)
        elif kind == "ignore-start":
            open_ranges.append((line, names))
        elif kind == "ignore-end" and open_ranges:
            first, opened = open_ranges.pop()
            yield Suppression(first, line, opened)
    for first, names in open_ranges:
        yield Suppression(first, last, names)


def _comments(text: str) -> Iterator[tuple[int, str]]:
    """Yield the comments of a text with their lines; where it cannot be split into tokens, look at whole lines."""
    found: list[tuple[int, str]] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                found.append((token.start[0], token.string))
    except (tokenize.TokenError, SyntaxError, ValueError):
        found = [(n, line[line.index("#") :]) for n, line in enumerate(text.split("\n"), 1) if "#" in line]
    yield from found
