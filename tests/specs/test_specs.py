"""The cases of `*.md` beside this file: programs in Markdown, with a mark on each line that must be reported.

A file starts with `# CODE slug`. A case starts with `## a sentence`, may have a line `options: …` for the
command line, and holds fenced blocks: `python` (the file `main.py`, or `path=…`), `notebook path=…` (cells
separated by `# %%` lines), and `toml` or `text` with `path=…`. Only the rule of the title is on. A file
called `broken…` may have syntax errors.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from deepperf.rules.registry import ENTRIES
from tests.support import marks, only, reported, run

_SPECS = sorted(Path(__file__).parent.glob("*.md"))
_TITLE = re.compile(r"# (?P<code>[A-Z]{2}\d+) (?P<slug>[a-z0-9-]+)\n")
_CASE = re.compile(r"^## (.+)\n", re.MULTILINE)
_OPTIONS = re.compile(r"^options: (.+)$", re.MULTILINE)
_FENCE = re.compile(
    r"^```(?P<kind>\w+)(?: path=(?P<path>\S+))?\n(?P<text>.*?)^```$", re.MULTILINE | re.DOTALL
)


class Case(NamedTuple):
    """A case of a spec."""

    code: str
    options: tuple[str, ...]
    files: dict[str, str]


def _title(spec: Path) -> re.Match[str]:
    match = _TITLE.match(spec.read_text(encoding="utf-8"))
    assert match is not None, f"{spec.name} does not start with '# CODE slug'"
    return match


def _cases() -> Iterator[object]:
    for spec in _SPECS:
        code = _title(spec)["code"]
        _, *parts = _CASE.split(spec.read_text(encoding="utf-8"))
        for sentence, body in zip(parts[::2], parts[1::2], strict=True):
            options = _OPTIONS.search(_FENCE.sub("", body))
            words = tuple(options.group(1).split()) if options else ()
            found = {m["path"] or "main.py": m["text"] for m in _FENCE.finditer(body)}
            yield pytest.param(Case(code, words, found), id=f"{code}: {sentence.strip()}")


@pytest.mark.parametrize("case", list(_cases()))
def test_case(case: Case, tmp_path: Path) -> None:
    assert case.files, "the case has no program"
    report = run(tmp_path, case.files, (*only(case.code), *case.options))
    assert reported(report) == marks(case.files)


@pytest.mark.parametrize("spec", _SPECS, ids=lambda spec: spec.name)
def test_the_title_names_a_rule(spec: Path) -> None:
    title = _title(spec)
    assert spec.stem == title["code"]
    assert ENTRIES[title["code"]].slug == title["slug"]
