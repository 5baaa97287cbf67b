"""KR102: a model is compiled again in the loop that trains or runs it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.project.hotness import Around
from deepperf.facts.project.models import PREDICTING, TRAINING
from deepperf.facts.scopes import CallSite
from deepperf.facts.values import Const
from deepperf.rules.api import Bad, Confidence, Cost, Effort, Finding, Good, Hot, Impact, Rule, Site, method
from deepperf.rules.keras import passes

_STEPS = frozenset({"train_on_batch", "test_on_batch", "predict_on_batch"})


class CompileInLoop(Rule):
    """A Keras model is compiled again on each pass of the loop that trains or runs it.

    ## Why it is slow
    `compile` throws away the traced functions for training, testing and prediction: the next step traces them anew, which takes
    far longer than a step. A new optimizer also starts without what it had learned about the gradients.

    ## What to do
    Compile once, before the loop. Change the learning rate with `model.optimizer.learning_rate.assign(rate)` or with a callback.
    For a GAN build two models over the same layers, set `trainable` before each is compiled, and compile each of them once.

    ## When it is fine
    The model is new on each pass. The loop has a few stages, as in fine-tuning. It compiles at certain epochs only.
    """

    code, slug = "KR102", "compile-in-loop"
    impact = Impact.HIGH
    effort = Effort.MEDIUM
    root_cause = "confusion-with-computation-graph"
    symptoms = ("slow-execution-time", "increasing-time-over-time", "memory-leak")
    stages = ("training",)
    frameworks = {"keras": ">=2.0", "tensorflow": ">=1.4"}
    evidence = (
        "https://stackoverflow.com/questions/54052953",
        "https://keras.io/api/models/model_training_apis/#compile-method",
        "benches/rules/kr102.py",
    )
    since = "0.1"
    cost = Cost(
        "The first step after each compile traces the model anew, which takes far longer than the step.",
        None,
        "benches/rules/kr102.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def train(generator, batches):
                critic = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])
                for real, noise in batches:
                    critic.compile(optimizer="adam", loss="binary_crossentropy")  # <- KR102
                    critic.train_on_batch(real, 1)
                    critic.train_on_batch(generator(noise), 0)
            """
        ),
        Good(
            """
            import tensorflow as tf

            def train(generator, batches):
                critic = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])
                critic.compile(optimizer="adam", loss="binary_crossentropy")
                for real, noise in batches:
                    critic.train_on_batch(real, 1)
                    critic.train_on_batch(generator(noise), 0)
            """,
            why="compiled once, before the loop",
        ),
        Good(
            """
            import tensorflow as tf

            def search(candidates, x, y):
                for units in candidates:
                    model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])
                    model.compile(optimizer="adam", loss="mse")
                    model.fit(x, y)
            """,
            why="each pass has a new model, which must be compiled",
        ),
    )

    @method("compile", on="keras-model")
    def compiled(self, site: Site) -> Iterator[Finding]:
        """Report a model that is compiled in a loop in which it was not made, and which runs it."""
        models = site.project.models.called(site.call)
        if not models:
            return
        for around in passes.repeating(site):
            calls = site.project.models.calls_in(around)
            if any(site.project.models.is_made_by(model, calls) for model in models):
                return
            runs = (site.project.models.runs(model, calls, TRAINING | PREDICTING) for model in models)
            used = [run for found in runs for run in found]
            if used:
                yield self._finding(site, around, used)
                return

    def _finding(self, site: Site, around: Around, used: list[CallSite]) -> Finding:
        loop = around.loop.place("the loop")
        run = used[0].module.source.place(used[0].node, "the model is run here")
        is_certain = around.is_certain and not passes.is_conditional(site, around)
        return self.found(
            site,
            f"`{site.spelled}` compiles the model again on each pass of the loop on {site.line_of(loop)}, "
            f"which also runs it ({site.line_of(run)})",
            advice="Compile it once, before the loop. Change the learning rate with "
            "model.optimizer.learning_rate.assign(rate). An optimizer that is made once keeps its state from pass to pass.",
            because=(loop, run),
            confidence=Confidence.HIGH if is_certain else Confidence.LOW,
            impact=self._impact(site, used),
            related=(loop, *passes.chain_places(around), run),
            hot=Hot.UNKNOWN,
        )

    @staticmethod
    def _impact(site: Site, used: list[CallSite]) -> Impact:
        """Tracing anew weighs much against single steps, less against a run over the data, little against many epochs."""
        if any(call.method_name in _STEPS for call in used):
            return Impact.HIGH
        epochs = [
            passes.given(call.node, "epochs") for call in used if call.method_name in ("fit", "fit_generator")
        ]
        is_long = any(value is not None and not _is_one(value, site) for value in epochs)
        return Impact.LOW if is_long else Impact.MEDIUM


def _is_one(node: ast.expr, site: Site) -> bool:
    value = site.project.inference.one(node, site.scope)
    return isinstance(value, Const) and value.value == 1
