"""TF207: a pipeline calls back into Python for each element."""

from __future__ import annotations

from collections.abc import Iterator

from deepperf.facts.project.regions import Mode
from deepperf.facts.scopes import CallSite
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
from deepperf.rules.tensorflow import equivalents, pipeline
from deepperf.rules.tensorflow.equivalents import PythonBody


class PyFunctionInPipeline(Rule):
    """A pipeline calls back into Python for each element.

    ## Why it is slow
    `py_function`, `numpy_function` and `py_func` run ordinary Python. Only one thread at a time can run Python code, so the calls
    wait for each other however many of them `map` starts, and for the training loop too. TensorFlow cannot optimise what is
    inside, and will not run such a map in parallel by itself.

    ## What to do
    Write the function with TensorFlow operations where they exist: `tf.io.decode_image`, `tf.image.resize`, `tf.cast` and so on.
    Where they do not, do the work once and store its results, in TFRecord files or behind `cache`.

    ## When it is fine
    What is called has no equivalent in TensorFlow. The results are cached. There are only a few elements.
    """

    code, slug = "TF207", "py-function-in-pipeline"
    impact = Impact.MEDIUM
    effort = Effort.MEDIUM
    root_cause = "not-using-efficient-api"
    symptoms = ("slow-execution-time", "abnormal-cpu-utilization")
    stages = ("data-preparation", "training")
    frameworks = {"tensorflow": ">=1.4"}
    evidence = (
        "https://www.tensorflow.org/guide/data#applying_arbitrary_python_logic",
        "https://www.tensorflow.org/api_docs/python/tf/numpy_function",
        "https://github.com/tensorflow/tensorflow/issues/14448",
        "benches/rules/tf207.py",
    )
    since = "0.1"
    cost = Cost(
        "The calls run one after the other, on one CPU core.",
        None,
        "benches/rules/tf207.py",
    )

    examples = (
        Bad(
            """
            import cv2
            import numpy as np
            import tensorflow as tf

            def load(path):
                image = cv2.imread(path.decode())
                return cv2.resize(image, (224, 224)).astype(np.float32) / 255.0

            def images(paths):
                ds = tf.data.Dataset.from_tensor_slices(paths)
                return ds.map(lambda path: tf.numpy_function(load, [path], tf.float32))  # <- TF207
            """
        ),
        Bad(
            """
            import numpy as np
            import tensorflow as tf

            def standardise(x):
                return (x - np.mean(x)) / np.std(x)

            def _standardise(x):
                return tf.numpy_function(standardise, [x], tf.float32)  # <- TF207

            def training_data(files):
                ds = tf.data.TFRecordDataset(files).map(lambda r: tf.io.parse_tensor(r, tf.float32))
                return ds.map(_standardise, num_parallel_calls=tf.data.AUTOTUNE).batch(64)
            """
        ),
        Good(
            """
            import tensorflow as tf

            def load(path):
                image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
                return tf.image.resize(image, (224, 224)) / 255.0

            def images(paths):
                return tf.data.Dataset.from_tensor_slices(paths).map(load)
            """,
            why="TensorFlow operations run outside of Python",
        ),
        Good(
            """
            import pydicom
            import tensorflow as tf

            def load(path):
                return pydicom.dcmread(path.decode()).pixel_array.astype("float32")

            def images(paths):
                ds = tf.data.Dataset.from_tensor_slices(paths)
                return ds.map(lambda path: tf.numpy_function(load, [path], tf.float32))
            """,
            why="TensorFlow reads no such files",
        ),
    )

    @call("tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.py_func")
    def called_for_each_element(self, site: Site) -> Iterator[Finding]:
        """Report a call back into Python in the function of a dataset transformation, or in a traced function.

        Where it is not known that TensorFlow can do the same, that is a remark on pipelines only.
        """
        function = site.argument("func")
        if function is None or site.region is None or site.region.mode not in (Mode.DATASET, Mode.TRACED):
            return
        around = site.project.callbacks.around(site.located)
        if around and all(_has_few_elements(taker, site) for taker in around):
            return
        body = equivalents.of(function, site)
        is_paid_once = any(_is_cached(taker, site) for taker in around)
        is_known = body.complete and bool(body.twins)
        if not around and not is_known:
            return
        because = (*site.region.because, *_operations(body)) or (site.place("it is called here"),)
        yield self.found(
            site,
            _message(site, body, is_known, in_pipeline=bool(around)),
            advice=_advice(body) if is_known else _OUTSIDE,
            because=because,
            confidence=Confidence.HIGH if around else Confidence.MEDIUM,
            impact=Impact.LOW if is_paid_once or not is_known else Impact.HIGH if body.slow else None,
            related=tuple(
                taker.module.source.place(taker.node.func, "called for each element") for taker in around[:1]
            ),
            hot=Hot.PER_EXAMPLE if around else Hot.PER_BATCH,
        )


_OUTSIDE = (
    "Use TensorFlow operations where they exist. Do the rest once, before training, and store the results in TFRecord files "
    "or behind cache()."
)


def _message(site: Site, body: PythonBody, is_known: bool, *, in_pipeline: bool) -> str:
    where = "for each element of the pipeline" if in_pipeline else "each time the traced function runs"
    if not is_known:
        return f"`{site.spelled}` runs Python code {where}, one call at a time"
    if all(twin == _SAME for _, twin, _ in body.twins):
        return (
            f"`{site.spelled}` goes through Python {where}, and all it does there are TensorFlow operations"
        )
    return f"`{site.spelled}` runs Python code {where}, and TensorFlow has operations for all it does"


_SAME = "the same"


def _advice(body: PythonBody) -> str:
    pairs = list(dict.fromkeys(f"{name} becomes {twin}" for name, twin, _ in body.twins if twin != _SAME))
    if not pairs:
        return "Call the function directly, without a detour through Python."
    more = " and so on" if len(pairs) > 5 else ""
    check = " Results of decoding and resizing may differ a little." if body.slow else ""
    return f"Write the function with TensorFlow operations: {', '.join(pairs[:5])}{more}.{check}"


def _operations(body: PythonBody) -> tuple[Place, ...]:
    known = [
        place.note(f"{name} is {twin} in TensorFlow") for name, twin, place in body.twins if twin != _SAME
    ]
    return tuple(known[:3])


def _has_few_elements(taker: CallSite, site: Site) -> bool:
    return pipeline.has_few_elements(Site(taker, site.project, None))


def _is_cached(taker: CallSite, site: Site) -> bool:
    """Tell whether a cache keeps what a transformation gives, so that the work is done once."""
    return any(step.short == "cache" for step in pipeline.later_steps(Site(taker, site.project, None)))
