"""What the facts say of programs: each `#? question: answer` in `code/` is one test.

A line of code ends in a question and the answer it must get; a question on a line of its own is about the
next line of code. Several questions are separated by another `#?`. `#?!` marks an answer that is right but not
given yet: the test fails as soon as it is. `question of EXPRESSION` asks about a part of the line, `question
in NAME` about the loop with that target instead of the innermost one (`in while` for a `while`). Questions:

    value, pipeline, name   what an expression may be: kinds, dataset transformations, the API called
    loop                    what the loop on the line runs over, and how often
    invariant               how sure it is that an expression keeps its value in the loop around it
    region, hot, guard      how, how often and on which passes the line runs
    calls, callers          the project functions a call runs, the places that call a function
    bases                   the classes a class is made of, nearest first
    mapped, batchable       what the function given to a dataset transformation does

A folder in `code/` is a program of several files, a file a program of its own.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from deepperf.facts.module import Module
from deepperf.facts.project import Project
from deepperf.facts.versions import project_versions
from deepperf.knowledge import current_release
from deepperf.source import read_source
from tests.facts import questions

CODE = Path(__file__).parent / "code"
_QUESTION = re.compile(
    r"#\?(?P<wrong>!?) (?P<kind>\w+)(?: of (?P<part>.+?))?(?: in (?P<loop>\w+))?: (?P<answer>.+)"
)


class Case(NamedTuple):
    """A question about a line of a file, and the answer it must get."""

    file: Path
    line: int
    kind: str
    part: str
    loop: str
    answer: str
    is_wrong_today: bool

    def __str__(self) -> str:
        return f"{self.file.relative_to(CODE)}:{self.line} {self.kind}"


def cases() -> Iterator[Case]:
    """Yield the questions of all programs."""
    for file in sorted(CODE.rglob("*.py")):
        pending: list[str] = []
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            code, *found = re.split(r"(?=#\?)", line)
            pending += found
            if code.strip() and not code.strip().startswith("#"):
                yield from (_case(file, number, text.strip()) for text in pending)
                pending = []


def _case(file: Path, line: int, text: str) -> Case:
    match = _QUESTION.fullmatch(text)
    assert match is not None, f"{file}:{line}: no question: {text}"
    part, loop = match["part"] or "", match["loop"] or ""
    return Case(file, line, match["kind"], part, loop, match["answer"], bool(match["wrong"]))


def parameters() -> Iterator[object]:
    """Yield the questions as parameters of a test: those answered wrongly today are expected to fail."""
    for case in cases():
        marks = [pytest.mark.xfail(raises=AssertionError, strict=True)] if case.is_wrong_today else []
        yield pytest.param(case, id=str(case), marks=marks)


@pytest.fixture(scope="session")
def programs(tmp_path_factory: pytest.TempPathFactory) -> questions.Programs:
    """Return what gives the module of a file of `code/`, with only its own program around it."""

    @cache
    def program(top: Path) -> tuple[Path, Project]:
        root = tmp_path_factory.mktemp("program")
        copy = shutil.copytree if top.is_dir() else shutil.copy
        copy(top, root / top.name)
        folder = root / top.name if top.is_dir() else root
        versions = project_versions(folder, targets={}, configured={}, current=current_release)
        return root, Project(folder, versions, lambda file: read_source(file, file.name))

    def module(file: Path) -> Module:
        relative = file.relative_to(CODE)
        root, project = program(CODE / relative.parts[0])
        found = project.modules.at(root / relative)
        assert found is not None, f"{file} cannot be parsed"
        return found

    return module


@pytest.mark.parametrize("case", list(parameters()))
def test_answer(case: Case, programs: questions.Programs) -> None:
    module = programs(case.file)
    given = questions.ask(module, case.line, case.kind, case.part, case.loop, case.answer)
    assert given == questions.normal(case.kind, case.answer)
