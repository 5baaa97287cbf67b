"""One file: its text, its syntax tree, and where things stand in it."""

from __future__ import annotations

import ast
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from deepperf.model import Place, Problem, Span
from deepperf.source.decoding import Encoding, decode
from deepperf.source.lines import Lines
from deepperf.source.parsing import ParseFailure, parse

if TYPE_CHECKING:
    from deepperf.source.notebook import Notebook
    from deepperf.source.suppressions import Suppressions


class SourceError(Exception):
    """A file that cannot be used; `problem` is the record for the report."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.path}: {problem.message}")
        self.problem = problem


class Source:
    """One file to analyse.

    `path` is how reports name it; `text` is what edits apply to: the decoded file, or the joined code cells of a notebook.
    """

    def __init__(
        self, file: Path, path: str, text: str, encoding: Encoding, notebook: Notebook | None = None
    ) -> None:
        self.file = file
        self.path = path
        self.text = text
        self.encoding = encoding
        self.notebook = notebook
        self.is_python2 = False
        self.problems: tuple[Problem, ...] = ()

    @property
    def is_notebook(self) -> bool:
        """Whether the file is a notebook."""
        return self.notebook is not None

    @property
    def can_edit(self) -> bool:
        """Whether fixes may be applied: not to Python 2, whose columns are not those of the file."""
        self.tree  # noqa: B018  (parsing tells Python 2 from 3)
        return not self.is_python2

    @cached_property
    def lines(self) -> Lines:
        """The lines of the text."""
        return Lines(self.text)

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree.

        Raises:
            SourceError: the text does not parse.
        """
        if self.notebook is not None:
            tree, failures = self.notebook.parse(self.text)
            self.problems = tuple(self._problem(failure) for failure in failures)
            return tree
        try:
            parsed = parse(self.text)
        except ParseFailure as failure:
            raise SourceError(self._problem(failure)) from failure
        self.is_python2 = parsed.is_python2
        return parsed.tree

    def _problem(self, failure: ParseFailure) -> Problem:
        line, cell = failure.line, None
        if self.notebook is not None and line is not None:
            cell, line = self.notebook.cell_at(line)
        return Problem(self.path, failure.kind, failure.message, line, failure.column, cell)

    def span(self, node: ast.AST) -> Span:
        """Return the stretch of a node, in lines of `text`."""
        lines = self.lines
        line, end_line = node.lineno, node.end_lineno or node.lineno  # type: ignore[attr-defined]
        return Span(
            line,
            lines.column(line, node.col_offset) + 1,  # type: ignore[attr-defined]
            end_line,
            lines.column(end_line, node.end_col_offset) + 1,  # type: ignore[attr-defined]
        )

    def place(self, where: ast.AST | Span, message: str = "") -> Place:
        """Return the place of a node or span; in a notebook by cell."""
        span = where if isinstance(where, Span) else self.span(where)
        if self.notebook is None:
            return Place(self.path, span, message)
        cell, line = self.notebook.cell_at(span.line)
        shift = line - span.line
        moved = Span(line, span.column, span.end_line + shift, span.end_column)
        return Place(self.path, moved, message, cell)

    def offset(self, line: int, byte_column: int) -> int:
        """Return the offset in `text` of a place given as the parser gives it."""
        return self.lines.offset(line, byte_column)

    def bounds(self, node: ast.AST) -> tuple[int, int]:
        """Return the offsets in `text` at which a node starts and ends."""
        start = self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        end = self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        return start, end

    def segment(self, node: ast.AST) -> str:
        """Return the text of a node."""
        start, end = self.bounds(node)
        return self.text[start:end]

    def frame_line(self, place: Place, line: int) -> str:
        """Return a line of the file or of the place's cell, for code frames."""
        if self.notebook is not None and place.cell is not None:
            line = self.notebook.joined_line(place.cell, line)
        return self.lines.line(line)

    def raw_line(self, place: Place) -> int:
        """Return the line a place has in `text`, over all cells of a notebook."""
        if self.notebook is None or place.cell is None:
            return place.span.line
        return self.notebook.joined_line(place.cell, place.span.line)

    @cached_property
    def suppressions(self) -> Suppressions:
        """The comments that silence findings."""
        from deepperf.source.suppressions import Suppressions

        return Suppressions(self)

    def with_text(self, text: str) -> Source:
        """Return the same file with another text, in memory only."""
        notebook = self.notebook.with_text(text) if self.notebook is not None else None
        return Source(self.file, self.path, text, self.encoding, notebook)


def read_source(file: Path, display: str, *, data: bytes | None = None) -> Source:
    """Read a file, or take `data` as its content.

    Raises:
        SourceError: the file cannot be read, decoded, or is no notebook although its name says so.
    """
    if data is None:
        try:
            data = file.read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            raise SourceError(Problem(display, "unreadable", f"cannot be read: {reason}")) from error
    try:
        if file.suffix == ".ipynb":
            from deepperf.source.notebook import Notebook

            notebook = Notebook.read(data)
            return Source(file, display, notebook.text, notebook.encoding, notebook)
        text, encoding = decode(data)
    except ParseFailure as failure:
        raise SourceError(Problem(display, failure.kind, failure.message, failure.line)) from failure
    return Source(file, display, text, encoding)
