"""Lines of notebook cells that are not Python: magics, shell commands, help. They are blanked, so that all else stays put."""

from __future__ import annotations

import re

# Cell magics whose body is Python.
PYTHON_CELLS = frozenset({"capture", "prun", "time", "timeit"})

_ASSIGNED = re.compile(r"^([ \t]*[\w.,\[\]\"' \t]+=[ \t]*)([!%].*)$")
_HELP = re.compile(r"^[ \t]*(?:\?{1,2}[\w.*]+|[\w.*\[\]()]+\?{1,2})[ \t]*$")
_CELL = re.compile(r"^[ \t]*%%(\w+)")


def blanked(text: str) -> str:
    """Return a cell's text with everything that is no Python replaced by as many characters that are."""
    if not any(sign in text for sign in "%!?"):
        return text
    lines = text.split("\n")
    first = next((i for i, line in enumerate(lines) if line.strip()), None)
    if first is None:
        return text
    cell = _CELL.match(lines[first])
    if cell is not None and cell.group(1) not in PYTHON_CELLS:
        return "\n".join(" " * len(line) for line in lines)
    inside = False
    for index, line in enumerate(lines):
        continued = inside
        inside = False
        stripped = line.lstrip()
        if continued or stripped.startswith(("!", "%")) and not _continues(lines, index):
            inside = line.rstrip().endswith("\\")
            lines[index] = _empty(line, is_first=not continued)
        elif _HELP.match(line):
            lines[index] = _empty(line, is_first=True)
        else:
            assigned = _ASSIGNED.match(line)
            if assigned is not None and not assigned.group(2).startswith(("!=", "%=")):
                inside = line.rstrip().endswith("\\")
                lines[index] = assigned.group(1) + "0" + " " * (len(assigned.group(2)) - 1)
    return "\n".join(lines)


def _continues(lines: list[str], index: int) -> bool:
    """Whether a line that starts with a sign goes on an expression of the line before (`x = (a\\n % b)`)."""
    before = next((line.rstrip() for line in reversed(lines[:index]) if line.strip()), "")
    return before.endswith(("(", ",", "\\", "+", "[")) or (before.count("(") > before.count(")"))


def _empty(line: str, *, is_first: bool) -> str:
    """A statement that does nothing, as long as the line, so that a block of only magics stays a block."""
    indent = len(line) - len(line.lstrip())
    length = len(line) - indent
    if not is_first or not indent:
        return " " * len(line)
    word = "pass" if length >= 4 else "0"
    return line[:indent] + word + " " * (length - len(word))
