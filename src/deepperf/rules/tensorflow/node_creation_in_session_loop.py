"""TF101: ops are created in the loop that also runs the graph."""

from __future__ import annotations

from collections.abc import Iterator

from deepperf.facts.guards import leaves_if_made
from deepperf.facts.project.hotness import Around, Run
from deepperf.facts.project.regions import Mode, Region
from deepperf.facts.scopes import Function
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Effort,
    Finding,
    Good,
    Hot,
    Impact,
    Rule,
    Spot,
    call,
    method,
    operator,
)
from deepperf.rules.tensorflow import nodes


class NodeCreationInSessionLoop(Rule):
    """Ops are created in the loop that also runs the graph.

    ## Why it is slow
    In graph mode each call of a TensorFlow function adds nodes to the graph, also when the same nodes are there already.
    When the loop runs the graph too, the graph is larger on each pass. The session has to take in the new nodes each time:
    steps get slower and slower, and memory grows.

    ## What to do
    Create the op once, before the loop. Feed what changes through a placeholder. Call `graph.finalize()` before the loop:
    from then on a forgotten op is an error instead of a slow leak.

    ## When it is fine
    The loop only builds the network and runs nothing. Each pass makes its own `tf.Graph()`. The op is made behind a guard, on the
    first pass only. The code runs eagerly.
    """

    code, slug = "TF101", "node-creation-in-session-loop"
    impact = Impact.HIGH
    effort = Effort.MEDIUM
    root_cause = "confusion-with-computation-graph"
    symptoms = ("increasing-time-over-time", "memory-leak", "slow-execution-time", "out-of-memory")
    stages = ("model-building", "training", "prediction")
    frameworks = {"tensorflow": ">=1.0"}
    evidence = (
        "https://stackoverflow.com/questions/57672444",
        "https://stackoverflow.com/questions/53137115",
        "https://github.com/tensorforce/tensorforce/pull/816",
        "benches/rules/tf101.py",
    )
    since = "0.1"
    cost = Cost(
        "Each step is slower than the one before, and the memory is never given back. Measured: 300 steps took 28 times as "
        "long (2 CPU cores, TensorFlow 2.21).",
        27.56,
        "benches/rules/tf101.py",
    )

    examples = (
        Bad(
            """
            import tensorflow.compat.v1 as tf

            def train(loss, images, batches):
                step = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
                with tf.Session() as sess:
                    for batch in batches:
                        sess.run(step, feed_dict={images: batch})
                        accuracy = tf.reduce_mean(loss)  # <- TF101
                        print(sess.run(accuracy, feed_dict={images: batch}))
            """,
        ),
        Bad(
            """
            import tensorflow.compat.v1 as tf

            class Agent:
                def __init__(self):
                    self.sess = tf.Session()
                    self.weights = tf.get_variable("weights", [8])

                def copy(self, values):
                    self.sess.run(tf.assign(self.weights, values))  # <- TF101

                def train(self, episodes):
                    for values in episodes:
                        self.copy(values)
            """,
        ),
        Good(
            """
            import tensorflow.compat.v1 as tf

            def train(loss, images, batches):
                accuracy = tf.reduce_mean(loss)
                with tf.Session() as sess:
                    for batch in batches:
                        print(sess.run(accuracy, feed_dict={images: batch}))
            """,
            why="the op is created once, before the loop",
        ),
        Good(
            """
            import tensorflow.compat.v1 as tf

            def compare(configurations):
                for configuration in configurations:
                    with tf.Graph().as_default(), tf.Session() as sess:
                        total = tf.reduce_sum(tf.constant(configuration))
                        print(sess.run(total))
            """,
            why="each pass has a graph of its own",
        ),
    )

    @call(effect="node")
    @method("assign", "assign_add", "assign_sub", on="variable")
    @method("minimize", "apply_gradients", "compute_gradients", on="optimizer")
    @method("get_next", on="iterator")
    @operator(on="tensor")
    @operator(on="variable")
    def created_in_running_loop(self, site: Spot) -> Iterator[Finding]:
        """Report an op created in a loop that runs the graph."""
        if not site.project.regions.may_build_graphs(site.module) or nodes.is_part_of_another(site):
            return
        if not nodes.creates_node(site.node, site):
            return
        around = None
        for around in site.project.hotness.around(site.located):
            run = self._grows(site, around)
            if run is None:
                continue
            region = _graph_region(site, around)
            if region is not None:
                yield self._finding(site, around, run, region.because)
            return
        if around is None:
            yield from self._at_each_call(site)

    def _at_each_call(self, site: Spot) -> Iterator[Finding]:
        """Report an op that a method makes and runs in the session of its object, whoever calls it how often."""
        function, region = site.function, site.region
        if function is None or function.name == "__init__" or region is None or region.mode is not Mode.GRAPH:
            return
        # What is made elsewhere in the method may be the network, which is built once: only what is made to be run counts.
        run = site.project.hotness.run_around(site.located)
        if run is None or "initial" in (getattr(site, "name", None) or ""):
            return
        if nodes.is_conditional(site) or _is_behind_condition(site, function):
            return
        yield self.found(
            site,
            f"`{site.spelled}` adds nodes to the graph at each call of `{function.name}`, which also runs the graph "
            f"({site.line_of(run.place)})",
            advice="Create it once, where the graph is built, with a placeholder for what changes, and only run it here.",
            because=(run.place, *region.because),
            confidence=Confidence.LOW,
            related=(run.place,),
        )

    @staticmethod
    def _grows(site: Spot, around: Around) -> Run | None:
        """Return the call that runs the graph in a loop which also creates the op; None if the graph does not grow."""
        if nodes.runs_only_once(site, around) or nodes.has_fresh_graph(site, around):
            return None
        if _is_finalized(site, around):
            return None
        return site.project.hotness.runs_graph(around)

    def _finding(self, site: Spot, around: Around, run: Run, mode: tuple[object, ...]) -> Finding:
        invariant = site.project.invariance.of(site.node, site.scope, around.loop, around.chain)
        loop = around.loop.place("the loop")
        advice = (
            "Create it once, before the loop: all its operands are known there."
            if invariant is not None
            else "Create it once, before the loop, with a placeholder for what changes, and only run it in the loop."
        )
        return self.found(
            site,
            f"`{site.spelled}` adds nodes to the graph on each pass of the loop on {site.line_of(loop)}, "
            f"which also runs the graph ({site.line_of(run.place)})",
            advice=advice + " Call graph.finalize() before the loop to be sure.",
            because=(loop, run.place, *mode),  # type: ignore[arg-type]
            confidence=Confidence.HIGH if run.certain and around.is_certain else Confidence.MEDIUM,
            related=(loop, *nodes.chain_places(around), run.place),
            hot=Hot.PER_BATCH,
        )


def _graph_region(site: Spot, around: Around) -> Region | None:
    """Return what says that the site builds a graph: its own region, or that of the loop whose calls reach it."""
    for region in (site.region, site.project.regions.of(around.context)):
        if region is not None and region.mode is not Mode.EAGER:
            return region if region.mode is Mode.GRAPH else None
    return None


def _is_behind_condition(site: Spot, function: Function) -> bool:
    """Tell whether a method does not make the op each time: behind an `if`, or after a return of what was made before."""
    if any(step.kind in ("if", "else", "except") for step in site.located.context.within_function()):
        return True
    return leaves_if_made(function.node.body, site.node)


def _is_finalized(site: Spot, around: Around) -> bool:
    """Tell whether the graph is closed before the loop: creating an op would then be an error, not a slow leak."""
    loop = around.loop
    return any(
        found.method_name == "finalize" and found.scope is loop.scope and found.node.lineno < loop.line
        for found in loop.scope.module.index.calls
    )
