"""One file: its text, its syntax tree, and where things stand in it."""

from __future__ import annotations

import ast
import re
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from deepperf.model import Place, Problem, Span
from deepperf.source.decoding import Encoding, decode
from deepperf.source.lines import Lines
from deepperf.source.parsing import Parsed, ParseFailure, parse

if TYPE_CHECKING:
    from deepperf.source.conversion import Conversion
    from deepperf.source.notebook import Notebook
    from deepperf.source.suppressions import Suppressions


class SourceError(Exception):
    """A file that cannot be used; `problem` is the record for the report."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(f"{problem.path}: {problem.message}")
        self.problem = problem


class Source:
    """One file to analyse.

    `path` is how reports name it; `text` is what edits apply to: the decoded file, or the joined code cells
    of a notebook. `problems` are what is wrong with single cells, known once `tree` was asked for.
    """

    def __init__(
        self, file: Path, path: str, text: str, encoding: Encoding, notebook: Notebook | None = None
    ) -> None:
        self.file = file
        self.path = path
        self.text = text
        self.encoding = encoding
        self.notebook = notebook
        self.problems: tuple[Problem, ...] = ()

    @property
    def is_notebook(self) -> bool:
        """Whether the file is a notebook."""
        return self.notebook is not None

    @property
    def is_python2(self) -> bool:
        """Whether only Python 2 reads the file, so that what was parsed is a conversion of it.

        Raises:
            SourceError: the text does not parse.
        """
        return self._conversion is not None

    @property
    def can_edit(self) -> bool:
        """Whether fixes may be applied: not to Python 2, nor where writing would change more than they do.

        Raises:
            SourceError: the text does not parse.
        """
        return not self.is_python2 and self.encoding.is_exact

    @cached_property
    def lines(self) -> Lines:
        """The lines of the text."""
        return Lines(self.text)

    @property
    def tree(self) -> ast.Module:
        """The syntax tree.

        Raises:
            SourceError: the text does not parse.
        """
        return self._parsed.tree

    @property
    def _parsed(self) -> Parsed:
        if isinstance(self._outcome, Problem):
            raise SourceError(self._outcome)
        return self._outcome

    @cached_property
    def _outcome(self) -> Parsed | Problem:
        """What parsing gave, a failure included: a file is parsed once."""
        try:
            if self.notebook is None:
                return parse(self.text)
            parsed, failures = self.notebook.parse()
        except ParseFailure as failure:
            return self._problem(failure)
        self.problems = tuple(map(self._problem, failures))
        return parsed

    def _problem(self, failure: ParseFailure) -> Problem:
        line, cell = failure.line, None
        if self.notebook is not None and line is not None:
            cell, line = self.notebook.cell_at(line)
        return Problem(self.path, failure.kind, failure.message, line, failure.column, cell)

    @cached_property
    def _conversion(self) -> Conversion | None:
        if not self._parsed.edits:
            return None
        from deepperf.source.conversion import Conversion

        return Conversion(self.text, self._parsed.edits)

    @cached_property
    def _parsed_lines(self) -> Lines:
        """The lines of the text that the tree speaks of."""
        return self.lines if self._conversion is None else Lines(self._conversion.text)

    def span(self, node: ast.AST) -> Span:
        """Return the stretch of a node, in lines of `text`."""
        if self._conversion is not None:
            start, end = self.bounds(node)
            return Span(*self.lines.position(start), *self.lines.position(end))
        lines = self.lines
        line, end_line = node.lineno, node.end_lineno  # type: ignore[attr-defined]
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
        """Return the offset in `text` of a place given as the tree gives it."""
        offset = self._parsed_lines.offset(line, byte_column)
        return offset if self._conversion is None else self._conversion.original(offset)

    def bounds(self, node: ast.AST) -> tuple[int, int]:
        """Return the offsets in `text` at which a node starts and ends."""
        start = self.offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
        end = self.offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
        return start, end

    def segment(self, node: ast.AST) -> str:
        """Return the text of a node."""
        start, end = self.bounds(node)
        return self.text[start:end]

    def line_text(self, line: int) -> str:
        """Return a line of `text` without its end, empty if there is no such line."""
        return self.lines.line(line)

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

    def file_line(self, place: Place) -> int:
        """Return the line a place has in the file as it lies on disk: in a notebook, a line of its JSON."""
        if self.notebook is None or place.cell is None:
            return place.span.line
        return self.notebook.file_line(place.cell, place.span.line)

    @cached_property
    def suppressions(self) -> Suppressions:
        """The comments that silence findings."""
        from deepperf.source.suppressions import Suppressions

        return Suppressions(self)

    def with_text(self, text: str) -> Source:
        """Return the same file with another text, in memory only. A file with `\\r\\n` alone keeps to it.

        Raises:
            ValueError: the file is a notebook and the text has more or fewer cells.
        """
        if self.notebook is not None:
            return Source(self.file, self.path, text, self.encoding, self.notebook.with_text(text))
        endings = self.text.count("\r\n")
        if endings and endings == self.text.count("\n"):
            text = re.sub(r"(?<!\r)\n", "\r\n", text)
        return Source(self.file, self.path, text, self.encoding)

    def to_bytes(self) -> bytes:
        """Return the bytes of the file with the present text: encoding, marks and all else as they were.

        Raises:
            UnicodeEncodeError: the text has a character that the file's encoding lacks.
        """
        return self.encoding.encode(self.text) if self.notebook is None else self.notebook.to_bytes()


def read_source(file: Path, display: str, *, data: bytes | None = None) -> Source:
    """Read a file, or take `data` as its content. `display` is how reports name it.

    Raises:
        SourceError: the file cannot be read, decoded, or is no notebook although its name says so.
    """
    try:
        if data is None:
            data = file.read_bytes()
        if file.suffix == ".ipynb":
            from deepperf.source.notebook import Notebook

            notebook = Notebook.read(data)
            return Source(file, display, notebook.text, notebook.encoding, notebook)
        text, encoding = decode(data)
    except OSError as error:
        reason = error.strerror or str(error)
        raise SourceError(Problem(display, "unreadable", f"cannot be read: {reason}")) from error
    except ParseFailure as failure:
        raise SourceError(Problem(display, failure.kind, failure.message, failure.line)) from failure
    return Source(file, display, text, encoding)
