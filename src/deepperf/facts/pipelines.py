"""Dataset pipelines as ordered transformations, followed through values instead of lines."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TYPE_CHECKING

from deepperf.knowledge import DatasetMethod, dataset_method

if TYPE_CHECKING:
    from deepperf.facts.scopes import Scope
    from deepperf.facts.values import Frame

_PATHS = 16
_LENGTH = 64


class Step:
    """One call that gives a dataset: a source, or a transformation of the datasets in `inputs`.

    `inputs` has several entries where branches meet; `complete` is False if some input could not be followed.
    """

    __slots__ = ("call", "complete", "frame", "inputs", "name", "scope")

    def __init__(
        self,
        name: str,
        call: ast.expr,
        scope: Scope,
        frame: Frame | None,
        inputs: tuple[Step, ...] = (),
        complete: bool = True,
    ) -> None:
        self.name = name
        self.call = call
        self.scope = scope
        self.frame = frame
        self.inputs = inputs
        self.complete = complete

    def __repr__(self) -> str:
        return " | ".join(".".join(step.short for step in path) for path in self.paths())

    @property
    def short(self) -> str:
        """The last part of the name: `map`, `from_tensor_slices`."""
        return self.name.rpartition(".")[2]

    @property
    def method(self) -> DatasetMethod | None:
        """What is known of the transformation; None for sources and unknown ones."""
        return dataset_method(self.short) if self.inputs or not self.complete else None

    def paths(self) -> Iterator[tuple[Step, ...]]:
        """Yield the ways the data may take from a source to this step, this step last; at most 16, 64 steps each."""
        count = 0
        stack: list[tuple[Step, tuple[Step, ...]]] = [(self, (self,))]
        while stack and count < _PATHS:
            step, path = stack.pop()
            before = [known for known in step.inputs if known not in path]
            if not before or len(path) >= _LENGTH:
                count += 1
                yield tuple(reversed(path))
                continue
            stack.extend((known, (*path, known)) for known in reversed(before))
