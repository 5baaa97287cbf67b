"""What parses, what does not, and what is said then."""

from __future__ import annotations

import ast
import sys
import warnings
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from deepperf.model import Problem
from deepperf.source import Source, SourceError, read_source
from deepperf.source.newer import needed

WORDS = [
    *("print ", "exec ", "raise E, ", "except E, e:", "try:", "`", "<>", "0777", "10L", "ur'", "'", '"""'),
    *("(", ")", "[", "]", ":", "\n", "\r", "\r\n", "\t", "    ", "\f", "\\", "\0", "é", "\ufeff", "\u2028"),
    *("def f(a, (b, c)):", "lambda", "async", "await ", "f'{", "}", "x", " = ", "# coding: latin-1", "if x:"),
    *("# deepperf: ignore[X]", "%time", "!ls", "=!", "?", "pass", "\ud800", "***", "-" * 50, "(" * 120),
]


def source(data: bytes | str, name: str = "a.py") -> Source:
    raw = data if isinstance(data, bytes) else data.encode("utf-8", "surrogatepass")
    return read_source(Path(name), name, data=raw)


def outcome(data: bytes | str) -> Source | Problem:
    """Return a source that parses, or what is wrong with it."""
    try:
        made = source(data)
        made.tree  # noqa: B018
    except SourceError as error:
        return error.problem
    return made


def problem(data: bytes | str) -> Problem:
    found = outcome(data)
    assert isinstance(found, Problem)
    return found


@given(st.one_of(st.binary(max_size=200), st.lists(st.sampled_from(WORDS), max_size=25).map("".join)))
@example("(" * 5_000)
@example("-" * 100_000 + "1")
@example("x = " + "a." * 20_000 + "b")
@example("x = 1" + "0" * 10_000)
def test_anything_gives_a_tree_or_a_problem(data: bytes | str) -> None:
    made = outcome(data)
    if isinstance(made, Problem):
        assert made.kind in {"syntax", "encoding", "python-version"}
        assert made.message
        assert made.line is not None
        assert made.line >= 1
        return
    for node in ast.walk(made.tree):
        if isinstance(node, ast.expr | ast.stmt):
            start, end = made.bounds(node)
            assert 0 <= start <= end <= len(made.text)
    assert not made.suppressions.covers("Y", "y", 0)


def test_a_file_that_does_not_parse_says_where() -> None:
    assert problem("x = 1\ny = (\n") == Problem(
        "a.py", "syntax", "is not valid Python: '(' was never closed", 2, 5
    )
    assert problem("a\x0cb\n").line == 1
    assert problem("'\x0c\x85'\nx = ]\n").line == 2


def test_a_failure_is_found_once() -> None:
    made = source("x = = 1\n")
    problems = []
    for _ in range(2):
        with pytest.raises(SourceError) as caught:
            made.tree  # noqa: B018
        problems.append(caught.value.problem)
    assert problems[0] is problems[1]


def test_a_text_nested_too_deeply() -> None:
    assert problem("x = " + "(" * 90_000 + ")" * 90_000).kind == "syntax"
    assert problem("x = " + "-" * 90_000 + "1").kind == "syntax"


@pytest.mark.parametrize("data", ["x = '\\d'\n", "assert (x, 'y')\n", "1 is 1\n", "x = 1if y else 2\n"])
def test_warnings_are_kept_quiet(data: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert source(data).tree.body


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    for file in (tmp_path / "gone.py", tmp_path):
        with pytest.raises(SourceError) as caught:
            read_source(file, "shown.py")
        assert caught.value.problem.kind == "unreadable"
        assert caught.value.problem.path == "shown.py"


@pytest.mark.parametrize(
    ("code", "version", "what"),
    [
        ("try:\n    pass\nexcept* ValueError:\n    pass\n", (3, 11), "`except*`"),
        ("def first[T](x: T) -> T:\n    return x\n", (3, 12), "type parameters"),
        ("class A[T]:\n    pass\n", (3, 12), "type parameters"),
        ("async def first[T](x): pass\n", (3, 12), "type parameters"),
        ("type X = int\n", (3, 12), "a `type` statement"),
        ("type X[T] = list[T]\n", (3, 12), "a `type` statement"),
        ('x = f"{a["b"]}"\n', (3, 12), "the same quotes inside an f-string"),
        ("x = f\"{'\\n'.join(y)}\"\n", (3, 12), "a backslash or comment inside an f-string"),
        ("def f[T = int](): pass\n", (3, 13), "defaults of type parameters"),
        (
            "try:\n    pass\nexcept ValueError, os.TypeError:\n    pass\n",
            (3, 14),
            "`except` without parentheses",
        ),
        ('x = t"{a}"\n', (3, 14), "a template string"),
        ("x = [*y for y in z]\n", (3, 15), "unpacking in a comprehension"),
        ("lazy import x\n", (3, 15), "a lazy import"),
    ],
)
def test_syntax_of_newer_pythons(code: str, version: tuple[int, int], what: str) -> None:
    if sys.version_info >= version:
        assert source(code).tree.body
        return
    found = problem(code)
    assert found.kind == "python-version"
    assert found.message.startswith(f"uses {what}, which needs Python {version[0]}.{version[1]};")
    assert found.line == (3 if "except" in code else 1)


@pytest.mark.parametrize(
    "line",
    [
        'x = f"{a}" b',
        'x = "don\'t" y',
        "type = = 3",
        "def f(x[0]): pass",
        "class A(: pass",
        "except:",
    ],
)
def test_plain_errors_are_not_called_newer(line: str) -> None:
    with pytest.raises(SyntaxError) as caught:
        ast.parse(line)
    assert needed(caught.value, line) is None


def test_bytes_that_are_no_text() -> None:
    assert problem(b"x = 1\n\ny = '\xe9'\n").kind == "encoding"
    assert problem(b"x = 1\n\ny = '\xe9'\n").line == 3
    assert problem(b"x = 1\r\ry = '\xe9'\n").line == 3
    assert problem("x = 'é'\n".encode("utf-16")).kind == "encoding"
    assert problem("x = 1\n".encode("utf-32-be")).kind == "encoding"
    assert (problem(b"a\n\0\n").kind, problem(b"a\n\0\n").line) == ("encoding", 2)


@pytest.mark.parametrize(
    ("data", "line", "word"),
    [
        (b"# coding: uft-8\n", 1, "uft-8"),
        (b"#!/bin/python\n# coding: rot13\nx\n", 2, "rot13"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, "iso8859-1"),
        (b"# coding: ascii\nx = '\xc3\xa9'\n", 2, "ascii"),
        (b"# coding: undefined\nx = 1\n", 1, "undefined"),
    ],
)
def test_declared_encodings_that_do_not_hold(data: bytes, line: int, word: str) -> None:
    found = problem(data)
    assert (found.kind, found.line) == ("encoding", line)
    assert word in found.message


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"# -*- coding: latin-1 -*-\nx = '\xe9'\n", "é"),
        (b"#!/bin/python\r\n# vim: set fileencoding=iso-latin-1-unix :\r\nx = '\xe9'\r\n", "é"),
        (b"\x0c# coding=cp1251\nx = '\xe9'\n", "й"),
        ("# coding: utf-8-unix\nx = 'é'\n".encode(), "é"),
        ("# encoding: koi8-r\rx = 'я'\r".encode("koi8-r"), "я"),
        ("x = 1\n# coding: latin-1\ny = 'é'\n".encode(), "é"),
        ("# first\n# coding: shift_jis\nx = '猫'\n".encode("shift_jis"), "猫"),
        (b"\n# coding: latin-1\n# coding: ascii\nx = '\xe9'\n", "é"),
    ],
)
def test_declared_encodings(data: bytes, text: str) -> None:
    made = source(data)
    assert made.tree.body
    assert f"'{text}'" in made.text
    assert made.to_bytes() == data
    assert made.can_edit


@pytest.mark.parametrize(
    "data", [b"# coding: iso2022_jp\nx = 1  # \x1b(B\x1b(B\n", b"# coding: utf-7\nx = '+AEE-'\n"]
)
def test_a_file_that_would_not_be_written_as_it_was_is_not_edited(data: bytes) -> None:
    assert source(data).tree.body
    assert not source(data).can_edit
