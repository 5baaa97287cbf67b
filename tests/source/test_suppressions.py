"""Comments that silence findings: which rules, on which lines."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepperf.source import Source, read_source
from tests.source.notebooks import notebook


def source(text: str) -> Source:
    return read_source(Path("a.py"), "a.py", data=text.encode())


def silenced(made: Source, code: str = "TF101", slug: str = "the-slug") -> list[int]:
    """Return the lines on which a rule is silenced."""
    last = len(made.lines)
    return [line for line in range(1, last + 1) if made.suppressions.covers(code, slug, line, line)]


@pytest.mark.parametrize(
    "comment",
    [
        "# deepperf: ignore",
        "# deepperf: ignore why not",
        "#deepperf:ignore[TF101]",
        "# deepperf: ignore[tf101] a reason",
        "# deepperf: ignore [PT101, TF101]",
        "# deepperf: ignore[The-Slug]",
        "# noqa  # deepperf: ignore[TF101]",
        "# deepperf: ignore[PT101] # deepperf: ignore[TF101]",
    ],
)
def test_a_comment_silences_its_line(comment: str) -> None:
    assert silenced(source(f"a\nb  {comment}\nc")) == [2]


@pytest.mark.parametrize(
    "comment",
    [
        "# deepperf: ignore[TF10]",
        "# deepperf: ignore[]",
        "# deepperf: ignore[TF101",
        "# deepperf: ignored",
        "# deepperf: ignore-all",
        "# deepperf ignore",
        "# deepperf: ignore-cell",
        "'# deepperf: ignore'",
        "'''\n# deepperf: ignore\n'''",
        'f(\'a\', """\n \' # deepperf: ignore """)',
        "'\\' # deepperf: ignore'",
        "'a\\\n# deepperf: ignore'",
        "r'\\' # deepperf: ignore'",
    ],
)
def test_what_silences_nothing(comment: str) -> None:
    assert silenced(source(f"a\nb = {comment}\nc\n")) == []


def test_strings_and_brackets_do_not_hide_comments() -> None:
    made = source('a = "#" \'\'\' " \'\'\' + (  # deepperf: ignore\n  """\n"""  # deepperf: ignore\n)\n')
    assert silenced(made) == [1, 3]


def test_the_first_line_of_the_statement_counts() -> None:
    made = source("x = [  # deepperf: ignore[TF101]\n    a,\n    b,\n]\n")
    assert made.suppressions.covers("TF101", "the-slug", 3, 1)
    assert not made.suppressions.covers("TF102", "other", 3, 1)
    assert not made.suppressions.covers("TF101", "the-slug", 3, 3)


def test_the_whole_file() -> None:
    made = source("a\nb\n# deepperf: ignore-file[TF101]\n")
    assert silenced(made) == [1, 2, 3, 4]
    assert silenced(made, "PT101", "other") == []


def test_ranges() -> None:
    text = (
        "0\n# deepperf: ignore-start[TF101]\n2\n# deepperf: ignore-start[PT101]\n4\n"
        "# deepperf: ignore-end[TF101]\n6\n# deepperf: ignore-end\n8\n# deepperf: ignore-end\n"
    )
    assert silenced(source(text)) == [2, 3, 4, 5, 6]
    assert silenced(source(text), "PT101", "other") == [4, 5, 6, 7, 8]
    assert silenced(source("0\n# deepperf: ignore-start\n2")) == [2, 3]


def test_notebook_cells() -> None:
    made = notebook("a\nb  # deepperf: ignore", "!echo it's\nc\n# deepperf: ignore-cell[TF101]\nd", "e")
    assert silenced(made, "PT101", "other") == [2]
    assert silenced(made) == [2, 4, 5, 6, 7]


def test_python_2_and_broken_files() -> None:
    assert silenced(source("print 'a'  # deepperf: ignore\nprint `b`\n")) == [1]
    assert silenced(source("x = 'a\ny  # deepperf: ignore\n")) == [2]
