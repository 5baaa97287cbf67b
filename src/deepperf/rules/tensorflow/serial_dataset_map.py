"""TF202: a dataset's map runs its function on one element at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.project.mapped import Mapped
from deepperf.knowledge import lookup
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Fix,
    Good,
    Hot,
    Impact,
    Place,
    Rule,
    Safety,
    Site,
    method,
    since,
)
from deepperf.rules.tensorflow import autotune, pipeline


class SerialDatasetMap(Rule):
    """`Dataset.map` runs its function on one element at a time.

    ## Why it is slow
    Without `num_parallel_calls`, `map` works on one element, then on the next, on one CPU core. The training step waits
    while the other cores idle. From TensorFlow 2.6 the runtime runs *stateless* functions in parallel by itself, so there
    only stateful ones matter: random ops, `py_function` and `numpy_function`, lookup tables, variables.

    ## What to do
    Pass `num_parallel_calls=tf.data.AUTOTUNE` (`tf.data.experimental.AUTOTUNE` before 2.35, a number before 1.13). The
    elements keep their order unless you also pass `deterministic=False`.

    ## When it is fine
    The function does next to nothing, there are only a few elements, the target is TensorFlow 2.6 or newer and the function
    is stateless, or the function must see the elements one after the other: it counts, collects or prints. Debug mode and
    `enable_op_determinism` keep such functions serial whatever the call says.
    """

    code, slug = "TF202", "serial-dataset-map"
    impact = Impact.MEDIUM
    root_cause = "inefficient-api-usage"
    symptoms = ("slow-execution-time", "abnormal-cpu-utilization", "abnormal-gpu-utilization")
    stages = ("data-preparation",)
    frameworks = {"tensorflow": ">=1.4"}
    evidence = (
        "https://www.tensorflow.org/guide/data_performance#parallelizing_data_transformation",
        "https://github.com/keras-team/keras/pull/15295",
        "benches/rules/tf202.py",
    )
    since = "0.1"
    yields_to = ("TF201",)
    cost = Cost(
        "One CPU core works while the others wait. Measured: 500 elements that take 4 ms each took 2.4 times as long "
        "(2 CPU cores, TensorFlow 2.21); a function that keeps all cores busy by itself gains nothing.",
        2.35,
        "benches/rules/tf202.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def augment(image, label):
                image = tf.image.random_flip_left_right(image)
                return tf.image.random_brightness(image, 0.2), label

            def training_data(images, labels):
                ds = tf.data.Dataset.from_tensor_slices((images, labels))
                ds = ds.shuffle(1000)
                ds = ds.map(augment)  # <- TF202
                return ds.batch(32)
            """,
            fixed="""
            import tensorflow as tf

            def augment(image, label):
                image = tf.image.random_flip_left_right(image)
                return tf.image.random_brightness(image, 0.2), label

            def training_data(images, labels):
                ds = tf.data.Dataset.from_tensor_slices((images, labels))
                ds = ds.shuffle(1000)
                ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)  # <- TF202
                return ds.batch(32)
            """,
        ),
        Bad(
            """
            import tensorflow as tf

            def read_image(path):
                return tf.image.decode_jpeg(tf.io.read_file(path), channels=3)

            files = tf.data.Dataset.list_files("photos/*.jpg")
            images = files.map(read_image).prefetch(1)  # <- TF202
            """,
            fixed="""
            import tensorflow as tf

            def read_image(path):
                return tf.image.decode_jpeg(tf.io.read_file(path), channels=3)

            files = tf.data.Dataset.list_files("photos/*.jpg")
            images = files.map(read_image, num_parallel_calls=tf.data.experimental.AUTOTUNE).prefetch(1)  # <- TF202
            """,
            options=("--target", "tensorflow=2.3"),
        ),
        Good(
            """
            import tensorflow as tf

            def read_image(path):
                return tf.image.decode_jpeg(tf.io.read_file(path), channels=3)

            images = tf.data.Dataset.list_files("photos/*.jpg").map(read_image)
            """,
            why="from TensorFlow 2.6 a stateless function runs in parallel by itself",
        ),
        Good(
            """
            import tensorflow as tf

            def training_data(records):
                ds = tf.data.Dataset.from_tensor_slices(records)
                return ds.map(lambda record: (record["image"], record["label"]))
            """,
            why="the function only picks parts of its element",
            options=("--target", "tensorflow=2.4"),
        ),
    )

    @method("map", "map_with_legacy_function", on="dataset")
    def without_parallel_calls(self, site: Site) -> Iterator[Finding]:
        """Report a map whose function does work that TensorFlow will not run in parallel by itself."""
        calls = site.argument("num_parallel_calls")
        function = site.argument("map_func")
        if function is None or site.has_unpacking or (calls is not None and not _is_none(calls)):
            return
        if pipeline.has_few_elements(site) or pipeline.is_nested_in_parallel(site):
            return
        mapped = site.project.mapped.of(function, site.scope)
        if any(
            m.is_trivial or m.returns_dataset or m.writes_state or m.only_reports for m in mapped
        ) or pipeline.is_in_debug_mode(site):
            return
        judged = self._judge(site, mapped)
        if judged is None:
            return
        confidence, why, because = judged
        yield self.found(
            site,
            f"`{site.spelled}` runs {_named(function)} on one element at a time{why}",
            advice=self._advice(site),
            because=because or (site.place("this map has no num_parallel_calls"),),
            confidence=confidence,
            impact=_impact(mapped),
            related=tuple(m.scope.module.source.place(m.node, "the mapped function") for m in mapped[:1])
            if not isinstance(function, ast.Lambda)
            else (),
            hot=Hot.PER_EXAMPLE,
            fix=self._fix(site, mapped),
        )

    @staticmethod
    def _judge(site: Site, mapped: tuple[Mapped, ...]) -> tuple[Confidence, str, tuple[Place, ...]] | None:
        """Return how sure it is that the map is serial, why, and the evidence; None if it is not, or unknown."""
        automatic = since("tensorflow.automatic-map-parallelism")
        versions = site.range("tensorflow")
        stateful = [operation for m in mapped for operation in m.stateful]
        if stateful and pipeline.is_made_deterministic(site):
            return None
        if stateful:
            first = stateful[0]
            place = site.project.mapped.place(first, f"{first.name} is stateful")
            word = f", and TensorFlow will not change that by itself: `{first.name}` keeps state"
            return Confidence.HIGH, word if versions.may(f">={automatic}") else "", (place,)
        serial = pipeline.is_serial_by_option(site)
        if not versions.may(f"<{automatic}") and not serial:
            return None
        costly = [operation for m in mapped for operation in m.costly]
        places = tuple(site.project.mapped.place(o, f"{o.name} does work") for o in costly[:3])
        if not versions.holds(f"<{automatic}") and not serial:
            return Confidence.LOW, f" before TensorFlow {automatic}", places
        known = bool(mapped) and (costly or not any(m.unknown for m in mapped))
        return Confidence.HIGH if known else Confidence.MEDIUM, "", places

    @staticmethod
    def _advice(site: Site) -> str:
        spelled = autotune.spelling(site)
        if spelled is None:
            return "Pass num_parallel_calls with the number of CPU cores. The elements keep their order."
        return f"Pass num_parallel_calls={spelled[0]}. The elements keep their order."

    @staticmethod
    def _fix(site: Site, mapped: tuple[Mapped, ...]) -> Fix | None:
        edits, imports = autotune.parallel_calls(site)
        if not edits:
            return None
        stateless = bool(mapped) and all(m.resolved and not m.stateful for m in mapped)
        ordered = not pipeline.may_be_unordered(site)
        if stateless and ordered:
            safety, reason = (
                Safety.SAFE,
                "The function keeps no state, and map keeps the order of the elements.",
            )
        elif not stateless:
            safety = Safety.UNSAFE
            reason = (
                "The function may keep state: the order in which it sees the elements is no longer fixed."
            )
        else:
            safety, reason = (
                Safety.UNSAFE,
                "The elements may come in another order where deterministic is not set to True.",
            )
        return Fix("Run the map in parallel", edits, safety, reason, imports=imports)


def _impact(mapped: tuple[Mapped, ...]) -> Impact:
    """Return how much the map costs, by what its function does."""
    if mapped and all(m.holds_interpreter for m in mapped):
        return Impact.LOW
    if mapped and all(m.resolved and all("cheap" in lookup(o.name).traits for o in m.costly) for m in mapped):
        return Impact.LOW
    heavy = any(
        "heavy" in lookup(o.name).traits or "reads-file" in lookup(o.name).effects
        for m in mapped
        for o in m.costly
    )
    return Impact.HIGH if heavy else Impact.MEDIUM


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _named(function: ast.expr) -> str:
    if isinstance(function, ast.Lambda):
        return "its lambda"
    text = ast.unparse(function)
    return f"`{text}`" if len(text) <= 40 else "its function"
