"""Every rule keeps the promises of its own examples, however the code is spelled and wherever it stands."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from deepperf.engine.fix import fix
from deepperf.model import Safety
from deepperf.rules.registry import ENTRIES, load
from deepperf.rules.rule import Bad, Good, Rule
from tests.support import marks, only, reported, run, settings, write

_IMPORT = "import tensorflow as tf\n"


def _split(source: str) -> tuple[str, str]:
    """Return the imports at the top of an example, and the rest."""
    last = 0
    for node in ast.parse(source).body:
        if not isinstance(node, ast.Import | ast.ImportFrom):
            break
        last = node.end_lineno or node.lineno
    lines = source.splitlines(keepends=True)
    return "".join(lines[:last]), "".join(lines[last:])


def _wrapped(source: str, head: str, indent: str) -> str | None:
    imports, rest = _split(source)
    if source.startswith("# module level"):
        return None
    return f"{imports}\n{head}{textwrap.indent(rest, indent)}"


def _spelled(source: str, spelling: str, name: str = "tf") -> str | None:
    if _IMPORT not in source:
        return None
    return re.sub(r"\btf\.", f"{name}.", source.replace(_IMPORT, spelling + "\n"))


_VARIANTS: dict[str, Callable[[str], str | None]] = {
    "as is": lambda source: source,
    "in a function": lambda source: _wrapped(source, "def wrapped():\n", "    "),
    "in a method": lambda source: _wrapped(source, "class Wrapped:\n    def run(self):\n", "        "),
    "in a notebook": lambda source: "# %%\n" + "\n# %%\n".join(_split(source)),
    "compat.v2": lambda source: _spelled(source, "import tensorflow.compat.v2 as tf"),
    "from compat": lambda source: _spelled(source, "from tensorflow.compat import v2 as tf"),
    "renamed": lambda source: _spelled(source, "import tensorflow as tflow", "tflow"),
}


_EXAMPLES = [
    (f"{rule.code}-{number}", rule, example)
    for rule in load(ENTRIES)
    for number, example in enumerate(rule.examples, start=1)
]
_BAD = [pytest.param(rule, example, id=name) for name, rule, example in _EXAMPLES if isinstance(example, Bad)]


def _programs() -> Iterator[object]:
    for name, rule, example in _EXAMPLES:
        for variant, spell in _VARIANTS.items():
            source = spell(example.source)
            if source is not None:
                path = "main.ipynb" if variant == "in a notebook" else "main.py"
                yield pytest.param(rule, example, {path: source}, id=f"{name} {variant}")


@pytest.mark.parametrize(("rule", "example", "files"), list(_programs()))
def test_an_example_is_reported_on_its_marked_lines_and_nowhere_else(
    rule: type[Rule], example: Bad | Good, files: dict[str, str], tmp_path: Path
) -> None:
    expected = marks(files)
    assert bool(expected) is isinstance(example, Bad)
    assert reported(run(tmp_path, files, (*only(rule.code), *example.options))) == expected


@pytest.mark.parametrize(("rule", "example"), _BAD)
def test_the_fix_gives_the_fixed_code_and_is_done_then(
    rule: type[Rule], example: Bad, tmp_path: Path
) -> None:
    options = settings(tmp_path, *only(rule.code), *example.options)
    write(tmp_path, {"main.py": example.source})
    fixed = fix(["main.py"], options, tmp_path, Safety.UNSAFE)
    assert fixed.refused == ()
    assert [change.after.text for change in fixed.changes] == (
        [] if example.fixed is None else [example.fixed]
    )
    if example.fixed is not None:
        write(tmp_path, {"main.py": example.fixed})
        again = fix(["main.py"], options, tmp_path, Safety.UNSAFE)
        assert again.before.problems == ()
        assert again.before.findings == ()
        assert again.changes == ()


@pytest.mark.parametrize(("rule", "example"), _BAD)
def test_a_comment_silences_the_rule(rule: type[Rule], example: Bad, tmp_path: Path) -> None:
    source = re.sub(r"(# <- .*)", rf"\1  # deepperf: ignore[{rule.code}]", example.source)
    report = run(tmp_path, {"main.py": source}, (*only(rule.code), *example.options))
    assert report.findings == ()
    assert report.summary.suppressed == len(marks({"main.py": example.source}))
