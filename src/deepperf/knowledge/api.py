"""What deepperf knows of one name of a framework. `vocabulary.py` says what the words mean."""

from __future__ import annotations

from dataclasses import dataclass

# Effects that keep an op from being computed once for many uses.
IMPURE = frozenset(
    (
        "random",
        "stateful",
        "side-effect",
        "control-flow",
        "resource",
        "python",
        "runs-graph",
        "reads-file",
        "sync",
    )
)


@dataclass(frozen=True, slots=True)
class Api:
    """A name of a framework. `parameters` are in the order of the call; an unknown name has `known` False."""

    name: str
    known: bool = False
    framework: str = ""
    returns: str = "unknown"
    effects: frozenset[str] = frozenset()
    traits: frozenset[str] = frozenset()
    parameters: tuple[str, ...] = ()
    twin: str = ""

    @property
    def is_pure_op(self) -> bool:
        """Whether a call adds nodes that give the same value for the same operands, and does nothing else."""
        return "node" in self.effects and not self.effects & IMPURE


@dataclass(frozen=True, slots=True)
class DatasetMethod:
    """A method of a dataset, or a transformation for its `apply`.

    `role` is `transform` (it gives a dataset) or `sink`. `callback` names the parameters that are functions,
    `parallel` the one that says how many calls run at a time. `order_neutral`: it passes elements on as they
    are, so that an elementwise `map` gives the same before and after it. `batches`: it makes batches.
    """

    name: str
    parameters: tuple[str, ...] = ()
    role: str = "transform"
    callback: tuple[str, ...] = ()
    parallel: str | None = None
    order_neutral: bool = False
    batches: bool = False
