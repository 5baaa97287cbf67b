"""Colours and width: only where a person looks at a terminal."""

import io

import pytest

from deepperf.output.style import Style, style_for


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("stream", "environment", "colour"),
    [
        (Terminal(), {"TERM": "xterm"}, True),
        (Terminal(), {"TERM": "dumb"}, False),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": "1"}, False),
        (Terminal(), {"TERM": "xterm", "NO_COLOR": ""}, True),
        (io.StringIO(), {"TERM": "xterm"}, False),
        (io.StringIO(), {"FORCE_COLOR": "1"}, True),
        (io.StringIO(), {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
    ],
)
def test_when_there_are_colours(stream: io.StringIO, environment: dict[str, str], colour: bool) -> None:
    assert style_for(stream, environment).colour is colour


def test_the_width_is_80_in_a_pipe_and_never_less_than_40() -> None:
    assert style_for(io.StringIO(), {}).width == 80
    assert Style(width=10).width == 40


def test_plain_text_has_no_escapes() -> None:
    assert Style()("red", "x") == "x"
    assert Style(colour=True)("red", "x") == "\x1b[1;31mx\x1b[0m"
