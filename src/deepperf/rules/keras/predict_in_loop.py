"""KR103: predict or evaluate is called for one item at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import LoopKind
from deepperf.facts.project.hotness import Around
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Effort,
    Finding,
    Good,
    Hot,
    Impact,
    Place,
    Rule,
    Site,
    method,
)
from deepperf.rules.keras import passes
from deepperf.rules.keras.dependence import feeds_itself


class PredictInLoop(Rule):
    """`predict` or `evaluate` is called for one item on each pass of a loop.

    ## Why it is slow
    Each call of `predict` sets up a data pipeline, callbacks and a progress bar, and only then runs the model. It is made for
    many items at once; for one item the set-up takes far longer than the model.

    ## What to do
    Collect the items and call `predict` once for all of them, or once for each large batch. Where an item depends on the result
    for the one before, call the model itself, `model(x, training=False)`, inside a `tf.function` if it is called often, or use
    `predict_on_batch`.

    ## When it is fine
    Each call gets a large batch or a dataset. There are a few items only. The receiver is no Keras model.
    """

    code, slug = "KR103", "predict-in-loop"
    impact = Impact.HIGH
    effort = Effort.MEDIUM
    root_cause = "not-using-batch-api"
    symptoms = ("slow-execution-time", "memory-leak", "increasing-time-over-time")
    stages = ("prediction", "evaluation", "training")
    frameworks = {"keras": ">=2.0", "tensorflow": ">=1.4"}
    evidence = (
        "https://keras.io/api/models/model_training_apis/#predict-method",
        "https://keras.io/getting_started/faq/",
        "https://github.com/tensorflow/tensorflow/issues/44711",
        "https://stackoverflow.com/questions/66441843",
        "https://stackoverflow.com/questions/55409283",
        "benches/rules/kr103.py",
    )
    since = "0.1"
    cost = Cost(
        "The set-up of each call takes far longer than the model needs for one item.",
        None,
        "benches/rules/kr103.py",
    )

    examples = (
        Bad(
            """
            import numpy as np
            import tensorflow as tf

            def label(images):
                model = tf.keras.models.load_model("classifier.keras")
                return [model.predict(np.expand_dims(image, 0)) for image in images]  # <- KR103
            """
        ),
        Bad(
            """
            import tensorflow as tf

            class Player:
                def __init__(self):
                    self.model = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(4)])

                def choose(self, state):
                    return self.model.predict(state.reshape(1, -1)).argmax()  # <- KR103

            def play(player, game):
                while not game.over:
                    game.step(player.choose(game.state))

            def main(game):
                play(Player(), game)
            """
        ),
        Good(
            """
            import numpy as np
            import tensorflow as tf

            def label(images):
                model = tf.keras.models.load_model("classifier.keras")
                return model.predict(np.stack(images))
            """,
            why="one call for all images",
        ),
        Good(
            """
            import tensorflow as tf

            def label(folders, read):
                model = tf.keras.models.load_model("classifier.keras")
                for folder in folders:
                    print(folder, model.predict(read(folder)))
            """,
            why="each call may well get many items",
        ),
    )

    @method("predict", "predict_classes", "predict_proba", "evaluate", on="keras-model")
    def predicted(self, site: Site) -> Iterator[Finding]:
        """Report a call for one item in a loop."""
        models = site.project.models.called(site.call)
        if not models:
            return
        batch = passes.given(site.node, "x")
        if batch is None:
            return
        for around in passes.repeating(site):
            item = site.project.singles.proof(batch, site.scope, around.chain)
            if item is None or passes.waits_for_a_person(site, around):
                continue
            calls = site.project.models.calls_in(around)
            if any(site.project.models.is_made_by(model, calls) for model in models):
                return
            # With the same item on each pass the loop measures how long a call takes.
            if around.chain or not passes.is_same_each_pass(batch, around.loop):
                yield self._finding(site, around, item)
            return

    def _finding(self, site: Site, around: Around, item: Place) -> Finding:
        loop = around.loop.place("the loop")
        return self.found(
            site,
            f"`{site.spelled}` is called for one item on each pass of the loop on {site.line_of(loop)}",
            advice=self._advice(site, around),
            because=(item, loop),
            confidence=Confidence.HIGH if around.is_certain else Confidence.MEDIUM,
            impact=self._impact(site, around),
            related=(loop, *passes.chain_places(around), item),
            hot=Hot.PER_EXAMPLE,
        )

    @staticmethod
    def _impact(site: Site, around: Around) -> Impact | None:
        if around.loop.kind is LoopKind.EPOCHS and not around.chain:
            return Impact.LOW
        return Impact.MEDIUM if passes.is_graph(site) or site.call.method_name == "evaluate" else None

    @staticmethod
    def _advice(site: Site, around: Around) -> str:
        if site.call.method_name == "evaluate":
            return "Collect the items and call evaluate once, or use test_on_batch."
        call = around.chain[0].call.node if around.chain else site.node
        if not isinstance(around.loop.node, ast.While) and not feeds_itself(call, around.loop):
            return f"Collect the items and call {site.call.method_name} once for all of them."
        if passes.is_graph(site):
            return "Use predict_on_batch, which has no set-up."
        return (
            "Call the model itself, model(x, training=False), inside a tf.function, or use predict_on_batch."
        )
