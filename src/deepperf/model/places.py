"""Where something stands in a file."""

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A stretch of text. Lines and columns are 1-based, columns count code points, the end is exclusive."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A span in a file, with a word on why it matters.

    `path` is relative to the working directory, with forward slashes. In a notebook `cell` is the cell's
    1-based number among all cells and the span counts lines inside that cell; elsewhere `cell` is None.
    """

    path: str
    span: Span
    message: str = ""
    cell: int | None = None

    def note(self, message: str) -> "Place":
        """Return the same place with another message."""
        return replace(self, message=message)
