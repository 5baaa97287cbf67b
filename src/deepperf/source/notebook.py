"""Notebooks: the code cells as one text with a map back, and back into the JSON with nothing else changed."""

from __future__ import annotations

import ast
import json
from bisect import bisect_right
from collections.abc import Iterator
from functools import cached_property
from typing import Any, NamedTuple

from deepperf.model import Edit
from deepperf.source.decoding import Encoding, decode
from deepperf.source.lines import Lines
from deepperf.source.magics import as_python
from deepperf.source.parsing import Parsed, ParseFailure, parse

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
        self._parts = text.split(SEPARATOR) if cells else []
        self._lines = Lines(text)
        self._starts: list[int] = []
        place = 0
        for part in self._parts:
            self._starts.append(self._lines.position(place)[0])
            place += len(part) + len(SEPARATOR)

    @classmethod
    def read(cls, data: bytes) -> Notebook:
        """Return the notebook that `data` holds. One in another language has no code cells.

        Raises:
            ParseFailure: the bytes are no JSON, or the JSON is no notebook.
        """
        raw, encoding = decode(data)
        try:
            content = json.loads(raw)
        except (ValueError, RecursionError) as error:
            line = getattr(error, "lineno", 1)
            raise ParseFailure("notebook", f"is not a notebook: the JSON is broken ({error})", line) from None
        cells = tuple(_code_cells(content))
        return cls(raw, encoding, cells, SEPARATOR.join(cell.text for cell in cells))

    def with_text(self, text: str) -> Notebook:
        """Return the same notebook with other cell texts, joined as `text` joins them.

        Raises:
            ValueError: the text has more or fewer cells.
        """
        changed = Notebook(self.raw, self.encoding, self.cells, text)
        if len(changed._parts) != len(self.cells):
            raise ValueError("the text does not have as many cells as the notebook")
        return changed

    def _index(self, line: int) -> int:
        return max(bisect_right(self._starts, line) - 1, 0)

    def cell_at(self, line: int) -> tuple[int, int]:
        """Return the number of the cell that a line of the joined text is in, and the line in the cell."""
        index = self._index(line)
        return self.cells[index].number, line - self._starts[index] + 1

    def file_line(self, cell: int, line: int) -> int:
        """Return the line of the file that holds a line of a cell."""
        from deepperf.source.notebook_json import line_of

        path = next(found.path for found in self.cells if found.number == cell)
        return line_of(self.raw, path, line)

    def joined_line(self, cell: int, line: int) -> int:
        """Return the line of the joined text for a line of a cell."""
        index = next(index for index, found in enumerate(self.cells) if found.number == cell)
        return self._starts[index] + line - 1

    def cell_lines(self, line: int) -> tuple[int, int]:
        """Return the first and last line, in the joined text, of the cell that a line belongs to."""
        index = self._index(line)
        is_last = index + 1 == len(self._starts)
        return self._starts[index], len(self._lines) if is_last else self._starts[index + 1] - 2

    @cached_property
    def code(self) -> list[tuple[int, str]]:
        """The cells as Python, each with its first line in the joined text."""
        return [(start, as_python(part)) for start, part in zip(self._starts, self._parts, strict=True)]

    def parse(self) -> tuple[Parsed, list[ParseFailure]]:
        """Return the tree of all cells that parse, and what is wrong with the others."""
        body: list[ast.stmt] = []
        edits: list[Edit] = []
        failures: list[ParseFailure] = []
        place = 0
        for first, part in self.code:
            # Empty lines ahead, so that the tree counts lines as the joined text does.
            ahead = first - 1
            try:
                parsed = parse("\n" * ahead + part, ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
            except ParseFailure as failure:
                failures.append(failure)
            else:
                body += parsed.tree.body
                shift = place - ahead
                edits += (Edit(edit.start + shift, edit.end + shift, edit.text) for edit in parsed.edits)
            place += len(part) + len(SEPARATOR)
        return Parsed(ast.Module(body, []), tuple(edits)), failures

    def to_bytes(self) -> bytes:
        """Return the file with the present cell texts, everything else as it was."""
        from deepperf.source.notebook_json import replace_sources

        changed = {
            cell.path: part for cell, part in zip(self.cells, self._parts, strict=True) if part != cell.text
        }
        return self.encoding.encode(replace_sources(self.raw, changed))


def _code_cells(content: Any) -> Iterator[Cell]:
    """Yield the Python cells of a notebook's JSON.

    Raises:
        ParseFailure: the JSON is no notebook.
    """
    cells = _all_cells(content)
    if cells is None:
        raise ParseFailure("notebook", "is not a notebook: it holds no cells", 1)
    if not _is_python(content):
        return
    for number, (path, cell) in enumerate(cells, start=1):
        if (
            not isinstance(cell, dict)
            or cell.get("cell_type") != "code"
            or cell.get("language", "python") != "python"
        ):
            continue
        key = "source" if "source" in cell else "input"
        text = cell.get(key)
        if isinstance(text, list) and all(isinstance(line, str) for line in text):
            text = "".join(text)
        if isinstance(text, str) and SEPARATOR.strip() not in text:
            yield Cell(number, (*path, key), text)


def _all_cells(content: Any) -> list[tuple[tuple[str | int, ...], Any]] | None:
    """Return the cells of nbformat 4, or of the worksheets of nbformat 3, with their paths."""
    if not isinstance(content, dict):
        return None
    if isinstance(content.get("cells"), list):
        return [(("cells", index), cell) for index, cell in enumerate(content["cells"])]
    sheets = content.get("worksheets")
    if not isinstance(sheets, list):
        return None
    return [
        (("worksheets", number, "cells", index), cell)
        for number, sheet in enumerate(sheets)
        if isinstance(sheet, dict) and isinstance(sheet.get("cells"), list)
        for index, cell in enumerate(sheet["cells"])
    ]


def _is_python(content: dict[str, Any]) -> bool:
    """Whether a notebook is in Python, as all are that do not say otherwise."""
    metadata = content.get("metadata")
    for key, name in (("language_info", "name"), ("kernelspec", "language")):
        found = metadata.get(key) if isinstance(metadata, dict) else None
        language = found.get(name) if isinstance(found, dict) else None
        if isinstance(language, str):
            return "python" in language.lower()
    return True
