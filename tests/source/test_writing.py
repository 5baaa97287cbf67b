"""Writing back: what was not changed stays as it was, byte by byte."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepperf.source import Source, SourceError, read_source, write_source
from deepperf.source.notebook import SEPARATOR
from tests.source.notebooks import cell, content, read

WORDS = st.text(st.sampled_from("x =()'\"\\#\n\r\té猫\U0001f600\x1b/<&\u2028"), max_size=30)


def source(data: bytes) -> Source:
    return read_source(Path("a.py"), "a.py", data=data)


@given(
    st.one_of(
        st.binary(), st.text().map(str.encode), st.text().map(lambda text: b"\xef\xbb\xbf" + text.encode())
    )
)
def test_an_unchanged_file_keeps_its_bytes(data: bytes) -> None:
    try:
        made = source(data)
    except SourceError as error:
        assert error.problem.kind == "encoding"  # noqa: PT017  (most bytes can be read)
        return
    assert made.to_bytes() == data
    assert made.with_text(made.text).to_bytes() == data


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbfx = 1\n", b"\xef\xbb\xbfx = 2\n"),
        (b"# coding: latin-1\ny = '\xe9'; x = 1", b"# coding: latin-1\ny = '\xe9'; x = 2"),
        (b"a\r\nx = 1\rb\n", b"a\r\nx = 2\rb\n"),
        (b"\x0cx = 1\x0b\n\n", b"\x0cx = 2\x0b\n\n"),
    ],
)
def test_encoding_mark_and_newlines_stay(before: bytes, after: bytes) -> None:
    made = source(before)
    assert made.with_text(made.text.replace("x = 1", "x = 2")).to_bytes() == after


def test_new_lines_end_as_the_others_do() -> None:
    assert source(b"a\r\nb\r\n").with_text("a\r\nx\ny\r\nb\r\n").to_bytes() == b"a\r\nx\r\ny\r\nb\r\n"
    assert source(b"a\r\nb\n").with_text("a\r\nx\nb\n").to_bytes() == b"a\r\nx\nb\n"
    assert source(b"a\nb\n").with_text("a\nx\r\n").to_bytes() == b"a\nx\r\n"


def test_a_file_is_replaced_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"x = 1\r\n")
    file.chmod(0o750)
    link = tmp_path / "link.py"
    link.symlink_to(file)
    write_source(read_source(link, "link.py"), "x = 2\n")
    assert file.read_bytes() == b"x = 2\r\n"
    assert stat.S_IMODE(file.stat().st_mode) == 0o750
    assert link.is_symlink()
    assert {file.name for file in tmp_path.iterdir()} == {"a.py", "link.py"}
    write_source(read_source(file, "a.py").with_text("x = 3\r\n"))
    assert file.read_bytes() == b"x = 3\r\n"


def test_a_failure_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a.py"
    file.write_bytes(b"# coding: latin-1\nx = 1\n")
    made = read_source(file, "a.py")
    with pytest.raises(UnicodeEncodeError):
        write_source(made, "# coding: latin-1\nx = '猫'\n")

    def refuse(*_: object) -> None:
        raise OSError(28, "no room")

    monkeypatch.setattr(os, "replace", refuse)
    with pytest.raises(OSError, match="no room"):
        write_source(made, "x = 2\n")
    assert file.read_bytes() == b"# coding: latin-1\nx = 1\n"
    assert [file.name for file in tmp_path.iterdir()] == ["a.py"]


# Ways in which tools write notebooks.
STYLES: list[dict[str, Any]] = [
    {"indent": 1, "ensure_ascii": False},
    {"indent": 2},
    {"separators": (",", ":"), "ensure_ascii": False},
    {"indent": "\t", "sort_keys": True},
    {},
]


@st.composite
def notebooks(draw: st.DrawFn) -> tuple[dict[str, Any], dict[str, Any]]:
    """A notebook's content, and a way to write it."""
    cells = [cell("a"), cell("b", "markdown")]
    for text in draw(st.lists(WORDS, max_size=5)):
        kind = draw(st.sampled_from(["code", "code", "markdown"]))
        as_list = draw(st.booleans())
        output = {"output_type": "stream", "text": [draw(WORDS)]}
        # A list with a line in it: an empty one does not say how it would be written.
        cells.append(
            cell(text.splitlines(True) if as_list and text else text, kind, id=draw(WORDS), outputs=[output])
        )
    return content(*cells, title="é"), draw(st.sampled_from(STYLES))


def spelled(made: tuple[dict[str, Any], dict[str, Any]], end: str = "\n") -> bytes:
    return (json.dumps(made[0], **made[1]) + end).encode()


@given(notebooks(), st.sampled_from(["", "\n", "\r\n"]))
def test_an_unchanged_notebook_keeps_its_bytes(made: tuple[dict[str, Any], dict[str, Any]], end: str) -> None:
    data = spelled(made, end)
    assert read(data).to_bytes() == data
    assert read(data).with_text(read(data).text).to_bytes() == data


@given(notebooks(), st.data())
def test_an_edit_in_a_cell_changes_that_cell_alone(
    made: tuple[dict[str, Any], dict[str, Any]], data: st.DataObject
) -> None:
    before = read(spelled(made))
    texts = before.text.split(SEPARATOR)
    index = data.draw(st.integers(0, len(texts) - 1))
    start = data.draw(st.integers(0, len(texts[index])))
    end = data.draw(st.integers(start, len(texts[index])))
    texts[index] = texts[index][:start] + data.draw(WORDS) + texts[index][end:]
    written = before.with_text(SEPARATOR.join(texts)).to_bytes()
    code = [one for one in made[0]["cells"] if one["cell_type"] == "code"][index]
    changed = [one for one in json.loads(written)["cells"] if one["cell_type"] == "code"][index]["source"]
    assert isinstance(changed, type(code["source"]))
    assert "".join(changed) == texts[index]
    assert all(changed)
    code["source"] = changed
    assert written == spelled(made)


def edited(raw: str, old: str, new: str) -> str:
    made = read(raw.encode())
    return made.with_text(made.text.replace(old, new)).to_bytes().decode()


def test_lines_that_stay_keep_their_spelling() -> None:
    raw = (
        '{ "cells" :[{"cell_type":"code", "source": [\n'
        '  "a = \\u0027\\/é\\u0027\\n" ,\n  "x = 1\\n" ,\n  "b = \\"<\\""\n ]}],'
        ' "x": 1.0e5, "x": "\\/" }'
    )
    assert edited(raw, "x = 1", "x = '<2>'") == raw.replace("x = 1", "x = \\u0027<2>\\u0027")
    assert edited(raw, "x = 1\n", "") == raw.replace('  "x = 1\\n" ,\n', "")
    assert edited(raw, "x = 1", "y\nz") == raw.replace('"x = 1\\n"', '"y\\n" ,\n  "z\\n"')


def test_strings_that_stay_keep_their_spelling() -> None:
    head = '{"cells": [{"cell_type": "code", "source": '
    raw = head + '"a\\/\\u0062\\n\\ud83d\\ude00x = 1\\n\\u003c"}], "nbformat": 4}'
    assert edited(raw, "x = 1", 'x = "é>"') == raw.replace("x = 1", 'x = \\"\\u00e9>\\"')
    assert edited(raw, "x = 1", "x = '<'") == raw.replace("x = 1", "x = '\\u003c'")


@pytest.mark.parametrize(
    ("source", "old", "new", "expected"),
    [
        ('[\n    "x = 1"\n   ]', "x = 1", "a\nb", '[\n    "a\\n",\n    "b"\n   ]'),
        ('["x = 1\\ny\\n", "z"]', "z", "w", '["x = 1\\ny\\n", "w"]'),
        ('["x\\n", "x\\n", "y"]', "x\nx", "x\nz\nx", '["x\\n", "z\\n", "x\\n", "y"]'),
        ('["x\\n", "y"]', "\ny", "", '["x"]'),
        ('["x"]', "x", "", "[]"),
        ('["a\\u2028b\\n", "x"]', "x", "yy", '["a\\u2028b\\n", "yy"]'),
    ],
)
def test_lists_of_lines_stay_lists(source: str, old: str, new: str, expected: str) -> None:
    raw = '{"cells": [{"cell_type": "code", "source": %s}]}\n'
    assert edited(raw % source, old, new) == raw % expected


def test_of_two_values_with_one_key_the_last_one_counts() -> None:
    raw = '{"cells": [], "cells": [{"cell_type": "code", "source": "no", "source": "x = 1"}]}'
    assert edited(raw, "x = 1", "y") == raw.replace("x = 1", "y")


def test_nbformat_3_is_written_back() -> None:
    raw = '{"worksheets": [{"cells": [{"cell_type": "code", "input": ["a\\n", "x = 1"]}]}], "nbformat": 3}'
    assert edited(raw, "x = 1", "y") == raw.replace("x = 1", "y")


def test_a_mark_stays() -> None:
    data = b"\xef\xbb\xbf" + json.dumps(content("x = 1")).encode()
    made = read(data)
    assert made.with_text("x = 2").to_bytes() == data.replace(b"x = 1", b"x = 2")


def test_a_text_with_other_cells_is_refused() -> None:
    with pytest.raises(ValueError, match="as many cells"):
        read(content("a", "b")).with_text("a")
    with pytest.raises(ValueError, match="as many cells"):
        read(content("a")).with_text(read(content("a", "b")).text)
