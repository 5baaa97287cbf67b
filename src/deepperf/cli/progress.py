"""A progress bar for people who wait."""

from __future__ import annotations

import time
from typing import TextIO

_PATIENCE = 1.0
_INTERVAL = 0.1
_BAR = 24


class ProgressBar:
    """Draws on a terminal only, and only once the run has lasted about a second."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._next = time.monotonic() + _PATIENCE
        self._is_drawn = False
        self._enabled = stream.isatty()

    def __call__(self, done: int, total: int) -> None:
        """Show that `done` of `total` files are done."""
        now = time.monotonic()
        if not self._enabled or now < self._next:
            return
        self._next = now + _INTERVAL
        filled = _BAR * done // max(total, 1)
        self._stream.write(f"\r[{'#' * filled}{'.' * (_BAR - filled)}] {done:,} of {total:,} files")
        self._stream.flush()
        self._is_drawn = True

    def close(self) -> None:
        """Take the bar away."""
        if self._is_drawn:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._is_drawn = False
