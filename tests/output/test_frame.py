"""Code frames: what is underlined is what the eye sees above the carets."""

import pytest

from deepperf.model import Span
from deepperf.output.frame import cells, frame, width_of
from deepperf.output.style import Style


def drawn(line: str, span: Span, width: int = 80) -> list[str]:
    return list(frame({span.line: line}, span, Style(width=width)))


def underlined(line: str, start: int, end: int, width: int = 80) -> str:
    """Return what stands above the carets, column by column."""
    code, carets = drawn(line, Span(1, start, 1, end), width)
    columns = "".join((character + "\0")[: width_of(character)] for character in code)
    first = carets.index("^")
    last = carets.rindex("^") + 1
    assert set(carets[first:last]) == {"^"}
    return columns[first:last].replace("\0", "")


def test_the_call_is_underlined() -> None:
    assert drawn("x = ds.map(f)", Span(12, 5, 12, 14)) == ["  12 | x = ds.map(f)", "     |     ^^^^^^^^^"]


@pytest.mark.parametrize(
    ("line", "start", "end", "seen"),
    [
        ("名前 = ds.map(f)", 6, 15, "ds.map(f)"),
        ("x = g('名前', ds.map(f))", 13, 22, "ds.map(f)"),
        ("\tx\t= ds.map(f)", 6, 15, "ds.map(f)"),
        ("s = 'e\u0301'; ds.map(f)", 11, 20, "ds.map(f)"),
        ("\fx = ds.map(f)", 6, 15, "ds.map(f)"),
        ("s = '\x1b[31m'; ds.map(f)", 14, 23, "ds.map(f)"),
    ],
)
def test_wide_and_odd_characters_do_not_move_the_carets(line: str, start: int, end: int, seen: str) -> None:
    assert underlined(line, start, end) == seen


def test_control_characters_never_reach_the_terminal() -> None:
    assert "\x1b" not in "".join(cells("a\x1b[2Jb\u202ec"))


def test_a_call_over_several_lines_is_underlined_on_its_first() -> None:
    lines = {1: "x = ds.map(  ", 2: "    f,", 3: ")"}
    found = list(frame(lines, Span(1, 5, 3, 2), Style()))
    assert found == ["   1 | x = ds.map(", "     |     ^^^^^^^", "   2 |     f,", "   3 | )"]


def test_blank_lines_at_the_edges_are_left_out() -> None:
    found = list(frame({1: "", 2: "  ", 3: "f()", 4: "", 5: "g()"}, Span(3, 1, 3, 4), Style()))
    assert [line.strip() for line in found] == ["3 | f()", "| ^^^", "4 |", "5 | g()"]


@pytest.mark.parametrize("start", [1, 60, 500, 990])
def test_a_very_long_line_is_cut_around_the_call(start: int) -> None:
    line = "a" * (start - 1) + "ds.map(f)" + "b" * (1000 - start)
    code, carets = drawn(line, Span(1, start, 1, start + 9), width=60)
    assert len(code) <= 60
    assert len(carets) <= 60
    assert underlined(line, start, start + 9, width=60) == "ds.map(f)"


def test_a_span_that_is_not_in_the_file_has_no_frame() -> None:
    assert list(frame({}, Span(9, 1, 9, 5), Style())) == []
