"""Notebooks: cells as one text, places by cell, magics, cells that do not parse."""

from __future__ import annotations

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deepperf.model import Place, Problem, Span
from deepperf.source import Source, SourceError
from deepperf.source.magics import as_python
from tests.source.notebooks import cell, content, notebook, read


def calls(made: Source) -> list[ast.Call]:
    return [node for node in ast.walk(made.tree) if isinstance(node, ast.Call)]


def test_places_are_by_cell_and_all_cells_are_counted() -> None:
    made = notebook(
        cell("# Title", "markdown"), "import x\n", cell("raw", "raw"), "\ny = (\n    'é', f(a))", ""
    )
    [call] = calls(made)
    assert made.is_notebook
    assert made.place(call, "why") == Place("a.ipynb", Span(3, 10, 3, 14), "why", 4)
    assert made.segment(call) == "f(a)"
    place = made.place(call)
    assert made.frame_line(place, 2) == "y = ("
    assert made.line_text(made.raw_line(place)) == "    'é', f(a))"
    assert made.raw_line(place) == made.span(call).line
    assert made.place(made.tree.body[1]).span == Span(2, 1, 3, 15)
    assert made.problems == ()


def test_sources_may_be_strings_or_lists() -> None:
    made = notebook(cell("a\nb\n"), cell(["c\n", "d"]), cell([]), cell("é\r\nf(x)\r\n"))
    assert [node.lineno for node in made.tree.body] == [1, 2, 5, 6, 10, 11]
    assert made.place(calls(made)[0]) == Place("a.ipynb", Span(2, 1, 2, 5), "", 4)


def test_nbformat_3() -> None:
    cells = [
        {"cell_type": "heading", "source": ["Title"]},
        {"cell_type": "code", "language": "python", "input": ["f(a)\n", "g(b)"], "outputs": []},
        {"cell_type": "code", "language": "R", "input": "<-"},
    ]
    more = [{"cell_type": "code", "input": "h(c)", "outputs": []}]
    sheets = {"worksheets": [{"cells": cells}, {}, {"cells": more}], "nbformat": 3}
    made = read(sheets)
    places = [made.place(call) for call in calls(made)]
    assert [(place.cell, place.span.line) for place in places] == [(2, 1), (2, 2), (4, 1)]


@pytest.mark.parametrize(
    "metadata",
    [{"language_info": {"name": "R"}}, {"kernelspec": {"language": "julia", "name": "x"}}],
)
def test_other_languages_have_no_code(metadata: dict[str, Any]) -> None:
    made = read(content("x <- 1 %>% f", **metadata))
    assert made.tree.body == []
    assert made.text == ""
    assert made.problems == ()


@pytest.mark.parametrize(
    "metadata", [{"language_info": {"name": "python"}}, {"kernelspec": {"language": "python3"}}]
)
def test_python_by_any_name(metadata: dict[str, Any]) -> None:
    assert read(content("x = 1", **metadata)).text == "x = 1"


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (b'{"cells": [\n\n', 3),
        (b"", 1),
        (b"[]", 1),
        (b'{"nbformat": 4}', 1),
        (b'{"cells": 3, "worksheets": null}', 1),
        (b"[" * 100_000, 1),
        (b'{"cells": [], "x": ' + b"1" * 10_000 + b"}", 1),
    ],
)
def test_what_is_no_notebook(data: bytes, line: int) -> None:
    with pytest.raises(SourceError) as caught:
        read(data)
    assert (caught.value.problem.kind, caught.value.problem.line) == ("notebook", line)


def test_cells_of_odd_shape_are_passed_over() -> None:
    odd: list[Any] = [None, 3, {}, cell([3]), {"cell_type": "code"}, cell("f(a)")]  # type: ignore[list-item]
    made = read({"cells": odd, "metadata": None})
    assert [made.place(call).cell for call in calls(made)] == [6]


def test_bytes_of_another_encoding() -> None:
    with pytest.raises(SourceError) as caught:
        read(b'{"cells": [], "x": "\xe9"}')
    assert caught.value.problem.kind == "encoding"


def test_a_cell_that_does_not_parse_leaves_the_others() -> None:
    made = notebook("a = f(1)", "b = (\n", "\n\nc d", "e = g(\n  2)", "if x:")
    assert [made.place(call).cell for call in calls(made)] == [1, 4]
    assert [made.segment(call) for call in calls(made)] == ["f(1)", "g(\n  2)"]
    assert made.problems == (
        Problem("a.ipynb", "syntax", "is not valid Python: '(' was never closed", 1, 5, 2),
        Problem("a.ipynb", "syntax", "is not valid Python: invalid syntax", 3, 3, 3),
        Problem(
            "a.ipynb",
            "syntax",
            "is not valid Python: expected an indented block after 'if' statement on line 13",
            1,
            6,
            5,
        ),
    )


def test_half_a_surrogate_pair_is_a_problem_of_its_cell() -> None:
    made = notebook("x = '\ud800'", "f(a)")
    assert [made.segment(call) for call in calls(made)] == ["f(a)"]
    assert [(problem.kind, problem.cell) for problem in made.problems] == [("syntax", 1)]


def test_python_2_cells() -> None:
    made = notebook("x = 1", "print 'é', f(a)\nprint g(b)", "h(c)")
    found = {made.segment(call): call for call in calls(made)}
    assert found.keys() == {"print 'é', f(a)", "print g(b)", "f(a)", "g(b)", "h(c)"}
    assert made.place(found["g(b)"]) == Place("a.ipynb", Span(2, 7, 2, 11), "", 2)
    assert made.is_python2
    assert not made.can_edit


def test_await_at_the_top() -> None:
    made = notebook("x = await f(a)", "async for y in z:\n    pass\nasync with w:\n    pass")
    assert [made.segment(call) for call in calls(made)] == ["f(a)"]
    assert made.can_edit


def test_newer_python_in_a_cell() -> None:
    made = notebook("f(a)", "x = [*y for y in z]")
    kinds = [(problem.kind, problem.cell, problem.line) for problem in made.problems if made.tree]
    assert kinds in ([], [("python-version", 2, 1)])
    assert len(calls(made)) == 1


# What a cell is, and what of it is code.
MAGICS = [
    ("%matplotlib inline\nf(a)", ["f(a)"]),
    ("!pip install x\nf(a)", ["f(a)"]),
    ("!!ls\n%%time\nf(a)", ["f(a)"]),
    ("x = !ls f(a)\ny = %sql g(b)\nself.z, w['k'] = !ls\nh(c)", ["h(c)"]),
    ("!echo it's \\\n  f(a) \\\n  b\ng(b)", ["g(b)"]),
    ("x = !ls \\\n  f(a)\ng(b)", ["g(b)"]),
    ("?f\nf?\nf.x??\n??f\nnp.*load*?\n%time?\ng(b)", ["g(b)"]),
    ("if colab:\n    !pip install x\nelse:\n    %cd x\n    f(a)", ["f(a)"]),
    ("for x in y:\n    !l\ng(b)", ["g(b)"]),
    ("%%time\nf(a)", ["f(a)"]),
    ("\n  \n%%timeit -n 1\nf(a)", ["f(a)"]),
    ("#@title x\n%%capture out\nf(a)", ["f(a)"]),
    ("%%prun\nf(a)\n!ls\ng(b)", ["f(a)", "g(b)"]),
    ("%%bash\nf(a)", []),
    ("%%html\n<p>it's</p>\nf(a)", []),
    ("%%writefile a.py\nf(a)", []),
    ("%%!\nf(a)", []),
    ("x = (a\n  % f(b))\ny = [\n  not a\n  , g(c)]", ["f(b)", "g(c)"]),
    ("x = '''\n%time\n!ls\nwhat?\n'''\nf(a)", ["f(a)"]),
    ("x = f(a) \\\n  % b  # what?", ["f(a)"]),
    ("x != y\nx %= f(a)\nx = y % z", ["f(a)"]),
    ("pip install x\nconda install -c y z\nls -l $x\ncd /tmp\nf(a)", ["f(a)"]),
    ("ls = cd if pip else cat\nls -2\nf(a)", ["f(a)"]),
    ("/f x\n,f a b\n;f a\ng(b)", ["g(b)"]),
    ("  x = f(a)\n  if x:\n      g(b)", ["f(a)", "g(b)"]),
    (" x = f(a)\ny = g(b)", ["f(a)", "g(b)"]),
    ("\t# why\n\n\tx = f(a)\n\t!ls\n\tif x:\n\t\tg(b)", ["f(a)", "g(b)"]),
    ("%time x = 1\r\nif f(a):\r\n    !ls\r\n", ["f(a)"]),
]


@pytest.mark.parametrize(("text", "code"), MAGICS)
def test_magics_are_blanked_and_the_rest_stays_in_place(text: str, code: list[str]) -> None:
    made = notebook("0", cell(text), "last(1)")
    found = sorted(calls(made), key=lambda call: call.lineno)
    assert made.problems == ()
    assert [made.segment(call) for call in found] == [*code, "last(1)"]
    assert made.place(found[-1]) == Place("a.ipynb", Span(1, 1, 1, 8), "", 3)
    for call in found[:-1]:
        place = made.place(call)
        line = text.replace("\r\n", "\n").split("\n")[place.span.line - 1]
        assert line[place.span.column - 1 : place.span.end_column - 1] == made.segment(call)


@given(st.text(st.sampled_from("%!?x=( )'\"\\#\n\r\tlsé:"), max_size=40))
def test_blanking_keeps_length_and_lines(text: str) -> None:
    made = as_python(text)
    assert len(made) == len(text)
    assert [i for i, c in enumerate(made) if c in "\r\n"] == [i for i, c in enumerate(text) if c in "\r\n"]


@given(st.lists(st.text(st.sampled_from("%!?x=( )'\"\\#\n\r\tlsé:`,2L"), max_size=30), max_size=5))
def test_any_cells_give_a_tree_and_problems_inside_them(cells: list[str]) -> None:
    made = notebook(*map(cell, cells))
    for node in ast.walk(made.tree):
        if isinstance(node, ast.expr | ast.stmt):
            start, end = made.bounds(node)
            assert 0 <= start <= end <= len(made.text)
            number = made.place(node).cell
            assert number is not None
            assert made.segment(node) in cells[number - 1]
    for problem in made.problems:
        assert problem.cell is not None
        assert problem.line is not None
        text = cells[problem.cell - 1].replace("\r\n", "\n").replace("\r", "\n")
        assert 1 <= problem.line <= len(text.split("\n"))
    assert made.to_bytes() == notebook(*map(cell, cells)).to_bytes()
