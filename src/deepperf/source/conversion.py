"""A text made from another one by edits, with the way back to the places of the first."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from deepperf.model import Edit


class Conversion:
    """The text that edits make of `original`. The edits must not overlap."""

    def __init__(self, original: str, edits: Iterable[Edit]) -> None:
        self._edits = sorted(edits)
        self._new_ends: list[int] = []
        pieces: list[str] = []
        place = length = 0
        for edit in self._edits:
            pieces += original[place : edit.start], edit.text
            length += edit.start - place + len(edit.text)
            place = edit.end
            self._new_ends.append(length)
        pieces.append(original[place:])
        self.text = "".join(pieces)

    def original(self, offset: int) -> int:
        """Return the place in the original text of an offset in the new one."""
        passed = bisect_right(self._new_ends, offset)
        place = offset
        if passed:
            place = self._edits[passed - 1].end + offset - self._new_ends[passed - 1]
        if passed < len(self._edits):
            # A place in the text that an edit put in is no further than where the edit ends.
            place = min(place, self._edits[passed].end)
        return place
