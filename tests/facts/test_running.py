"""What the facts call invariant in a loop is the same on each pass when the program runs."""

from __future__ import annotations

import ast
from collections import defaultdict
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from deepperf.facts.module import Module
from deepperf.facts.project import Project
from deepperf.facts.versions import project_versions
from deepperf.knowledge import current_release
from deepperf.source import read_source
from tests.facts.programs import looping
from tests.facts.questions import ask


class _Recorded(ast.NodeTransformer):
    """Makes each `probe: EXPRESSION` a call that notes what the expression gives."""

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        if not (isinstance(node.target, ast.Name) and node.target.id == "probe"):
            return node
        noted = ast.Call(ast.Name("note", ast.Load()), [ast.Constant(node.lineno), node.annotation], [])
        return ast.fix_missing_locations(ast.copy_location(ast.Expr(noted), node))


def _shown(value: object, depth: int = 0) -> object:
    """Return a copy of a value, in outline, that later changes of it leave alone."""
    if depth > 3 or callable(value):
        return "…"
    if isinstance(value, list | tuple):
        return [len(value), *(_shown(item, depth + 1) for item in value[:8])]
    return [_shown(item, depth + 1) for item in vars(value).values()] if hasattr(value, "__dict__") else value


def _run(program: str) -> dict[int, list[object]]:
    """Run a program; return what the expressions on its lines gave, pass by pass."""
    given: defaultdict[int, list[object]] = defaultdict(list)
    names: dict[str, object] = {"note": lambda line, value: given[line].append(_shown(value))}
    with suppress(Exception):
        exec(compile(_Recorded().visit(ast.parse(program)), "program", "exec"), names)
    return given


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty folder."""
    return tmp_path_factory.mktemp("empty")


def _module(folder: Path, text: str) -> Module:
    versions = project_versions(folder, targets={}, configured={}, current=current_release)
    project = Project(folder, versions, lambda file: read_source(file, file.name))
    return project.modules.add(read_source(folder / "program.py", "program.py", data=text.encode()))


# The programs are short enough to read: no time is spent on making them shorter.
@settings(
    max_examples=300,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[*HealthCheck],
)
@given(program=looping())
def test_invariant_expressions_keep_their_value(program: str, folder: Path) -> None:
    varying = [line for line, values in _run(program).items() if any(value != values[0] for value in values)]
    text = program.replace("probe: ", "")
    module = _module(folder, text)
    for line in varying:
        answer = ask(module, line, "invariant", "", "i", "no")
        assert answer in ("no", "low"), f"line {line} is no invariant:\n{text}"
