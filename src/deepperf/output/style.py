"""Colour and width of the terminal."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TextIO

_CODES = {
    "bold": "1",
    "faint": "2",
    "red": "1;31",
    "green": "32",
    "yellow": "33",
    "blue": "1;34",
    "cyan": "36",
}
_PLAIN_WIDTH = 80
_LEAST_WIDTH = 40


class Style:
    """How text looks: colours or none, and how wide lines may be (in terminal columns)."""

    def __init__(self, *, colour: bool = False, width: int = _PLAIN_WIDTH) -> None:
        self.colour = colour
        self.width = max(width, _LEAST_WIDTH)

    def __call__(self, name: str, text: str) -> str:
        """Return `text` in the colour or weight called `name`."""
        if not self.colour or not text:
            return text
        return f"\x1b[{_CODES[name]}m{text}\x1b[0m"


def style_for(stream: TextIO, environment: Mapping[str, str] = os.environ) -> Style:
    """Return the style for a stream: colours and the real width only on a terminal.

    The environment may say otherwise: `NO_COLOR` forbids colours, `FORCE_COLOR` asks for them,
    `TERM=dumb` means a terminal without any.
    """
    terminal = stream.isatty()
    colour = terminal and environment.get("TERM") != "dumb"
    if environment.get("FORCE_COLOR"):
        colour = True
    if environment.get("NO_COLOR"):
        colour = False
    width = _PLAIN_WIDTH
    if terminal:
        import shutil

        width = shutil.get_terminal_size((_PLAIN_WIDTH, 24)).columns
    return Style(colour=colour, width=width)
