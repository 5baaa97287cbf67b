"""TF201: a cheap map runs on each element although it would do for whole batches."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.pipelines import Step
from deepperf.facts.project.symbols import Batchable
from deepperf.knowledge import dataset_method
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Edit,
    Effort,
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
)
from deepperf.rules.tensorflow import pipeline, uses


class MapBeforeBatch(Rule):
    """A cheap `map` runs on single elements before `batch`, though its function would do for a whole batch.

    ## Why it is slow
    Each call of a mapped function costs some microseconds before it does anything. For a function that only casts or scales,
    that is most of the time. On a batch the price is paid once for all its elements.

    ## What to do
    Put `batch` before `map`. The function then gets a batch: one more axis in front. Element by element operations stay as they
    are; `parse_single_example` becomes `parse_example`.

    ## When it is fine
    The function needs one element: it decodes or reads a file, draws random numbers, depends on the shape, indexes the first
    axis. The elements have different shapes, or are also used one at a time. A `cache` between the two keeps what the function
    gives. The function is so heavy that the call costs nothing beside it.
    """

    code, slug = "TF201", "map-before-batch"
    impact = Impact.MEDIUM
    effort = Effort.LOW
    root_cause = "inefficient-api-usage"
    symptoms = ("slow-execution-time", "abnormal-cpu-utilization", "abnormal-gpu-utilization")
    stages = ("data-preparation",)
    frameworks = {"tensorflow": ">=1.4"}
    evidence = (
        "https://www.tensorflow.org/guide/data_performance#vectorizing_mapping",
        "benches/rules/tf201.py",
    )
    since = "0.1"
    cost = Cost(
        "Each element pays for a call of the function; a batch would pay once. Measured: parsing single "
        "records took 14 times as long as parsing batches of 256 (2 CPU cores, TensorFlow 2.21).",
        14.08,
        "benches/rules/tf201.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def scale(image, label):
                return tf.cast(image, tf.float32) / 255.0, label

            def training_data(images, labels):
                ds = tf.data.Dataset.from_tensor_slices((images, labels))
                ds = ds.shuffle(10000)
                ds = ds.map(scale)  # <- TF201
                return ds.batch(128)
            """,
        ),
        Bad(
            """
            import tensorflow as tf

            FEATURES = {"x": tf.io.FixedLenFeature([8], tf.float32)}

            def parse(record):
                return tf.io.parse_single_example(record, FEATURES)

            ds = tf.data.TFRecordDataset("clicks.tfrecord").map(parse).batch(512)  # <- TF201
            """,
        ),
        Good(
            """
            import tensorflow as tf

            def augment(image, label):
                return tf.image.random_flip_left_right(image) / 255.0, label

            def training_data(images, labels):
                return tf.data.Dataset.from_tensor_slices((images, labels)).map(augment).batch(128)
            """,
            why="on a batch all images would share one random draw",
        ),
        Good(
            """
            import tensorflow as tf

            def training_data(images, labels):
                ds = tf.data.Dataset.from_tensor_slices((images, labels)).batch(128)
                return ds.map(lambda image, label: (image / 255.0, label))
            """,
            why="the map already works on batches",
        ),
    )

    @method("map", "map_with_legacy_function", on="dataset")
    def before_batch(self, site: Site) -> Iterator[Finding]:
        """Report a map that a later batch could precede, nothing but order-neutral steps between them."""
        function = site.argument("map_func")
        if function is None or pipeline.has_few_elements(site):
            return
        batch = self._batch_after(site)
        if batch is None or self._is_batched_before(site):
            return
        proof = pipeline.maps_batches(site.node, site.scope, site)
        if proof is None or not proof.does_work:
            return
        if (proof.evens and not pipeline.has_equal_shapes(site)) or uses.are_used_singly(site):
            return
        yield self.found(
            site,
            f"`{site.spelled}` runs {_named(function)} on single elements, and `batch` comes after it",
            advice=self._advice(proof),
            because=self._because(proof),
            confidence=Confidence.HIGH,
            related=(*pipeline.start(site), self._place(batch, "batched only here")),
            hot=Hot.PER_EXAMPLE,
            fix=self._fix(site, batch, proof),
        )

    @staticmethod
    def _batch_after(site: Site) -> Step | None:
        """Return the batch that all data of this map reaches with nothing but neutral steps and further maps between."""
        later = pipeline.later_steps(site)
        if any(step.short == "take" and pipeline.is_small(step, site) for step in later):
            return None
        for step in later:
            if step.short != "batch" or pipeline.batches_of_one(step, site):
                continue
            if all(
                _leads_straight(path, site) for path in step.paths() if any(s.call is site.node for s in path)
            ):
                return step
        return None

    @staticmethod
    def _is_batched_before(site: Site) -> bool:
        return any(
            pipeline.gives_batches(step, site)
            for known in site.steps
            for path in known.paths()
            for step in path
            if step.call is not site.node
        )

    @staticmethod
    def _because(proof: Batchable) -> tuple[Place, ...]:
        done = [place.note(f"{name} works on a batch as it is") for name, place in proof.operations]
        return (
            *(place.note(f"{name} has the twin {twin} for batches") for name, twin, place in proof.twins),
            *done,
        )[:4]

    @staticmethod
    def _advice(proof: Batchable) -> str:
        if proof.twins:
            changes = ", ".join(sorted({f"{name} becomes {twin}" for name, twin, _ in proof.twins}))
            return f"Put this map after batch. The function then gets a batch of records: {changes}; the rest stays as it is."
        return (
            "Put this map after batch. The function stays as it is: every operation in it works on a batch as on one element, "
            "with one more axis in front."
        )

    @staticmethod
    def _place(step: Step, message: str) -> Place:
        return step.scope.module.source.place(
            step.call.func if isinstance(step.call, ast.Call) else step.call, message
        )

    @staticmethod
    def _fix(site: Site, batch: Step, proof: Batchable) -> Fix | None:
        """Swap `.map(f).batch(n)` where the two stand next to each other and the function needs no change."""
        outer = batch.call
        if proof.twins or not isinstance(outer, ast.Call) or not isinstance(outer.func, ast.Attribute):
            return None
        if outer.func.value is not site.node or batch.scope is not site.scope:
            return None
        source = site.source
        inner_end = source.bounds(site.node)[1]
        receiver_end = source.bounds(site.node.func.value)[1]  # type: ignore[attr-defined]
        outer_end = source.bounds(outer)[1]
        # Line breaks and parentheses stay where they are: only what follows each dot changes places.
        before_map, _, map_text = source.text[receiver_end:inner_end].partition(".")
        before_batch, _, batch_text = source.text[inner_end:outer_end].partition(".")
        if "#" in source.text[receiver_end:outer_end]:
            return None
        edit = Edit(receiver_end, outer_end, f"{before_map}.{batch_text}{before_batch}.{map_text}")
        return Fix(
            "Batch first, then map",
            (edit,),
            Safety.UNSAFE,
            "The function gets whole batches: its operations allow that, code that relies on the shape inside it would not.",
        )


def _leads_straight(path: tuple[Step, ...], site: Site) -> bool:
    """Tell whether only neutral steps and maps stand between the site and the end of the path."""
    place = next(index for index, step in enumerate(path) if step.call is site.node)
    for step in path[place + 1 : -1]:
        method_of_step = dataset_method(step.short)
        if step.short == "map":
            if not isinstance(step.call, ast.Call) or not pipeline.maps_batches(step.call, step.scope, site):
                return False
        # A cache keeps the results of the function: behind it, they would be computed in every epoch.
        elif step.short == "cache" or method_of_step is None or not method_of_step.order_neutral:
            return False
    return True


def _named(function: ast.expr) -> str:
    return "its lambda" if isinstance(function, ast.Lambda) else f"`{ast.unparse(function)}`"
