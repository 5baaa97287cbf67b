"""A call as a rule sees it: the questions a rule may put to the facts about it."""

from __future__ import annotations

import ast
from functools import cached_property
from typing import TYPE_CHECKING

from deepperf.facts.loops import Loop, enclosing_loops
from deepperf.facts.pipelines import Step
from deepperf.facts.project.regions import Region
from deepperf.facts.scopes import (
    CallSite,
    Function,
    FunctionSite,
    Located,
    LoopSite,
    OperatorSite,
    Scope,
    StoreSite,
)
from deepperf.facts.syntax import argument, has_unpacking
from deepperf.facts.values import Pipeline
from deepperf.knowledge import dataset_method, lookup
from deepperf.model import Place, Span
from deepperf.source import Source

if TYPE_CHECKING:
    from deepperf.facts.module import Module
    from deepperf.facts.project import Project
    from deepperf.facts.versions import VersionRange


_TEST_WORDS = frozenset({"test", "tests", "testing", "unittests", "conftest", "benchmark", "benchmarks"})


class Spot:
    """A place in the program as a rule sees it: a call, or an arithmetic expression in a loop."""

    def __init__(self, located: Located, project: Project) -> None:
        self.located = located
        self.project = project

    @property
    def node(self) -> ast.expr:
        """The syntax node."""
        return self.located.node

    @property
    def scope(self) -> Scope:
        """The scope it runs in."""
        return self.located.scope

    @property
    def module(self) -> Module:
        """The module it stands in."""
        return self.located.module

    @property
    def source(self) -> Source:
        """The source it stands in."""
        return self.located.module.source

    @property
    def function(self) -> Function | None:
        """The function it stands in."""
        return self.located.function

    @property
    def spelled(self) -> str:
        """What is written there, on one line and short."""
        text = " ".join(ast.unparse(self.node).split())
        return text if len(text) <= 40 else text[:37] + "..."

    def span(self) -> Span:
        """Return the stretch to underline."""
        return self.source.span(self.node)

    def place(self, message: str = "") -> Place:
        """Return where it stands."""
        return self.source.place(self.span(), message)

    def line_of(self, place: Place) -> str:
        """Return a line in words, with its file where that is another one: `line 12 of train.py`."""
        where = "" if place.path == self.source.path and place.cell == self.place().cell else _where(place)
        return f"line {place.span.line}{where}"

    @cached_property
    def loops(self) -> list[Loop]:
        """The loops around it in its function, innermost first."""
        return enclosing_loops(self.located, self.project.inference)

    @cached_property
    def region(self) -> Region | None:
        """The region it stands in."""
        return self.project.regions.of(self.located.context)

    def range(self, framework: str) -> VersionRange:
        """Return the versions of a framework the code is for."""
        if framework == "tensorflow":
            return self.project.regions.versions(self.module)
        return self.project.versions.range_of(framework, file=self.source.file)

    def fingerprint(self, code: str) -> str:
        """Return what identifies a finding here across edits that move it: no line number is part of it."""
        return _hash(code, self.scope.qualname, ast.unparse(self.node))


class Operator(Spot):
    """An arithmetic expression in a loop."""

    located: OperatorSite


class LoopSpot(Spot):
    """A loop, or one `for` of a comprehension; what is pointed at is its header."""

    located: LoopSite

    @cached_property
    def loop(self) -> Loop:
        """The loop."""
        return Loop(self.located.body, self.project.inference)


class StoreSpot(Spot):
    """An assignment to an attribute or an item."""

    located: StoreSite

    @property
    def target(self) -> ast.Attribute | ast.Subscript:
        """What is assigned to."""
        return self.located.node

    @property
    def value(self) -> ast.expr | None:
        """What is assigned, None where the target is only a part of what is assigned."""
        return self.located.value

    def fingerprint(self, code: str) -> str:
        """Return what identifies a finding here: the assignment counts with its value."""
        value = ast.unparse(self.value) if self.value is not None else ""
        return _hash(code, self.scope.qualname, ast.unparse(self.node) + value)


class FunctionSpot(Spot):
    """A function's definition; what is pointed at is its name."""

    located: FunctionSite

    @property
    def defined(self) -> Function:
        """The function."""
        return self.located.defined

    @property
    def spelled(self) -> str:
        """The function's name."""
        return self.defined.name

    def span(self) -> Span:
        """Return the stretch to underline: from `def` to the end of the name."""
        whole = self.source.span(self.defined.node)
        word = "async def " if isinstance(self.defined.node, ast.AsyncFunctionDef) else "def "
        end = whole.column + len(word) + len(self.defined.name)
        return Span(whole.line, whole.column, whole.line, end)

    def fingerprint(self, code: str) -> str:
        """Return what identifies a finding here: the function's name."""
        return _hash(code, self.scope.qualname, self.defined.name)


class Site(Spot):
    """A call. `name` is the canonical name of the API it calls, None for a method of a value."""

    def __init__(self, call: CallSite, project: Project, name: str | None) -> None:
        super().__init__(call, project)
        self.call = call
        self.name = name

    @property
    def node(self) -> ast.Call:
        """The call's syntax node."""
        return self.call.node

    @property
    def spelled(self) -> str:
        """The callee as written, on one line: `tf.nn.relu`; only the method where the rest is long."""
        text = " ".join(ast.unparse(self.node.func).split())
        return text if len(text) <= 40 else text.rpartition(".")[2]

    def span(self) -> Span:
        """Return the stretch to underline: from the last name of the callee, or the whole dotted name on one line."""
        function = self.node.func
        whole = self.source.span(self.node)
        callee = self.source.span(function)
        if isinstance(function, ast.Attribute) and (
            callee.line != callee.end_line or isinstance(function.value, ast.Call | ast.Subscript)
        ):
            return Span(
                callee.end_line, callee.end_column - len(function.attr), whole.end_line, whole.end_column
            )
        return whole

    def argument(self, name: str) -> ast.expr | None:
        """Return what the call passes for a parameter of a known API or dataset method, None if nothing that is seen."""
        method = dataset_method(self.call.method_name or "") if self.name is None else None
        parameters = method.parameters if method is not None else lookup(self.name or "").parameters
        position = parameters.index(name) if name in parameters else None
        return argument(self.node, name, position)

    @property
    def has_unpacking(self) -> bool:
        """Whether the call passes `*args` or `**kwargs`."""
        return has_unpacking(self.node)

    @cached_property
    def steps(self) -> tuple[Step, ...]:
        """What this call adds to a pipeline, if it transforms a dataset."""
        values = self.project.inference.values(self.node, self.scope)
        return tuple(value.step for value in values if isinstance(value, Pipeline))


def _hash(code: str, qualname: str, text: str) -> str:
    import hashlib  # It is dear to load, and most runs find nothing.

    key = "\n".join((code, qualname, "".join(text.split())))
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _where(place: Place) -> str:
    return f" of cell {place.cell}" if place.cell is not None else f" of {place.path.rpartition('/')[2]}"


def is_test_code(path: str) -> bool:
    """Tell whether a file is one of tests or micro benchmarks, by where it lies and what it is called."""
    *folders, name = path.split("/")
    stem = name.removesuffix(".py").removesuffix(".ipynb")
    # A file called just `test.py` or `benchmark.py` is where a model is tested, not code.
    words = [] if stem in ("test", "benchmark") else stem.split("_")
    return bool(_TEST_WORDS.intersection((*folders, *words)))
