"""Comments that silence findings.

`# deepperf: ignore[CODE, slug] reason` on a line or on its statement's first line; `ignore-file[…]` anywhere;
`ignore-start[…]` to `ignore-end`; `ignore-cell[…]` in a notebook cell. Without brackets a comment silences
every rule.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from deepperf.source.lines import Lines
from deepperf.source.scanner import Scanner

if TYPE_CHECKING:
    from deepperf.source.source import Source

_COMMENT = re.compile(
    r"#\s*deepperf:\s*(ignore(?:-file|-start|-end|-cell)?)(?![\w-])(?:\s*\[([^\]]*)\]|(?!\s*\[))"
)


class Suppression(NamedTuple):
    """One comment: the lines of the text it covers, and the rules it names (None: all)."""

    first: int
    last: int
    names: frozenset[str] | None


class Suppressions:
    """What the comments of a file silence."""

    def __init__(self, source: Source) -> None:
        self.found: tuple[Suppression, ...] = ()
        if "deepperf" in source.text:
            self.found = tuple(_read(source))

    def covers(self, code: str, slug: str, *lines: int) -> bool:
        """Tell whether a finding of a rule is silenced on one of these lines.

        The lines are the finding's and the first of its statement; in a notebook counted over all cells.
        """
        names = {code.lower(), slug.lower()}
        return any(
            any(found.first <= line <= found.last for line in lines)
            and (found.names is None or not names.isdisjoint(found.names))
            for found in self.found
        )


def _read(source: Source) -> Iterator[Suppression]:
    started: list[Suppression] = []
    last = len(source.lines)
    for line, comment in _comments(source):
        for found in _COMMENT.finditer(comment):
            kind, listed = found.groups()
            names = None if listed is None else frozenset(listed.lower().replace(",", " ").split())
            if kind == "ignore":
                yield Suppression(line, line, names)
            elif kind == "ignore-file":
                yield Suppression(1, last, names)
            elif kind == "ignore-cell" and source.notebook is not None:
                yield Suppression(*source.notebook.cell_lines(line), names)
            elif kind == "ignore-start":
                started.append(Suppression(line, last, names))
            elif kind == "ignore-end":
                yield from _ended(started, line, names)
    yield from started


def _ended(started: list[Suppression], line: int, names: frozenset[str] | None) -> Iterator[Suppression]:
    """Close the innermost range, of these names if there are any."""
    for opened in reversed(started):
        if names is None or opened.names == names:
            started.remove(opened)
            yield opened._replace(last=line)
            return


def _comments(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the comments of a source with their lines."""
    parts = [(1, source.text)] if source.notebook is None else source.notebook.code
    for first, text in parts:
        scanner = Scanner()
        lines = Lines(text)
        for number in range(len(lines)):
            comment = scanner.feed(lines.line(number + 1))
            if comment is not None:
                yield first + number, comment
