"""Code frames: lines of code with their numbers and a stretch underlined."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping

from deepperf.model import Span
from deepperf.output.style import Style

_TAB = 4
_CUT = "..."
_BEFORE_SPAN = 12


def cells(line: str) -> list[str]:
    """Return what a terminal shows for each code point of a line: tabs as spaces, controls as `?`."""
    shown: list[str] = []
    column = 0
    for character in line:
        if character == "\t":
            text = " " * (_TAB - column % _TAB)
        elif character == "\f":
            text = ""
        else:
            text = "?" if unicodedata.category(character) in ("Cc", "Cf", "Cs") else character
        shown.append(text)
        column += width_of(text)
    return shown


def width_of(text: str) -> int:
    """Return how many terminal columns a text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in ("W", "F") else 1
        for c in text
    )


def frame(lines: Mapping[int, str], span: Span, style: Style, *, indent: str = "") -> Iterator[str]:
    """Yield the lines of a code frame: `lines` by their numbers, the first line of `span` underlined.

    Blank lines at the edges are left out.
    """
    numbers = sorted(number for number in lines if number == span.line or lines[number].strip())
    if span.line not in lines:
        return
    gutter = max(len(str(numbers[-1])), 4)
    room = style.width - len(indent) - gutter - 3
    bar = style("faint", "|")
    for number in range(numbers[0], numbers[-1] + 1):
        marked = _columns(lines[number], span) if number == span.line else None
        shown, carets = _window(cells(lines[number]), marked, room)
        yield f"{indent}{style('blue', f'{number:>{gutter}}')} {bar} {shown}".rstrip()
        if marked is not None:
            yield f"{indent}{' ' * gutter} {bar} {style('red', carets)}"


def _columns(text: str, span: Span) -> tuple[int, int]:
    """Return the stretch of the first line to underline, as 0-based code points; never empty."""
    start = min(span.column - 1, len(text))
    end = span.end_column - 1 if span.end_line == span.line else len(text.rstrip())
    return start, max(min(end, len(text)), start + 1)


def _window(shown: list[str], marked: tuple[int, int] | None, room: int) -> tuple[str, str]:
    """Return the part of a line that fits into `room` columns, and the carets below it."""
    start, end = marked or (0, 0)
    left = 0
    if width_of("".join(shown)) > room and width_of("".join(shown[:end])) > room:
        left = max(start - _BEFORE_SPAN, 0)
    prefix = _CUT if left else ""
    text, used = prefix, len(prefix)
    carets = " " * used
    for place in range(left, len(shown)):
        width = width_of(shown[place])
        rest = width_of("".join(shown[place + 1 : place + 4]))
        if used + width + min(rest, len(_CUT)) > room:
            text += _CUT
            break
        text += shown[place]
        carets += ("^" if start <= place < end else " ") * width
        used += width
    if end > len(shown):
        carets += "^"
    return text, carets.rstrip()
