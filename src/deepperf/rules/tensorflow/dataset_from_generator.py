"""TF208: the elements of a dataset come one by one out of a Python generator."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.project.regions import Mode
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
)
from deepperf.rules.tensorflow import generators, pipeline


class DatasetFromGenerator(Rule):
    """The elements of a dataset come one by one out of a Python generator, and need not.

    ## Why it is slow
    `from_generator` calls back into Python for each element. One thread does all the work of the generator, however many CPU
    cores there are, and each element is copied and checked on its way. A generator that uses tf.data itself may also use more
    and more memory.

    ## What to do
    Arrays in memory: `from_tensor_slices`. Files: make a dataset of their names, and read them in
    `map(read, num_parallel_calls=tf.data.AUTOTUNE)`. Datasets: combine them with `interleave`, `zip` or `flat_map`.

    ## When it is fine
    The generator gives whole batches, or what no TensorFlow operation can give: a simulation, a database. The data is cached. The
    arrays do not fit in memory.
    """

    code, slug = "TF208", "dataset-from-generator"
    impact = Impact.MEDIUM
    effort = Effort.MEDIUM
    root_cause = "not-using-efficient-api"
    symptoms = ("slow-execution-time", "abnormal-cpu-utilization", "abnormal-gpu-utilization")
    stages = ("data-preparation",)
    frameworks = {"tensorflow": ">=1.4"}
    evidence = (
        "https://www.tensorflow.org/api_docs/python/tf/data/Dataset#from_generator",
        "https://github.com/tensorflow/tensorflow/issues/13101",
        "benches/rules/tf208.py",
    )
    since = "0.1"
    cost = Cost("Python hands over the elements one after the other.", None, "benches/rules/tf208.py")

    examples = (
        Bad(
            """
            import numpy as np
            import tensorflow as tf

            features = np.load("features.npy")
            labels = np.load("labels.npy")

            def rows():
                for row, label in zip(features, labels):
                    yield row, label

            data = tf.data.Dataset.from_generator(rows, (tf.float32, tf.int64)).batch(64)  # <- TF208
            """
        ),
        Bad(
            """
            import cv2
            import tensorflow as tf

            def training_data(paths):
                def images():
                    for path in paths:
                        yield cv2.resize(cv2.imread(path), (224, 224))

                return tf.data.Dataset.from_generator(images, tf.uint8).batch(32)  # <- TF208
            """
        ),
        Good(
            """
            import numpy as np
            import tensorflow as tf

            features = np.load("features.npy")
            labels = np.load("labels.npy")
            data = tf.data.Dataset.from_tensor_slices((features, labels)).batch(64)
            """,
            why="the rows do not go through Python",
        ),
        Good(
            """
            import tensorflow as tf

            def training_data(simulation):
                def states():
                    while True:
                        yield simulation.step()

                return tf.data.Dataset.from_generator(states, tf.float32).batch(32)
            """,
            why="the elements cannot be had otherwise",
        ),
    )

    @call("tensorflow.data.Dataset.from_generator")
    def generated(self, site: Site) -> Iterator[Finding]:
        """Report a generator by what it does."""
        generator = site.argument("generator")
        if generator is None or (site.region is not None and site.region.mode is Mode.DATASET):
            return
        later = pipeline.later_steps(site)
        if any(step.short == "cache" for step in later) or any(
            pipeline.is_small(step, site) for step in later
        ):
            return
        rows = generators.rows(generator, site)
        made = generators.dataset_call(generator, site)
        read = generators.file_read(generator, site)
        if rows is not None and generators.are_arrays(rows, site):
            yield self._of_rows(site, rows)
        elif made is not None:
            yield self._of_datasets(site, made)
        elif read is not None and any(
            step.short.endswith("batch") and not pipeline.batches_of_one(step, site) for step in later
        ):
            yield self._of_files(site, *read)

    def _of_rows(self, site: Site, rows: generators.Rows) -> Finding:
        names = ", ".join(dict.fromkeys(ast.unparse(array) for array in rows.arrays))
        given = names if "," not in names else f"({names})"
        return self.found(
            site,
            f"`from_generator` takes the rows of {names} one by one through Python",
            advice=f"Use tf.data.Dataset.from_tensor_slices({given}).",
            because=tuple(
                rows.scope.module.source.place(array, "taken row by row") for array in rows.arrays[:3]
            ),
            confidence=Confidence.HIGH,
            hot=Hot.PER_EXAMPLE,
        )

    def _of_datasets(self, site: Site, made: Place) -> Finding:
        return self.found(
            site,
            f"the generator of `from_generator` uses tf.data itself ({site.line_of(made)}): memory may grow with each run of it",
            advice="Combine the datasets without a generator: interleave, flat_map, zip or sample_from_datasets.",
            because=(made,),
            related=(made,),
            hot=Hot.PER_EXAMPLE,
        )

    def _of_files(self, site: Site, name: str, place: Place) -> Finding:
        return self.found(
            site,
            f"`from_generator` reads one file after the other in Python: `{name}` ({site.line_of(place)})",
            advice="Let the dataset hold file names only, and read them in map with num_parallel_calls: by TensorFlow "
            "operations, or by tf.numpy_function where there are none.",
            because=(place,),
            confidence=Confidence.HIGH,
            related=(place,),
            hot=Hot.PER_EXAMPLE,
        )
