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


# Where a comment for another tool begins.
_ANOTHER = re.compile(r"\s#(?=\s|[a-z])")


class Suppression(NamedTuple):
    """One comment: the lines of the text it covers, and the rules it names (None: all).

    `line` is where the comment stands, `text` what it says, from `#` to the end of the line or the next `#`.
    """

    first: int
    last: int
    names: frozenset[str] | None
    line: int
    text: str


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
        return bool(self.covering(code, slug, *lines))

    def covering(self, code: str, slug: str, *lines: int) -> list[Suppression]:
        """Return the comments that silence a finding of a rule on one of these lines."""
        names = {code.lower(), slug.lower()}
        return [
            found
            for found in self.found
            if any(found.first <= line <= found.last for line in lines)
            and (found.names is None or not names.isdisjoint(found.names))
        ]


def _read(source: Source) -> Iterator[Suppression]:
    started: list[Suppression] = []
    last = len(source.lines)
    for line, comment in _comments(source):
        all_found = list(_COMMENT.finditer(comment))
        ends = [*(found.start() for found in all_found[1:]), len(comment)]
        for found, end in zip(all_found, ends, strict=False):
            kind, listed = found.groups()
            names = None if listed is None else frozenset(listed.lower().replace(",", " ").split())
            text = _ANOTHER.split(comment[found.start() : end], maxsplit=1)[0].rstrip()
            made = Suppression(line, line, names, line, text)
            if kind == "ignore":
                yield made
            elif kind == "ignore-file":
                yield made._replace(first=1, last=last)
            elif kind == "ignore-cell" and source.notebook is not None:
                first, end_of_cell = source.notebook.cell_lines(line)
                yield made._replace(first=first, last=end_of_cell)
            elif kind == "ignore-start":
                started.append(made._replace(last=last))
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
