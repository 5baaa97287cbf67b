"""KR101: a model is built or loaded again on each pass of a loop."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from deepperf.facts.project.hotness import Around
from deepperf.facts.project.models import PREDICTING, TRAINING
from deepperf.facts.scopes import CallSite
from deepperf.facts.values import Value
from deepperf.knowledge import lookup, makers
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
    call,
    instance,
)
from deepperf.rules.keras import passes

_MAKERS = makers("model", "keras")
_LOADERS = frozenset(name for name in _MAKERS if "reads-file" in lookup(name).effects)
_RESETS = frozenset({"tensorflow.reset_default_graph", "keras.backend.clear_session", "tensorflow.Graph"})


class _Again(NamedTuple):
    """What runs a place again and again: in words, where, with the calls of one time; `around` is a loop of the project."""

    words: str
    place: Place
    calls: tuple[CallSite, ...]
    around: Around | None


class ModelBuiltInLoop(Rule):
    """A Keras model is built or loaded again on each pass of a loop.

    ## Why it is slow
    A new model has to be built, and its steps have to be traced, before it does any work. A model that was trained leaves memory
    behind: its traced functions stay, also after `del` and `clear_session()`. In a TensorFlow 1 graph the nodes of all earlier
    models stay too, and each pass is slower than the one before.

    ## What to do
    Load or build the model once, before the loop. To start a new trial with the same layers, put the first weights back:
    `model.set_weights(first_weights)`, and give the optimizer a fresh state. Where the layers differ, run each trial in a process
    of its own. In a TensorFlow 1 graph call `clear_session()` at the start of each pass.

    ## When it is fine
    There are a few passes, such as the folds of a cross-validation. The models are collected, as in an ensemble. The loop builds
    parts of one network.
    """

    code, slug = "KR101", "model-built-in-loop"
    impact = Impact.MEDIUM
    effort = Effort.MEDIUM
    root_cause = "confusion-with-computation-graph"
    symptoms = ("memory-leak", "increasing-time-over-time", "out-of-memory", "slow-execution-time")
    stages = ("hyper-parameter-tuning", "training", "prediction")
    frameworks = {"keras": ">=2.0", "tensorflow": ">=1.4"}
    evidence = (
        "https://github.com/tensorflow/tensorflow/issues/30324",
        "https://stackoverflow.com/questions/61596119",
        "https://stackoverflow.com/questions/57415851",
        "https://keras.io/api/utils/config_utils/",
        "benches/rules/kr101.py",
    )
    since = "0.1"
    cost = Cost(
        "Each pass builds and traces the model anew, and memory grows with each model that is trained.",
        None,
        "benches/rules/kr101.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def classify(paths, read):
                for path in paths:
                    model = tf.keras.models.load_model("classifier.keras")  # <- KR101
                    print(path, model.predict(read(path)))
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def build(units):
                model = tf.keras.Sequential([tf.keras.layers.Dense(units), tf.keras.layers.Dense(1)])  # <- KR101
                model.compile(optimizer="adam", loss="mse")
                return model

            def search(candidates, x, y):
                for units in candidates:
                    model = build(units)
                    model.fit(x, y, epochs=5)
            """
        ),
        Good(
            """
            import tensorflow as tf

            def classify(paths, read):
                model = tf.keras.models.load_model("classifier.keras")
                for path in paths:
                    print(path, model.predict(read(path)))
            """,
            why="the model is loaded once",
        ),
        Good(
            """
            import tensorflow as tf

            def ensemble(count, x, y):
                models = []
                for _ in range(count):
                    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                    model.compile(optimizer="adam", loss="mse")
                    model.fit(x, y)
                    models.append(model)
                return models
            """,
            why="all the models are wanted in the end",
        ),
    )

    @call(*sorted(_MAKERS))
    @instance(of="keras.Model")
    def built(self, site: Site) -> Iterator[Finding]:
        """Report a model that is made and used on each pass of a loop."""
        models = [
            v for v in site.project.inference.values(site.node, site.scope) if site.project.models.is_model(v)
        ]
        if len(models) != 1:
            return
        for around in passes.repeating(site):
            if self._is_collected(site, around):
                return
            calls = site.project.models.calls_in(around)
            place = around.loop.place("the loop")
            again = _Again(f"pass of the loop on {site.line_of(place)}", place, calls, around)
            finding = self._finding(site, models[0], again)
            if finding is not None:
                yield finding
                return
        yield from self._driven(site, models[0])

    def _driven(self, site: Site, model: Value) -> Iterator[Finding]:
        """Report a model that is made for each request or trial."""
        driver = site.project.drivers.of(site.function)
        if driver is None or passes.is_guarded(site):
            return
        again = _Again(driver.words, driver.place, site.project.models.calls_under(driver.function), None)
        finding = self._finding(site, model, again)
        if finding is not None:
            yield finding

    @staticmethod
    def _is_collected(site: Site, around: Around) -> bool:
        calls = [site.call, *(entry.call for entry in around.chain)]
        return around.loop.is_comprehension or any(
            passes.is_kept(found.node, found.scope, found.statement) for found in calls
        )

    def _finding(self, site: Site, model: Value, again: _Again) -> Finding | None:
        trained = site.project.models.runs(model, again.calls, TRAINING)
        used = trained or site.project.models.runs(model, again.calls, PREDICTING)
        graph = passes.is_graph(site)
        resets = any(
            site.project.inference.api(call.node.func, call.scope) in _RESETS for call in again.calls
        )
        is_loaded = site.name in _LOADERS
        same = is_loaded and self._is_same_each_time(site, again)
        if not used or (graph and resets) or not (same or trained or graph):
            return None
        use = used[0].module.source.place(used[0].node, "the model is used here")
        chain = passes.chain_places(again.around) if again.around is not None else ()
        is_certain = again.around is None or again.around.is_certain
        return self.found(
            site,
            f"`{site.spelled}` {'loads' if is_loaded else 'builds'} a Keras model again on each {again.words}",
            advice=self._advice(again, same, graph),
            because=(again.place, use),
            confidence=Confidence.HIGH if is_certain else Confidence.MEDIUM,
            impact=self._impact(same, graph, resets),
            related=(again.place, *chain, use),
            hot=Hot.PER_REQUEST if again.words == "request" else Hot.UNKNOWN,
        )

    @staticmethod
    def _is_same_each_time(site: Site, again: _Again) -> bool:
        arguments = [*site.node.args, *(keyword.value for keyword in site.node.keywords)]
        around = again.around
        if around is None:
            return all(passes.is_fixed(argument, site) for argument in arguments)
        invariance = site.project.invariance
        return all(
            invariance.of(argument, site.scope, around.loop, around.chain) is not None
            for argument in arguments
        )

    @staticmethod
    def _impact(same: bool, graph: bool, resets: bool) -> Impact:
        if resets and not same:
            return Impact.LOW
        return Impact.HIGH if same or graph else Impact.MEDIUM

    @staticmethod
    def _advice(again: _Again, same: bool, graph: bool) -> str:
        if again.around is None and same:
            return "Load the model once, when the program starts, and use it each time."
        if same:
            return "Load the model once, before the loop, and use it on each pass."
        if graph:
            return "Call clear_session() at the start of each pass, or build one model before the loop."
        return (
            "Build one model before the loop and put its first weights back with set_weights() for each trial. "
            "Where its layers differ from pass to pass, run each trial in a process of its own."
        )
