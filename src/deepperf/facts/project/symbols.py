"""The symbols that a dataset function is run on, and the proof that comes of it."""

from __future__ import annotations

from dataclasses import dataclass, field

from deepperf.model import Place


class NotBatchable(Exception):
    """The function needs one element at a time, or nothing is known; the message says why."""


@dataclass(frozen=True)
class Element:
    """A tensor that comes from the element: `origin` names the part, `rank` how many axes it has lost or gained."""

    origin: str
    rank: int = 0


@dataclass(frozen=True)
class Fixed:
    """Something that does not come from the element. `scalar` is True for numbers, so that broadcasting is sure."""

    scalar: bool


@dataclass(frozen=True)
class Structure:
    """A tuple, list or dict of symbols."""

    parts: tuple[tuple[object, Symbol], ...]
    is_list: bool = False


Symbol = Element | Fixed | Structure


@dataclass
class Batchable:
    """The proof that a function works on batches: what it does, and which calls need their batched twin instead."""

    operations: list[tuple[str, Place]] = field(default_factory=list)
    twins: list[tuple[str, str, Place]] = field(default_factory=list)

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
