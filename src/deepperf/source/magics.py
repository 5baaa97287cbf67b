"""Notebook cells made Python without moving anything: magics, shell commands and help become blanks."""

from __future__ import annotations

import re

from deepperf.source.scanner import Scanner

# Cell magics whose body is Python.
PYTHON_CELLS = frozenset({"capture", "prun", "time", "timeit"})

# Commands that notebooks take without a sign ahead. What follows tells them from variables.
_COMMAND = (
    r"(?:pip3?|conda|mamba|cd|ls|ll|cp|mv|rm|mkdir|rmdir|cat)"
    r"[ \t]+(?!(?:if|in|is|and|or|not)\b)(?:-{1,2}[A-Za-z]|[\w./~$\"'])"
)
_MAGIC = re.compile(rf"[ \t]*(?:[%!?/,;]|{_COMMAND})")
_HELP = re.compile(r"[ \t]*%{0,2}[\w.*\[\]()]+\?{1,2}[ \t]*$")
_ASSIGNED = re.compile(r"([ \t]*[\w.,\[\]\"'* \t]+=[ \t]*)([!%].*)")
_CELL = re.compile(r"(?:\s|#[^\n]*\n)*%%(\S*)")
_SUSPECT = re.compile(rf"[%!?]|^[ \t]*(?:[/,;]|{_COMMAND})", re.MULTILINE)
_NEWLINE = re.compile(r"(\r\n?|\n)")
_CHARACTER = re.compile(r"[^\r\n]")
_FIRST = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\r?\n)*([ \t]+)[^\s#]")


def as_python(text: str) -> str:
    """Return a cell's text with all that is no Python replaced by as many characters that are."""
    if _SUSPECT.search(text):
        cell = _CELL.match(text)
        if cell is not None and cell.group(1) not in PYTHON_CELLS:
            return _emptied(text)
        text = _without_magics(text)
    first = _FIRST.match(text)
    if first is None:
        return text
    # Cells may be indented as a whole. A form feed makes the parser count the indentation from zero again.
    indent = first.group(1)
    return re.sub(f"^{indent}", indent[:-1] + "\f", text, flags=re.MULTILINE)


def _emptied(text: str) -> str:
    """Return as many blanks, on as many lines."""
    return _CHARACTER.sub(" ", text)


def _without_magics(text: str) -> str:
    scanner = Scanner()
    # Every other part is the end of a line.
    parts = _NEWLINE.split(text)
    inside = False
    for index, line in enumerate(parts[::2]):
        new = None
        if inside:
            new = _emptied(line)
        elif scanner.at_statement:
            new = _without_magic(line)
        if new is None:
            scanner.feed(line)
        else:
            inside = line.endswith("\\")
            parts[2 * index] = new
    return "".join(parts)


def _without_magic(line: str) -> str | None:
    """Return the line of a statement without its magic, None if it has none."""
    if _MAGIC.match(line) or _HELP.match(line):
        return _idle(line)
    assigned = _ASSIGNED.match(line)
    if assigned is None:
        return None
    # A name that nobody bound: its value is unknown.
    return assigned.group(1) + "_" + _emptied(assigned.group(2)[1:])


def _idle(line: str) -> str:
    """Return a statement that does nothing, as long as the line: a block of only magics stays a block."""
    code = line.lstrip(" \t")
    indent = line[: len(line) - len(code)]
    if not indent:
        return _emptied(line)
    word = "pass" if len(code) >= 4 else "0"
    return indent + word + _emptied(code[len(word) :])
