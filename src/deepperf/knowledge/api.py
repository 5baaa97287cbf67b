"""What deepperf knows of one name of a framework, in words that rules share.

`returns` is what a call gives:
    tensor, variable, operation, dataset, iterator, session, graph, optimizer, model, layer, metric, loader, function,
    array (numpy), number, string, list, none, plain (a Python object that is no op) or unknown.

`effects` are what a call does beyond giving a value:
    node          adds nodes to the graph that is being built; in eager mode it runs them
    random        gives another value each time
    stateful      reads or changes state that outlives the call: variables, collections, accumulators, global switches
    side-effect   prints, writes files or summaries
    control-flow  takes functions and runs them as part of the graph
    resource      makes something with an identity: a variable, queue, table, iterator, reader, placeholder, session
    python        calls back into Python while the graph runs
    runs-graph    runs a graph that was built before
    reads-file    reads from disk
    sync          waits until the device has computed the value

`traits` are what an op is like:
    free          costs nothing when it runs: shapes, identity, reshape
    cheap         one light pass over its input
    heavy         dear for one element: decode, resize, convolution, matrix inverse
    elementwise   on a stacked batch it gives the stack of what it gives for each element, as long as all tensor operands
                  have one rank or are constants
    select        elementwise if it is given three operands
    axis          the same holds with an explicit negative axis; then drops-axis, keeps-axes or adds-axis says what
                  happens to the rank, and last-axis that the last axis is what it takes when none is given
    image-4d      takes a batch of images in place of one, with the same result for each
    record        takes one record; `twin` names the op for a batch of them
    string        works on strings
    assert        checks its operands and gives nothing
    source        a call that makes a dataset; batched: its elements are batches
    attribute     no call at all: an attribute of a value
"""

from __future__ import annotations

from dataclasses import dataclass

# Effects that keep an op from being computed once for many uses.
IMPURE = frozenset(
    ("random", "stateful", "side-effect", "control-flow", "resource", "python", "runs-graph", "reads-file", "sync")
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

    `role` is `transform` (it gives a dataset) or `sink`. `callback` names the parameters that are functions, `parallel`
    the one that says how many calls run at a time. `order_neutral`: it passes elements on as they are, so that an
    elementwise `map` gives the same before and after it. `batches`: it makes batches.
    """

    name: str
    parameters: tuple[str, ...] = ()
    role: str = "transform"
    callback: tuple[str, ...] = ()
    parallel: str | None = None
    order_neutral: bool = False
    batches: bool = False
