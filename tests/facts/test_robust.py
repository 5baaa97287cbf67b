"""No program makes the facts raise: random mixtures of the programs in `code/`, and the standard library."""

from __future__ import annotations

import ast
import random
import sysconfig
from functools import cache
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from deepperf.facts.loops import Loop
from deepperf.facts.module import Module
from deepperf.facts.project import Project
from deepperf.facts.scopes import CallSite
from deepperf.facts.versions import project_versions
from deepperf.knowledge import current_release
from deepperf.source import read_source

CODE = Path(__file__).parent / "code"
STANDARD = Path(sysconfig.get_path("stdlib"))
FILES = (
    "argparse",
    "asyncio/streams",
    "collections/__init__",
    "concurrent/futures/process",
    "contextlib",
    "copy",
    "dataclasses",
    "dis",
    "enum",
    "functools",
    "json/decoder",
    "pickle",
    "statistics",
)
# Few names, so that the parts meet.
_NAMES = ("a", "b", "f", "self", "tf", "ds", "x", "Thing")


@cache
def parts() -> list[str]:
    """Return the statements of the programs in `code/`, compound ones whole."""
    found: dict[str, None] = {}
    for file in sorted(CODE.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.stmt) and len(text := ast.unparse(node)) < 400:
                found[text] = None
    return list(found)


class _Renamed(ast.NodeTransformer):
    """Gives the names of a program, at random, one of a few."""

    def __init__(self, dice: random.Random) -> None:
        self.dice = dice

    def visit(self, node: ast.AST) -> ast.AST:
        for field in ("id", "name", "arg"):
            if isinstance(getattr(node, field, None), str) and self.dice.random() < 0.5:
                setattr(node, field, self.dice.choice(_NAMES))
        return self.generic_visit(node)


_WRAPS = (
    "def f(self, x=a, *b, **tf):\n    {}",
    "class Thing(Thing, a.b):\n    {}",
    "class Thing(tf.keras.Model):\n    {}",
    "for a in ds:\n    {}",
    "for self.a, *b in f(x):\n    {}\nelse:\n    a",
    "while a:\n    {}",
    "with f(x) as (a, b):\n    {}",
    "try:\n    {}\nexcept a as f:\n    raise\nfinally:\n    del a, b.x, x[a]",
    "async def f():\n    {}\n    await x",
    "def f():\n    global a\n    nonlocal b\n    {}\n    yield x",
    "match x:\n    case [Thing(a=b), *f] | {{'x': 3, **tf}} if a:\n        {}",
    "@tf.function\n@f(a)\ndef x(a: 'b', /, b: ds.map = lambda f: f, *, self):\n    {}",
    "if (a := f(b)) and x:\n    {}\nelse:\n    a = [b for b in a if (f := b)]",
)


@st.composite
def jumbled(draw: st.DrawFn) -> str:
    """Return a program of random parts in random order, nested at random."""
    blocks = draw(st.lists(st.sampled_from(parts()), min_size=1, max_size=5))
    for wrap in draw(st.lists(st.sampled_from(_WRAPS), max_size=4)):
        indent = wrap[: wrap.index("{}")].rpartition("\n")[2]
        blocks = [wrap.format("\n".join(blocks).replace("\n", "\n" + indent)), draw(st.sampled_from(parts()))]
    tree = ast.parse("\n".join(blocks))
    return ast.unparse(_Renamed(draw(st.randoms(use_true_random=False))).visit(tree))


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return an empty folder."""
    return tmp_path_factory.mktemp("empty")


def _module(folder: Path, data: bytes) -> Module:
    versions = project_versions(folder, targets={}, configured={}, current=current_release)
    project = Project(folder, versions, lambda file: read_source(file, file.name))
    return project.modules.add(read_source(folder / "program.py", "program.py", data=data))


def _ask_everything(module: Module) -> int:
    """Put every question about every part of a module; return how many calls it has."""
    project, index = module.project, module.index
    module.flow(index.scope)
    for cls in index.classes:
        module.flow(cls.scope)
        project.classes.order(cls)
    for function in index.functions:
        module.flow(function.scope)
        project.calls.callers(function)
        project.purity.is_pure(function)
    for site in index.loops:
        loop = Loop(site.body, project.inference)
        assert repr(loop)
        assert loop.over_tensor in (True, False)
    for call in index.calls:
        _ask_about(call, project)
    return len(index.calls)


def _ask_about(call: CallSite, project: Project) -> None:
    assert project.inference.values(call.node, call.scope)
    project.calls.targets(call.node, call.scope)
    project.regions.of(call.context)
    project.hotness.of(call)
    for around in project.hotness.around(call):
        project.invariance.of(call.node, call.scope, around.loop, around.chain)
        project.hotness.runs_graph(around)
        project.hotness.guards(around, call)
    for argument in call.node.args:
        project.mapped.of(argument, call.scope)
        project.batchable.of(argument, call.scope)


@settings(max_examples=150, deadline=None, suppress_health_check=[*HealthCheck])
@given(program=jumbled())
def test_random_programs(program: str, folder: Path) -> None:
    assert _ask_everything(_module(folder, program.encode())) == program_calls(program)


def program_calls(program: str) -> int:
    """Return how many calls a program holds, those in annotations aside."""
    tree = ast.parse(program)
    return sum(isinstance(node, ast.Call) for node in ast.walk(tree))


@pytest.mark.parametrize("body", ["f(f)", "g(g)", "ds.map(f) or f(f)"])
def test_lambda_that_calls_itself(body: str, folder: Path) -> None:
    program = f"f = lambda *x: {body}\ng = lambda *x: f(g)\nds = tf.data.Dataset.range(3)\nds.map(f)\nfor x in y:\n    f(f)\n"
    program = f"import tensorflow as tf\n{program}"
    assert _ask_everything(_module(folder, program.encode())) == program_calls(program)


@pytest.mark.parametrize("name", FILES)
def test_standard_library(name: str, folder: Path) -> None:
    file = STANDARD / f"{name}.py"
    if not file.exists():
        pytest.skip("not in this release of Python")
    assert _ask_everything(_module(folder, file.read_bytes())) > 0
