"""What deepperf knows of a program: its pipelines, loops, regions and calls, as plain records."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any

from deepperf.engine.files import Input
from deepperf.engine.run import Run
from deepperf.facts.loops import Loop
from deepperf.facts.module import Module
from deepperf.facts.scopes import CallSite, Context
from deepperf.facts.values import Pipeline
from deepperf.model import Place

Record = dict[str, Any]


def inspect(run: Run, given: Input, what: str) -> list[Record]:
    """Return the records of one file, in reading order. `what` is one of `KINDS`.

    Raises:
        SourceError: the file cannot be read or parsed.
    """
    module = run.module(given)
    return sorted(
        KINDS[what](module), key=lambda record: (record["cell"] or 0, record["line"], record["column"])
    )


def _record(place: Place, **more: Any) -> Record:
    return {
        "path": place.path,
        "cell": place.cell,
        "line": place.span.line,
        "column": place.span.column,
        **more,
    }


def _pipelines(module: Module) -> Iterator[Record]:
    """Yield each dataset that no further step of the module goes on from, with the ways its data takes."""
    infer = module.project.inference
    found = [
        value.step
        for call in module.index.calls
        for value in infer.values(call.node, call.scope)
        if isinstance(value, Pipeline) and value.step.call is call.node
    ]
    continued = {id(before.call) for step in found for path in step.paths() for before in path[:-1]}
    for step in found:
        if id(step.call) not in continued:
            paths = [[before.short for before in path] for path in step.paths()]
            yield _record(module.source.place(step.call), pipelines=paths, known_from_the_start=step.complete)


def _loops(module: Module) -> Iterator[Record]:
    for site in module.index.loops:
        loop = Loop(site.body, module.project.inference)
        yield _record(
            module.source.place(site.node),
            over=" ".join(ast.unparse(site.node).split()),
            kind=loop.kind.value,
            passes=loop.trips.value,
            trains=module.project.hotness.is_step_loop(loop),
        )


def _regions(module: Module) -> Iterator[Record]:
    for function in module.index.functions:
        inside = Context(function.context, "function", function.node, function.scope)
        region = module.project.regions.of(inside)
        because = (
            [f"{place.path}:{place.span.line}" for place in region.because] if region is not None else []
        )
        mode = region.mode.value if region is not None else "unknown"
        yield _record(
            module.source.place(function.node), function=function.qualname, region=mode, because=because
        )


def _calls(module: Module) -> Iterator[Record]:
    for call in module.index.calls:
        for target in module.project.calls.targets(call.node, call.scope):
            function = target.function
            place = function.module.source.place(function.node)
            yield _record(
                module.source.place(call.node),
                calls=_spelled(call),
                function=f"{function.module.name}.{function.qualname}",
                defined=f"{place.path}:{place.span.line}",
            )


def _spelled(call: CallSite) -> str:
    return " ".join(ast.unparse(call.node.func).split())


KINDS: dict[str, Callable[[Module], Iterator[Record]]] = {
    "pipelines": _pipelines,
    "loops": _loops,
    "regions": _regions,
    "calls": _calls,
}
