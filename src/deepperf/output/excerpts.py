"""The lines of code that places speak of."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from deepperf.model import Place
from deepperf.output.frame import frame
from deepperf.output.style import Style
from deepperf.source import Source, SourceError


class Excerpts:
    """Draws code frames; each file is read once, and one that cannot be read has no frames."""

    def __init__(self, source: Callable[[str], Source]) -> None:
        self._read = source
        self._sources: dict[str, Source | None] = {}

    def source(self, path: str) -> Source | None:
        """Return the source of a path of the report, None if it cannot be read."""
        if path not in self._sources:
            try:
                self._sources[path] = self._read(path)
            except SourceError:
                self._sources[path] = None
        return self._sources[path]

    def file_line(self, place: Place) -> int:
        """Return the line a place has in its file as it lies on disk; in a notebook that is a line of its JSON."""
        source = self.source(place.path)
        return place.span.line if source is None else source.file_line(place)

    def lines(self, place: Place, context: int) -> dict[int, str]:
        """Return the lines around the start of a place by number; none where the file cannot be read."""
        source = self.source(place.path)
        if source is None:
            return {}
        last = len(source.lines)
        if source.notebook is not None and place.cell is not None:
            first, last = source.notebook.cell_lines(source.raw_line(place))
            last -= first - 1
        wanted = range(max(place.span.line - context, 1), min(place.span.line + context, last) + 1)
        return {number: source.frame_line(place, number) for number in wanted}

    def frame(self, place: Place, style: Style, *, context: int = 2, indent: str = "") -> Iterator[str]:
        """Yield the lines of the frame for a place."""
        lines = self.lines(place, context)
        if lines:
            yield from frame(lines, place.span, style, indent=indent)
