"""TF104: an op whose operands never change in a loop is created again on each pass."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import Trips
from deepperf.facts.project.hotness import Around
from deepperf.facts.project.invariance import Invariant
from deepperf.facts.project.regions import Mode, Region
from deepperf.knowledge import lookup
from deepperf.rules.api import Bad, Confidence, Cost, Finding, Good, Hot, Impact, Rule, Site, call
from deepperf.rules.tensorflow import nodes

_VARYING = frozenset({"random", "stateful", "side-effect", "resource", "python", "control-flow", "runs-graph", "reads-file"})


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
    def invariant_in_loop(self, site: Site) -> Iterator[Finding]:
        """Report a pure op that could stand above a loop."""
        api = lookup(site.name or "")
        if api.effects & _VARYING or nodes.is_initial_value(site):
            return
        best: tuple[Around, Invariant] | None = None
        for around in site.project.hotness.around(site.call):
            if nodes.has_fresh_graph(site, around) or nodes.is_for_devices(around):
                break
            if nodes.runs_only_once(site, around):
                if around.loop.trips is Trips.ONCE:
                    break
                continue
            proof = site.project.invariance.of(site.node, site.scope, around.loop, around.chain)
            if proof is None:
                break
            best = best or (around, proof)
        if best is not None and not _operand_of_invariant(site, best[0]):
            found = self._finding(site, *best)
            if found is not None:
                yield found

    def _finding(self, site: Site, around: Around, proof: Invariant) -> Finding | None:
        region = site.region
        if region is None or region.mode in (Mode.DATASET, Mode.LOOP_BODY):
            return None
        if region.mode is Mode.TRACED and around.loop.over_tensor:
            return None
        where, cost, impact = _cost(site, around, region)
        loop = around.loop.place("the loop")
        return self.found(
            site,
            f"`{site.spelled}` {where} on each pass of the loop on line {loop.span.line}, and nothing it uses changes there",
            advice=f"Compute it once, above the loop on line {loop.span.line}.",
            because=(loop, *proof.because, *region.because),
            confidence=proof.confidence,
            impact=impact,
            related=(loop, *nodes.chain_places(around)),
            hot=site.project.hotness.of(site.call),
            cost=Cost(cost),
        )


def _cost(site: Site, around: Around, region: Region) -> tuple[str, str, Impact]:
    """Return what happens on each pass, what that costs, and how bad it is."""
    many = around.loop.trips is Trips.MANY
    if region.mode is Mode.EAGER:
        hot = site.project.hotness.of(site.call) is Hot.PER_BATCH
        works = "free" not in lookup(site.name or "").traits and "cheap" not in lookup(site.name or "").traits
        impact = Impact.MEDIUM if hot and works else Impact.LOW
        return "is computed again", "The same value is computed on each pass, and once would do.", impact
    if region.mode is Mode.TRACED:
        text = "While tf.function traces, each pass adds the same node: tracing takes longer and the graph is larger."
        return "adds the same node to the traced graph", text, Impact.MEDIUM if many else Impact.LOW
    text = "While the graph is built, each pass adds the same node: building takes longer and the graph is larger."
    return "adds the same node to the graph", text, Impact.MEDIUM if many else Impact.LOW


def _operand_of_invariant(site: Site, around: Around) -> bool:
    """Tell whether a larger expression around the call is invariant too: then that one is reported."""
    parents = site.module.parents(site.call.statement)
    node: ast.AST | None = parents.get(site.node)
    while isinstance(node, ast.expr | ast.keyword) and not isinstance(node, ast.Lambda):
        if nodes.creates_node(node, site) and isinstance(node, ast.expr):
            name = site.project.inference.api(node.func, site.scope) or ""  # type: ignore[attr-defined]
            pure = not lookup(name).effects & _VARYING
            if pure and site.project.invariance.of(node, site.scope, around.loop, around.chain) is not None:
                return True
        node = parents.get(node)
    return False


__all__ = ["Confidence", "RepeatedNodeCreation"]
