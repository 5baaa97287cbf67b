"""Notebooks: the code cells as one text with a map back, and back into the JSON with nothing else changed."""

from __future__ import annotations

import ast
import json
from bisect import bisect_right
from typing import Any, NamedTuple

from deepperf.source.decoding import Encoding, decode
from deepperf.source.lines import Lines
from deepperf.source.magics import blanked
from deepperf.source.parsing import ParseFailure, parse_python3

# Stands between two cells of the joined text, on a line of its own. A comment that nobody writes.
SEPARATOR = "\n#\u2063\n"


class Cell(NamedTuple):
    """A code cell: its number among all cells (from 1), where its source is in the JSON, and its text."""

    number: int
    path: tuple[str | int, ...]
    text: str


class Notebook:
    """The code cells of a notebook, nbformat 3 or 4."""

    def __init__(self, raw: str, encoding: Encoding, cells: tuple[Cell, ...], text: str) -> None:
        self.raw = raw
        self.encoding = encoding
        self.cells = cells
        self.text = text
        self._starts: list[int] = []
        line = 1
        for part in text.split(SEPARATOR):
            self._starts.append(line)
            line += len(Lines(part)) + 1

    @classmethod
    def read(cls, data: bytes) -> Notebook:
        """Return the notebook that `data` holds.

        Raises:
            ParseFailure: the bytes are no JSON, or the JSON is no notebook.
        """
        raw, encoding = decode(data)
        try:
            content = json.loads(raw)
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", 1)
            raise ParseFailure("notebook", f"is not a notebook: the JSON is broken ({error})", line) from None
        cells = _code_cells(content)
        return cls(raw, encoding, cells, SEPARATOR.join(cell.text for cell in cells))

    def with_text(self, text: str) -> Notebook:
        """Return the same notebook with other cell texts, joined as `text` joins them."""
        return Notebook(self.raw, self.encoding, self.cells, text)

    def _index(self, line: int) -> int:
        return max(bisect_right(self._starts, line) - 1, 0)

    def cell_at(self, line: int) -> tuple[int, int]:
        """Return the number of the cell that a line of the joined text belongs to, and the line in the cell."""
        if not self.cells:
            return 1, line
        index = self._index(line)
        return self.cells[index].number, line - self._starts[index] + 1

    def joined_line(self, cell: int, line: int) -> int:
        """Return the line of the joined text for a line of a cell."""
        for index, found in enumerate(self.cells):
            if found.number == cell:
                return self._starts[index] + line - 1
        return line

    def cell_lines(self, line: int) -> tuple[int, int]:
        """Return the first and last line, in the joined text, of the cell that a line belongs to."""
        index = self._index(line)
        last = self._starts[index + 1] - 2 if index + 1 < len(self._starts) else len(Lines(self.text))
        return self._starts[index], last

    def parse(self, text: str) -> tuple[ast.Module, list[ParseFailure]]:
        """Return the tree of all cells that parse, and what is wrong with the others."""
        parts = [blanked(part) for part in text.split(SEPARATOR)]
        try:
            return _tree(SEPARATOR.join(parts)), []
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass
        failures: list[ParseFailure] = []
        for index, part in enumerate(parts):
            try:
                _tree(part)
            except SyntaxError as error:
                line = self._starts[index] + (error.lineno or 1) - 1
                failures.append(ParseFailure("syntax", f"is not valid Python: {error.msg}", line, error.offset))
                parts[index] = _emptied(part)
            except (ValueError, RecursionError, MemoryError) as error:
                failures.append(ParseFailure("syntax", f"cannot be parsed: {error}", self._starts[index]))
                parts[index] = _emptied(part)
        return _tree(SEPARATOR.join(parts)), failures

    def to_bytes(self) -> bytes:
        """Return the file with the present cell texts, everything else as it was."""
        from deepperf.source.notebook_json import replace_sources

        changed = {
            cell.path: part
            for cell, part in zip(self.cells, self.text.split(SEPARATOR), strict=True)
            if part != cell.text
        }
        return self.encoding.encode(replace_sources(self.raw, changed))


def _tree(text: str) -> ast.Module:
    return parse_python3(text, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)


def _emptied(text: str) -> str:
    return "".join(character if character in "\r\n" else " " for character in text)


def _code_cells(content: Any) -> tuple[Cell, ...]:
    if not isinstance(content, dict):
        raise ParseFailure("notebook", "is not a notebook: it holds no cells", 1)
    holders: list[tuple[tuple[str | int, ...], Any]] = []
    if isinstance(content.get("cells"), list):
        holders = [(("cells", i), cell) for i, cell in enumerate(content["cells"])]
    elif isinstance(content.get("worksheets"), list):
        for number, sheet in enumerate(content["worksheets"]):
            cells = sheet.get("cells", []) if isinstance(sheet, dict) else []
            holders += [(("worksheets", number, "cells", i), cell) for i, cell in enumerate(cells)]
    else:
        raise ParseFailure("notebook", "is not a notebook: it holds no cells", 1)
    found: list[Cell] = []
    for number, (path, cell) in enumerate(holders, start=1):
        if not isinstance(cell, dict) or cell.get("cell_type") != "code":
            continue
        key = "source" if "source" in cell else "input"
        text = cell.get(key, "")
        if isinstance(text, list) and all(isinstance(line, str) for line in text):
            text = "".join(text)
        if isinstance(text, str) and SEPARATOR not in text:
            found.append(Cell(number, (*path, key), text))
    return tuple(found)
