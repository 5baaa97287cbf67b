"""The progress bar never gets in the way."""

from __future__ import annotations

import io

import pytest

from deepperf.cli import progress
from deepperf.cli.progress import ProgressBar


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_short_run_and_a_pipe_show_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal, pipe = Terminal(), io.StringIO()
    short = ProgressBar(terminal)
    short(1, 2)
    short.close()
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    piped = ProgressBar(pipe)
    piped(1, 2)
    piped.close()
    assert (terminal.getvalue(), pipe.getvalue()) == ("", "")


def test_a_long_run_shows_a_bar_and_takes_it_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_PATIENCE", -1.0)
    terminal = Terminal()
    bar = ProgressBar(terminal)
    bar(5, 10)
    bar.close()
    assert terminal.getvalue() == "\r[############............] 5 of 10 files\r\x1b[K"
