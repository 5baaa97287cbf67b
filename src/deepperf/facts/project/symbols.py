"""The symbols that a dataset function is run on, and the proof that comes of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from deepperf.facts.scopes import Scope
from deepperf.model import Place


class NotBatchable(Exception):
    """The function needs one element at a time, or nothing is known; the message says why."""


class Shape(Enum):
    """Whether a tensor has the same shape in each element of the dataset."""

    OF_SOURCE = "if the elements that come in have"
    SAME = "yes"
    VARYING = "not for sure"


@dataclass(frozen=True)
class Element:
    """A tensor that comes from the element: `origin` names the part, `rank` how many axes it has lost or gained."""

    origin: str
    rank: int = 0
    shape: Shape = Shape.OF_SOURCE

    def part(self, key: str) -> Element:
        """Return one feature of an element that is a dict."""
        return Element(f"{self.origin}[{key}]", 0, self.shape)


@dataclass(frozen=True)
class Fixed:
    """Something that does not come from the element. `scalar` is True for numbers, so that broadcasting is sure."""

    scalar: bool


@dataclass(frozen=True)
class Structure:
    """A tuple, list or dict of symbols; under the key `*` stands an element whose other features it holds."""

    parts: tuple[tuple[object, Symbol], ...]
    is_list: bool = False


Symbol = Element | Fixed | Structure


@dataclass
class Env:
    """Where an expression stands, and the symbols of the names there."""

    scope: Scope
    local: dict[str, Symbol]


@dataclass
class Batchable:
    """The proof that a function works on batches: what it does, and which calls need their batched twin instead.

    `evens` says that the function may turn elements of different shapes into ones that can be batched: it crops them, sums
    them up or leaves parts of them out.
    """

    operations: list[tuple[str, Place]] = field(default_factory=list)
    twins: list[tuple[str, str, Place]] = field(default_factory=list)
    evens: bool = False

    @property
    def does_work(self) -> bool:
        """Whether the function computes anything at all."""
        return bool(self.operations or self.twins)


def check_result(result: Symbol) -> None:
    """What a batch gives must have a batch axis: every part comes from the element. A list would be packed into one tensor.

    Raises:
        NotBatchable: some part does not.
    """
    if isinstance(result, Fixed) or (isinstance(result, Structure) and result.is_list):
        raise NotBatchable("a result that does not come from the element")
    if isinstance(result, Structure):
        for _, part in result.parts:
            check_result(part)


def origins(result: Symbol) -> Iterator[str]:
    """Yield the parts of the element that a result holds."""
    if isinstance(result, Element):
        yield result.origin
    elif isinstance(result, Structure):
        for _, part in result.parts:
            yield from origins(part)


def replaced(result: Symbol) -> Iterator[str]:
    """Yield the features of elements in whose place a result holds something else."""
    if isinstance(result, Structure):
        rest = dict(result.parts).get("*")
        for key, part in result.parts:
            yield from replaced(part)
            if isinstance(rest, Element) and key != "*":
                yield rest.part(str(key)).origin
