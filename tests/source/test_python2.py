"""Python 2 in memory: it parses, every line holds, and places are those of the file."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from deepperf.source import Source, SourceError, read_source


def source(text: str) -> Source:
    return read_source(Path("a.py"), "a.py", data=text.encode())


OLD = [
    ("print 'a', b", "print('a', b)"),
    ("print", "print"),
    ("print a,", "print(a)"),
    ("print (a), b", "print(a, b)"),
    ("print >>f, a", "print(f, a)"),
    ("if a: print b", "if a:\n    print(b)"),
    ("exec code in ns, local", "exec(code, ns, local)"),
    ("exec code", "exec(code)"),
    ("raise E, 'x'", "raise E('x')"),
    ("raise E, 'x', tb", "raise E('x', tb)"),
    ("else_ = 1 <> 2", "else_ = 1 != 2"),
    ("x = `a + b`", "x = repr(a + b)"),
    ("x = 0777 + 0L + 10L + 0xFFL", "x = 511 + 0 + 10 + 255"),
    ("x = 7L.real", "x = (7).real"),
    ("x = ur'a\\d'", "x = 'a\\\\d'"),
    ("x = 'C:\\users'; print x", "x = 'C:\\\\users'\nprint(x)"),
    ("x = [y for y in 1, 2]", "x = [y for y in (1, 2)]"),
    ("def f(a, (b, (c,)), *d): print b", "def f(a, b, c, *d):\n    print(b)"),
    ("f = lambda (a, b): a + b", "f = lambda a, b: a + b"),
    ("x.cuda(async=True)", "x.cuda(Async=True)"),
    ("try: a\nexcept E, e: b", "try:\n    a\nexcept E as e:\n    b"),
    ("try: a\nexcept (A, B),e: b", "try:\n    a\nexcept (A, B) as e:\n    b"),
    ("try: a\nexcept E, (n, m): b", "try:\n    a\nexcept E as _:\n    b"),
    ("if a:\n        x\n\ty", "if a:\n    x\n    y"),
]


@pytest.mark.parametrize(("old", "new"), OLD)
def test_old_syntax_is_read(old: str, new: str) -> None:
    made = source(f"\n{old}\nprint 0\nlast(1)\n")
    assert ast.unparse(made.tree) == ast.unparse(ast.parse(f"{new}\nprint(0)\nlast(1)"))
    assert made.is_python2
    assert not made.can_edit
    last = made.tree.body[-1]
    assert made.span(last).line == 4 + old.count("\n")
    assert made.segment(last) == "last(1)"


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
def test_places_are_those_of_the_file(newline: str) -> None:
    lines = ["class A:", "\tdef f(self, (é, b)):", "\t\tprint `é`, 'ü', tf.abs(b), 0777L, c"]
    made = source(newline.join(lines))
    names = [node for node in ast.walk(made.tree) if isinstance(node, ast.Name)]
    assert {made.segment(node) for node in names} == {"print", "`", "é", "tf", "b", "c"}
    [call] = [n for n in ast.walk(made.tree) if isinstance(n, ast.Attribute)]
    span = made.span(call)
    assert lines[span.line - 1][span.column - 1 : span.end_column - 1] == "tf.abs"
    assert made.text[slice(*made.bounds(call))] == "tf.abs"
    assert made.text == newline.join(lines)


def test_old_and_new_in_one_file() -> None:
    made = source("from __future__ import print_function\nprint(a, file=b)\ntry: x\nexcept E, e: y\n")
    assert made.is_python2
    made = source("print(a, file=b)\ntry: x\nexcept E, e: y\n")
    assert made.is_python2
    assert "print(a, file=b)" in ast.unparse(made.tree)
    made = source("# not print_function\nprint a\n")
    assert made.is_python2


def test_python_3_is_no_python_2() -> None:
    made = source("print('a')\nexec('b')\n")
    assert made.tree.body
    assert not made.is_python2
    assert made.can_edit


@pytest.mark.parametrize(
    "text", ["print a\nx = (\n", "def f(:\n    print a\n", "{{ name }} is {% x %}\n", "print 'a'\n  b\n"]
)
def test_what_is_neither_is_a_problem(text: str) -> None:
    with pytest.raises(SourceError) as caught:
        source(text).tree  # noqa: B018
    assert caught.value.problem.kind == "syntax"
