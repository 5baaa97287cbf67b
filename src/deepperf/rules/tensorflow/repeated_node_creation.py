"""TF104: an op whose operands never change in a loop is created again on each pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import LoopKind, Trips
from deepperf.facts.project.hotness import Around
from deepperf.facts.project.invariance import Invariant
from deepperf.facts.project.regions import Mode, Region
from deepperf.knowledge import IMPURE, lookup
from deepperf.rules.api import Bad, Cost, Finding, Good, Hot, Impact, Place, Rule, Site, Spot, call, operator
from deepperf.rules.tensorflow import nodes

_VARYING = IMPURE | {"writes"}


class RepeatedNodeCreation(Rule):
    """An op whose operands are the same on each pass of a loop is created again on each pass.

    ## Why it is slow
    While a graph is built, and while `tf.function` traces, a Python loop adds the same node again on each pass: building takes
    longer and the graph is larger. In eager code the same value is computed again on each pass.

    ## What to do
    Compute it once, above the loop.

    ## When it is fine
    The loop has few passes. Each pass needs a value of its own: random numbers, the first value of a variable, an op on
    another device. The loop runs over a tensor inside `tf.function`: its body is traced once.
    """

    code, slug = "TF104", "repeated-node-creation"
    impact = Impact.MEDIUM
    root_cause = "confusion-with-computation-graph"
    symptoms = ("slow-initialization-time", "slow-execution-time", "increasing-time-over-time")
    stages = ("model-building", "training")
    frameworks = {"tensorflow": ">=1.0"}
    evidence = (
        "https://github.com/tensorforce/tensorforce/pull/816",
        "https://github.com/batzner/indrnn/issues/24",
        "benches/rules/tf104.py",
    )
    since = "0.1"
    yields_to = ("TF101",)
    cost = Cost("The same op is built or computed on each pass, and once would do.")

    examples = (
        Bad(
            """
            import tensorflow as tf

            @tf.function
            def decode(memory, state):
                outputs = []
                for _ in range(50):
                    keys = tf.transpose(memory, [0, 2, 1])  # <- TF104
                    state = tf.nn.softmax(tf.matmul(state, keys))
                    outputs.append(state)
                return outputs
            """,
        ),
        Bad(
            """
            import tensorflow as tf

            def train(dataset, model, optimizer, frequencies):
                for features, labels in dataset:
                    weights = tf.linalg.inv(frequencies)  # <- TF104
                    with tf.GradientTape() as tape:
                        loss = tf.reduce_mean(tf.matmul(model(features) - labels, weights))
                    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

            train(tf.data.TFRecordDataset("a").batch(8), None, None, None)
            """,
        ),
        Good(
            """
            import tensorflow as tf

            @tf.function
            def decode(memory, state):
                keys = tf.transpose(memory, [0, 2, 1])
                for _ in range(50):
                    state = tf.nn.softmax(tf.matmul(state, keys))
                return state
            """,
            why="the op is created once",
        ),
        Good(
            """
            import tensorflow as tf

            @tf.function
            def noisy(x):
                for _ in range(50):
                    x = x + tf.random.normal([8])
                return x
            """,
            why="each pass needs its own random numbers",
        ),
    )

    @call(effect="node")
    @operator(on="tensor")
    def invariant_in_loop(self, site: Spot) -> Iterator[Finding]:
        """Report a pure op that could stand above a loop."""
        api = lookup(_name(site))
        if api.effects & _VARYING or "assert" in api.traits or nodes.is_initial_value(site):
            return
        if not nodes.creates_node(site.node, site) or nodes.is_conditional(site):
            return
        best: tuple[Around, Invariant] | None = None
        for around in site.project.hotness.around(site.located):
            if (
                around.loop.trips is Trips.ONCE
                or nodes.is_for_devices(around)
                or nodes.is_bound_to_place(site, around)
            ):
                break
            proof = site.project.invariance.of(site.node, site.scope, around.loop, around.chain)
            if proof is None or nodes.has_fresh_graph(site, around):
                break
            if not around.loop.is_written_short and not site.project.hotness.guards(around, site.located):
                best = best or (around, proof)
        if best is not None and not _operand_of_invariant(site, best[0]):
            found = self._finding(site, *best)
            if found is not None:
                yield found

    def _finding(self, site: Spot, around: Around, proof: Invariant) -> Finding | None:
        region = site.region
        if region is None or region.mode in (Mode.DATASET, Mode.LOOP_BODY, Mode.MIXED):
            return None
        if region.mode is Mode.TRACED and around.loop.over_tensor:
            return None
        where, cost, impact = _cost(site, around, region)
        loop = around.loop.place("the loop")
        return self.found(
            site,
            f"`{site.spelled}` {where} on each pass of the loop on {site.line_of(loop)}, and nothing it uses changes there",
            advice=f"Compute it once, above the loop on {site.line_of(loop)}.",
            because=(loop, *proof.because, *region.because),
            confidence=proof.confidence,
            impact=impact,
            related=(loop, *nodes.chain_places(around), *_operands(site)),
            hot=site.project.hotness.of(site.located),
            cost=cost,
        )


def _operands(site: Spot) -> tuple[Place, ...]:
    """Return the ops on other lines that belong to the same expression: they are created again too."""
    first = site.place().span.line
    found = []
    for node in ast.walk(site.node):
        if node is not site.node and isinstance(node, ast.Call) and nodes.creates_node(node, site):
            place = site.source.place(node, "created again too")
            if place.span.line != first:
                found.append(place)
    return tuple(found)


def _cost(site: Spot, around: Around, region: Region) -> tuple[str, Cost, Impact]:
    """Return what happens on each pass, what that costs, and how bad it is."""
    if region.mode is Mode.EAGER:
        return "is computed again", _EAGER, _eager_impact(site, around)
    many = around.loop.trips is Trips.MANY and not nodes.is_over_layers(around) and not _builds(site, around)
    many = many and not _is_start_value(site)
    impact = Impact.MEDIUM if many else Impact.LOW
    if region.mode is Mode.TRACED:
        return "adds the same node to the traced graph", _TRACED, impact
    return "adds the same node to the graph", _GRAPH, impact


_MEASURED = "benches/rules/tf104.py"
_EAGER = Cost(
    "The same value is computed on each pass. Measured: a loop with one such transpose among three ops took 1.6 times as long "
    "(2 CPU cores, TensorFlow 2.21).",
    1.63,
    _MEASURED,
)
_TRACED = Cost(
    "While tf.function traces, each pass adds the same node. Measured: 500 passes made twice as many nodes and took 1.9 times as "
    "long to trace (2 CPU cores, TensorFlow 2.21).",
    1.87,
    _MEASURED,
)
_GRAPH = Cost(
    "While the graph is built, each pass adds the same node. Measured: 500 passes made twice as many nodes and took 1.9 times as "
    "long to build (2 CPU cores, TensorFlow 2.21).",
    1.87,
    _MEASURED,
)


def _builds(site: Spot, around: Around) -> bool:
    """Tell whether the op belongs to the making of a model or layer: that happens once."""
    functions = [site.function, *(entry.function for entry in around.chain)]
    return any(
        function is not None and function.name in ("__init__", "build", "setup") for function in functions
    )


def _eager_impact(site: Spot, around: Around) -> Impact:
    """Computing a value again matters where the op does work and the loop has many passes."""
    if (
        around.loop.trips is Trips.FEW
        or nodes.is_over_layers(around)
        or _builds(site, around)
        or not _does_work(site)
    ):
        return Impact.LOW
    if site.project.hotness.of(site.located) is Hot.PER_BATCH:
        return Impact.MEDIUM
    goes_on = around.loop.kind in (LoopKind.WHILE, LoopKind.COUNTED) or around.loop.trips is Trips.MANY
    return Impact.MEDIUM if goes_on else Impact.LOW


def _does_work(site: Spot) -> bool:
    """Tell whether some op of the expression does more than one light pass over its input."""
    for node in ast.walk(site.node):
        if isinstance(node, ast.Call) and nodes.creates_node(node, site):
            traits = lookup(site.project.inference.api(node.func, site.scope) or "").traits
            if not traits & {"free", "cheap"}:
                return True
    return False


def _is_start_value(site: Spot) -> bool:
    """Tell whether the expression only makes constants: the graph keeps one node more, and no work is repeated."""
    names = [
        site.project.inference.api(node.func, site.scope) or ""
        for node in ast.walk(site.node)
        if isinstance(node, ast.Call) and nodes.creates_node(node, site)
    ]
    return all(name.rpartition(".")[2] in _STARTS or "free" in lookup(name).traits for name in names)


_STARTS = frozenset("zeros ones fill range eye constant zeros_like ones_like".split())


def _name(site: Spot) -> str:
    return (site.name or "") if isinstance(site, Site) else ""


def _operand_of_invariant(site: Spot, around: Around) -> bool:
    """Tell whether a larger expression around the call is invariant too: then that one is reported."""
    parents = site.module.parents(site.located.statement)
    node: ast.AST | None = parents.get(site.node)
    while isinstance(node, ast.expr | ast.keyword) and not isinstance(node, ast.Lambda):
        if nodes.creates_node(node, site) and isinstance(node, ast.expr):
            name = (
                site.project.inference.api(node.func, site.scope) or "" if isinstance(node, ast.Call) else ""
            )
            pure = not lookup(name).effects & _VARYING
            if pure and site.project.invariance.of(node, site.scope, around.loop, around.chain) is not None:
                return True
        node = parents.get(node)
    return False
