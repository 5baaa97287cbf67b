"""Where statements and comments start, line by line, in text that need not be valid Python."""

from __future__ import annotations

import re

_SIGN = re.compile(r"\"\"\"|'''|[\"'#(\[{)\]}]")
_CLOSE = {quote: re.compile(rf"(?:[^\\]|\\.)*?{quote}") for quote in ('"""', "'''", '"', "'")}


class Scanner:
    """Reads a text line by line; strings, brackets and backslashes carry over to the next line."""

    def __init__(self) -> None:
        self._quote = ""
        self._depth = 0
        self._continued = False

    @property
    def at_statement(self) -> bool:
        """Whether a statement starts with the next line."""
        return not (self._quote or self._depth or self._continued)

    def feed(self, line: str) -> str | None:
        """Take the next line, without its end; return its comment."""
        place = 0
        self._continued = line.endswith("\\")
        while True:
            if self._quote:
                close = _CLOSE[self._quote].match(line, place)
                if close is None:
                    if len(self._quote) == 1 and not self._continued:
                        self._quote = ""
                    return None
                place = close.end()
                self._quote = ""
            found = _SIGN.search(line, place)
            if found is None:
                return None
            sign = found.group()
            place = found.end()
            if sign == "#":
                self._continued = False
                return line[found.start() :]
            if sign in "([{":
                self._depth += 1
            elif sign in ")]}":
                self._depth = max(self._depth - 1, 0)
            else:
                self._quote = sign
