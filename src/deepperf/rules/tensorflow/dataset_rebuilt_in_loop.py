"""TF209: a dataset or its iterator is made again on each pass of a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.guards import Guard
from deepperf.facts.project.consumers import Use, Way
from deepperf.facts.project.hotness import Around
from deepperf.facts.project.invariance import Invariant
from deepperf.facts.project.regions import Mode
from deepperf.facts.values import Pipeline
from deepperf.knowledge import dataset_sources, is_dataset_source
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Good,
    Hot,
    Impact,
    LoopSpot,
    Rule,
    Site,
    Spot,
    call,
    loop,
    method,
)
from deepperf.rules.tensorflow import caching, nodes, pipeline

_SOURCES = tuple(sorted(dataset_sources("tensorflow") | dataset_sources("keras")))


class DatasetRebuiltInLoop(Rule):
    """A dataset or its iterator is made again on each pass of a loop.

    ## Why it is slow
    A new iterator starts the pipeline from the beginning: files are opened again, the shuffle buffer is filled again, what was
    prefetched is lost. A new dataset also traces its functions again, and an in-memory cache starts empty. In a TensorFlow 1
    graph each iterator is a new node, so that every pass is slower than the one before.

    ## What to do
    Make the dataset once, before the loop. For a batch per step make one iterator, `batches = iter(dataset.repeat())`, and call
    `next(batches)` in the loop. In a TensorFlow 1 graph use an initializable iterator and run its initializer again.

    ## When it is fine
    Each pass reads other data: other files, another fold, new samples. A loop over the dataset itself, once an epoch. A sample
    for a picture, taken once or now and then.
    """

    code, slug = "TF209", "dataset-rebuilt-in-loop"
    impact = Impact.MEDIUM
    root_cause = "confusion-with-computation-graph"
    symptoms = ("slow-execution-time", "increasing-time-over-time", "memory-leak")
    stages = ("data-preparation", "training")
    frameworks = {"tensorflow": ">=1.4"}
    evidence = (
        "https://github.com/tensorflow/tensorflow/issues/14868",
        "https://github.com/tensorflow/tensorflow/issues/23904",
        "https://stackoverflow.com/questions/58065976",
        "benches/rules/tf209.py",
    )
    since = "0.1"
    yields_to = ("TF101",)
    cost = Cost(
        "Each pass pays for the start of the pipeline, and keeps nothing of what the pass before prepared.",
        None,
        "benches/rules/tf209.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def train(model, images, steps):
                dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(10000).batch(64)
                for step in range(steps):
                    batch = next(iter(dataset))  # <- TF209
                    model.train_on_batch(batch)
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def read(path):
                return tf.image.decode_jpeg(tf.io.read_file(path))

            def train(step, paths):
                for epoch in range(20):
                    dataset = tf.data.Dataset.from_tensor_slices(paths)  # <- TF209
                    dataset = dataset.map(read).cache().batch(32)
                    for batch in dataset:
                        step(batch)
            """
        ),
        Good(
            """
            import tensorflow as tf

            def train(model, images, steps):
                dataset = tf.data.Dataset.from_tensor_slices(images).shuffle(10000).batch(64)
                batches = iter(dataset.repeat())
                for step in range(steps):
                    model.train_on_batch(next(batches))
            """,
            why="one iterator gives all the batches",
        ),
        Good(
            """
            import tensorflow as tf

            def train(model, days):
                for day in days:
                    dataset = tf.data.TFRecordDataset(f"clicks-{day}.tfrecord").batch(64)
                    model.fit(dataset)
            """,
            why="each pass reads another file",
        ),
    )

    @call("builtins.next")
    @method("get_next", "next", "__next__", on="iterator")
    @method("get_next", "next", "__next__", on="dataset")
    def first_element_only(self, site: Site) -> Iterator[Finding]:
        """Report `next(iter(dataset))` in a loop."""
        dataset = site.project.consumers.restarted(site.call)
        if dataset is not None:
            yield from self._restarted(site, dataset)

    @loop()
    def first_element_by_loop(self, site: LoopSpot) -> Iterator[Finding]:
        """Report a loop over `dataset.take(1)`, or one that ends in its first pass, inside another loop."""
        # What a loop runs over is dear to find out; that it may take one element only can be seen.
        if not site.loop.leaves_in_first_pass and ".take(" not in site.source.text:
            return
        use = site.project.consumers.of_loop(site.located)
        if use is not None and use.way is Way.FIRST:
            yield from self._restarted(site, site.node)

    def _restarted(self, site: Spot, dataset: ast.expr) -> Iterator[Finding]:
        made_here = any(isinstance(node, ast.Call) and _is_source(node, site) for node in ast.walk(dataset))
        if made_here or _runs_in_graph(site) or _is_tiny(dataset, site):
            return
        found = _repeated(site, dataset)
        if found is not None:
            yield self._for_one_element(site, "starts the pipeline again", *found)

    @call(*_SOURCES)
    def same_dataset_again(self, site: Site) -> Iterator[Finding]:
        """Report a source of data that is made again of the same arguments on each pass of a loop."""
        if _runs_in_graph(site) or _is_part_of_source(site):
            return
        found = _repeated(site, site.node)
        if found is None:
            return
        uses = site.project.consumers.of(site.located)
        if {use.way for use in uses} - {Way.RETURNED, Way.GIVEN, Way.ITERATOR} == {Way.FIRST}:
            yield self._for_one_element(site, "makes a dataset", *found)
        else:
            yield self._for_epochs(site, uses, *found)

    def _for_one_element(self, site: Spot, does: str, around: Around, proof: Invariant) -> Finding:
        where = around.loop.place("the loop")
        # A start for one element is plain whatever the data is; only the loop must be certain.
        sure = max(proof.confidence, Confidence.MEDIUM) if around.is_certain else proof.confidence
        return self.found(
            site,
            f"`{site.spelled}` {does} on each pass of the loop on {site.line_of(where)}, and only its first element is taken",
            advice="Make the dataset and one iterator before the loop, iter(dataset.repeat()), and call next() in the loop.",
            because=(where, *proof.because),
            confidence=sure,
            impact=_impact(site, around),
            related=(where, *nodes.chain_places(around)),
            hot=Hot.PER_BATCH if _is_step(site, around) else Hot.PER_EPOCH,
        )

    def _for_epochs(self, site: Site, uses: list[Use], around: Around, proof: Invariant) -> Finding:
        where = around.loop.place("the loop")
        cache = caching.lost_cache(site, around, uses)
        lost = f"; its cache ({site.line_of(cache)}) is lost each time" if cache is not None else ""
        return self.found(
            site,
            f"`{site.spelled}` makes the same dataset again on each pass of the loop on {site.line_of(where)}{lost}",
            advice="Make the dataset once, before the loop. Each loop over it starts it anew, and shuffles anew.",
            because=(where, *proof.because),
            confidence=proof.confidence,
            impact=Impact.MEDIUM if cache is not None else Impact.LOW,
            related=(where, *nodes.chain_places(around), *((cache,) if cache is not None else ())),
            hot=Hot.PER_EPOCH,
        )

    @call("tensorflow.data.make_one_shot_iterator", "tensorflow.data.make_initializable_iterator")
    @method("make_one_shot_iterator", "make_initializable_iterator", on="dataset")
    @method("make_initializer", on="iterator")
    def iterator_in_graph(self, site: Site) -> Iterator[Finding]:
        """Report an iterator that is added to the graph in a loop which runs the graph."""
        if not site.project.regions.may_build_graphs(site.module) or nodes.is_part_of_another(site):
            return
        for around in site.project.hotness.around(site.located):
            if nodes.runs_only_once(site, around) or nodes.has_fresh_graph(site, around):
                continue
            run = site.project.hotness.runs_graph(around)
            if run is None or not _builds_graph(site, around):
                continue
            where = around.loop.place("the loop")
            yield self.found(
                site,
                f"`{site.spelled}` adds an iterator to the graph on each pass of the loop on {site.line_of(where)}, "
                f"which also runs the graph ({site.line_of(run.place)})",
                advice="Make one initializable iterator before the loop, with a placeholder for what changes, and run its "
                "initializer where a pass starts.",
                because=(where, run.place),
                confidence=Confidence.HIGH if run.certain and around.is_certain else Confidence.MEDIUM,
                impact=Impact.HIGH,
                related=(where, *nodes.chain_places(around), run.place),
                hot=Hot.PER_EPOCH,
            )
            return


def _runs_in_graph(site: Spot) -> bool:
    """Tell whether the place is no eager code: there an iterator is a node, or is made once for many runs."""
    return site.region is not None and site.region.mode is not Mode.EAGER


def _builds_graph(site: Spot, around: Around) -> bool:
    regions = (site.region, site.project.regions.of(around.context))
    modes = [region.mode for region in regions if region is not None and region.mode is not Mode.EAGER]
    return modes[:1] == [Mode.GRAPH]


def _repeated(site: Spot, dataset: ast.expr) -> tuple[Around, Invariant] | None:
    """Return a loop that comes to the site again and again with the same dataset, and the proof of that."""
    for around in site.project.hotness.around(site.located):
        if nodes.runs_only_once(site, around):
            continue
        proof = site.project.passes.same_dataset(dataset, site.scope, around)
        if proof is not None:
            return around, proof
    return None


def _is_step(site: Spot, around: Around) -> bool:
    within = around.chain[0].call.node if around.chain else site.node
    return site.project.passes.is_step(around, within)


def _impact(site: Spot, around: Around) -> Impact:
    """A start of the pipeline for each step is dear; one for each epoch, or now and then, is not."""
    is_rare = Guard.SOMETIMES in site.project.hotness.guards(around, site.located)
    return Impact.LOW if is_rare or not _is_step(site, around) else Impact.MEDIUM


def _is_tiny(dataset: ast.expr, site: Spot) -> bool:
    """Tell whether the dataset surely holds next to nothing, by a step before its last one."""
    return all(
        any(pipeline.is_small(step, site) for step in path if step.short != "take" or step is not path[-1])
        for value in site.project.inference.values(dataset, site.scope)
        if isinstance(value, Pipeline)
        for path in value.step.paths()
    )


def _is_part_of_source(site: Site) -> bool:
    """Tell whether the call is an argument of another source in the same statement: that one is reported."""
    parents = site.module.parents(site.located.statement)
    node = parents.get(site.node)
    while node is not None and not isinstance(node, ast.stmt):
        if isinstance(node, ast.Call) and _is_source(node, site):
            return True
        node = parents.get(node)
    return False


def _is_source(node: ast.Call, site: Spot) -> bool:
    return is_dataset_source(site.project.inference.api(node.func, site.scope) or "")
