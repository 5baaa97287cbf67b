"""Lines, offsets, spans and segments on any text."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepperf.model import Place, Span
from deepperf.source import Source, read_source
from deepperf.source.lines import Lines

NEWLINES = st.sampled_from(["\n", "\r\n", "\r"])
# Every character a comment or string may hold, those that other tools take for line ends among them.
TEXT = st.text(
    st.one_of(
        st.characters(blacklist_categories=["Cs"], blacklist_characters="\0\r\n"),
        st.sampled_from("\f\v\x1c\x85\u2028é\U0001f600"),
    ),
    max_size=8,
)


def source(text: str) -> Source:
    return read_source(Path("a.py"), "a.py", data=text.encode())


@st.composite
def programs(draw: st.DrawFn) -> str:
    """Statements with calls in them, between strings and comments of all kinds."""
    newline = draw(NEWLINES)
    lines = []
    for number in range(draw(st.integers(1, 6))):
        text = draw(TEXT)
        form = draw(
            st.sampled_from(["x{n} = {s!r}; f{n}(a, b)", "y{n} = f({s!r}, g{n}(z))  # {c}", "é{n}(h{n})", ""])
        )
        lines.append(form.format(n=number, s=text, c=text.replace("\\", "")))
        lines.append(f'"""{newline}é {newline}""" + k(  {newline} m)')
    return newline.join(lines) + draw(st.sampled_from(["", newline]))


@given(programs())
def test_places_of_nodes_fit_the_text(text: str) -> None:
    made = source(text)
    starts = Lines(text).starts
    found = [node for node in ast.walk(made.tree) if isinstance(node, ast.Name | ast.Call)]
    for node in found:
        start, end = made.bounds(node)
        span = made.span(node)
        assert made.segment(node) == text[start:end]
        assert starts[span.line - 1] + span.column - 1 == start
        assert starts[span.end_line - 1] + span.end_column - 1 == end
        assert made.lines.position(start) == (span.line, span.column)
        if isinstance(node, ast.Name):
            assert made.segment(node) == node.id
        else:
            assert ast.dump(ast.parse(made.segment(node), mode="eval").body) == ast.dump(node)


@given(st.lists(st.tuples(TEXT, NEWLINES)), TEXT)
def test_lines_end_where_the_parser_ends_them(parts: list[tuple[str, str]], last: str) -> None:
    text = "".join(line + newline for line, newline in parts) + last
    lines = Lines(text)
    universal = text.replace("\r\n", "\n").replace("\r", "\n")
    assert [lines.line(number) for number in range(1, len(lines) + 1)] == universal.split("\n")
    assert lines.starts == sorted(set(lines.starts))
    for offset in range(len(text) + 1):
        line, column = lines.position(offset)
        before = len(text[lines.starts[line - 1] : offset].encode())
        assert lines.offset(line, before) == offset == lines.starts[line - 1] + column - 1


def test_columns_count_code_points() -> None:
    made = source("x = 'é😀'; call(y)\n")
    [call] = [node for node in ast.walk(made.tree) if isinstance(node, ast.Call)]
    assert call.col_offset == 14
    assert made.span(call) == Span(1, 11, 1, 18)
    assert made.place(call, "why") == Place("a.py", Span(1, 11, 1, 18), "why")
    assert made.place(Span(1, 1, 1, 2)) == Place("a.py", Span(1, 1, 1, 2))
    assert made.text[made.offset(1, 14) :] == "call(y)\n"


def test_form_feeds_and_a_mark_do_not_shift_anything() -> None:
    made = read_source(Path("a.py"), "a.py", data=b"\xef\xbb\xbf\x0cif x:\n\x0c  y\n")
    [name] = [node for node in ast.walk(made.tree) if isinstance(node, ast.Name) and node.id == "y"]
    assert made.text.startswith("\x0c")
    assert made.span(name) == Span(2, 4, 2, 5)
    assert made.segment(name) == "y"


def test_lines_of_code_frames() -> None:
    made = source("a\r\nb\rc\n")
    assert [made.line_text(number) for number in range(6)] == ["", "a", "b", "c", "", ""]
    assert made.frame_line(Place("a.py", Span(1, 1, 1, 2)), 2) == "b"
    assert made.raw_line(Place("a.py", Span(3, 1, 3, 2))) == 3


@pytest.mark.parametrize("filler", ["x", "é"])
def test_very_long_lines(filler: str) -> None:
    text = f"x = '{filler * 1_000_000}'; f(y)"
    made = source(text)
    [call] = [node for node in ast.walk(made.tree) if isinstance(node, ast.Call)]
    assert made.segment(call) == "f(y)"
    assert made.span(call) == Span(1, 1_000_009, 1, 1_000_013)


def test_big_files() -> None:
    text = "value = compute(1, 2, 3)  # a comment\n" * 130_000
    made = source(text)
    last = made.tree.body[-1]
    assert made.span(last) == Span(130_000, 1, 130_000, 25)
    assert made.segment(last) == "value = compute(1, 2, 3)"
