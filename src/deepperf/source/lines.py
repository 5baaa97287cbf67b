"""Where the lines of a text are, counted as the Python parser counts them."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

_NEWLINE = re.compile(r"\r\n?|\n")


class Lines:
    """The lines of a text. Only `\\n`, `\\r\\n` and `\\r` end a line, form feeds and the like do not."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def starts(self) -> list[int]:
        """The offset at which each line starts."""
        text = self.text
        if "\r" in text:
            return [0, *(newline.end() for newline in _NEWLINE.finditer(text))]
        starts = [0]
        place = text.find("\n")
        while place != -1:
            starts.append(place + 1)
            place = text.find("\n", place + 1)
        return starts

    def __len__(self) -> int:
        return len(self.starts)

    def line(self, number: int) -> str:
        """Return line `number` (1-based) without its end, empty if there is no such line."""
        if not 1 <= number <= len(self.starts):
            return ""
        start = self.starts[number - 1]
        end = self.starts[number] if number < len(self.starts) else len(self.text)
        return self.text[start:end].rstrip("\r\n")

    def column(self, line: int, byte_column: int) -> int:
        """Return the 0-based code-point column of a 0-based UTF-8 byte column, as the parser gives it."""
        start = self.starts[line - 1]
        ahead = self.text[start : start + byte_column]
        if ahead.isascii():
            return byte_column
        return len(ahead.encode("utf-8", "surrogatepass")[:byte_column].decode("utf-8", "ignore"))

    def offset(self, line: int, byte_column: int) -> int:
        """Return the offset in the text of a place given as the parser gives it."""
        if line > len(self.starts):
            return len(self.text)
        return self.starts[line - 1] + self.column(line, byte_column)

    def position(self, offset: int) -> tuple[int, int]:
        """Return the 1-based line and column of an offset."""
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1
