"""TF204: a pipeline that trains a model does not end with prefetch."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.project.consumers import Use
from deepperf.facts.scopes import Located
from deepperf.facts.syntax import argument, has_unpacking
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Edit,
    Finding,
    Fix,
    Good,
    Hot,
    Impact,
    Place,
    Rule,
    Safety,
    Site,
    Step,
    method,
    since,
)
from deepperf.rules.tensorflow import autotune, pipeline, training, workload

Path = tuple[Step, ...]
_PREFETCHES = frozenset("prefetch prefetch_to_device copy_to_device".split())
_BATCHES = frozenset("batch padded_batch ragged_batch map_and_batch bucket_by_sequence_length".split())


class MissingPrefetch(Rule):
    """A pipeline that trains a model does not end with `prefetch`.

    ## Why it is slow
    Without `prefetch` at its end the pipeline starts on a batch when the model asks for it: the model waits for the data, then
    the data waits for the model. From TensorFlow 2.11 the runtime adds the step by itself.

    ## What to do
    Append `.prefetch(tf.data.AUTOTUNE)` as the last step, after `batch`.

    ## When it is fine
    The target is TensorFlow 2.11 or newer. The pipeline does no work, or its results are cached in memory. The last step is a map
    that runs in parallel. A strategy or a caller adds the step.
    """

    code, slug = "TF204", "missing-prefetch"
    impact = Impact.MEDIUM
    root_cause = "inefficient-api-usage"
    symptoms = ("slow-execution-time", "abnormal-gpu-utilization")
    stages = ("data-preparation", "training")
    frameworks = {"tensorflow": ">=1.4"}
    evidence = (
        "https://www.tensorflow.org/guide/data_performance#prefetching",
        "https://www.tensorflow.org/api_docs/python/tf/data/experimental/OptimizationOptions",
        "https://stackoverflow.com/questions/48068013",
    )
    since = "0.1"
    cost = Cost(
        "A step takes the time of the data and the time of the model, one after the other.",
        None,
        "https://www.tensorflow.org/guide/data_performance#prefetching",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def decode(path):
                return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (224, 224))

            def train(paths):
                model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(1000)
                ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
                ds = ds.batch(32)  # <- TF204
                model.fit(ds, epochs=10)
            """,
            fixed="""
            import tensorflow as tf

            def decode(path):
                return tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path)), (224, 224))

            def train(paths):
                model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
                ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(1000)
                ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
                ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)  # <- TF204
                model.fit(ds, epochs=10)
            """,
            options=("--target", "tensorflow=2.6"),
        ),
        Bad(
            """
            import tensorflow as tf

            def input_fn(files, parse):
                ds = tf.data.TFRecordDataset(files).prefetch(1000)
                ds = ds.map(parse, num_parallel_calls=8)
                return ds.batch(128)  # <- TF204
            """,
            fixed="""
            import tensorflow as tf

            def input_fn(files, parse):
                ds = tf.data.TFRecordDataset(files).prefetch(1000)
                ds = ds.map(parse, num_parallel_calls=8)
                return ds.batch(128).prefetch(tf.data.experimental.AUTOTUNE)  # <- TF204
            """,
            options=("--target", "tensorflow=1.14"),
        ),
        Good(
            """
            import tensorflow as tf

            def train(model, paths, decode):
                ds = tf.data.Dataset.from_tensor_slices(paths).map(decode).batch(32)
                model.fit(ds, epochs=10)
            """,
            why="from TensorFlow 2.11 the runtime adds a prefetch",
        ),
        Good(
            """
            import tensorflow as tf

            def batches(files, parse):
                return tf.data.TFRecordDataset(files).map(parse).batch(32)

            def train(model, files, parse):
                model.fit(batches(files, parse).prefetch(1), epochs=10)
            """,
            why="the caller adds it",
            options=("--target", "tensorflow=2.3"),
        ),
    )

    @method("batch", "padded_batch", "ragged_batch", "apply", on="dataset")
    def last_batch(self, site: Site) -> Iterator[Finding]:
        """Report the last batch step of a pipeline that trains, if no way from it to the training has a prefetch."""
        sure = _is_needed(site)
        if sure is None or not any(step.short in _BATCHES for step in site.steps):
            return
        paths = [path for known in site.steps for path in known.paths()]
        if pipeline.has_few_elements(site) or not all(workload.does_work(path) for path in paths):
            return
        made = _made_by(site)
        uses = site.project.consumers.of(Located(made, site.located.context, site.located.statement))
        ends = [end for use in uses for path in use.paths() if (end := _after(path, site)) is not None]
        if any(_is_ahead(end) for end in ends) or any(training.may_add_steps(use, site) for use in uses):
            return
        trained = next((use for use in uses if training.trains(use, made, site)), None)
        if trained is not None:
            light = all(workload.is_light(path, site) for path in paths)
            yield self._finding(site, trained, sure, is_light=light, is_last=not any(ends))

    def _finding(self, site: Site, use: Use, sure: Confidence, *, is_light: bool, is_last: bool) -> Finding:
        place = use.located.module.source.place(use.located.node, "it is used here")
        early = _early_prefetch(site)
        note = (
            f"; the prefetch before it ({site.line_of(early)}) holds single elements"
            if early is not None
            else ""
        )
        return self.found(
            site,
            f"no prefetch follows this batch, and the pipeline feeds a model ({site.line_of(place)}){note}",
            advice=_advice(site),
            because=(place,),
            confidence=sure,
            impact=Impact.LOW if is_light else None,
            related=(place, *((early,) if early is not None else ())),
            hot=Hot.PER_BATCH,
            fix=_fix(site, is_last=is_last),
        )


def _made_by(site: Site) -> ast.expr:
    """Return the call that stands for the step: of `apply(map_and_batch(…))` the inner one."""
    calls = {step.call for step in site.steps}
    return next((argument for argument in site.node.args if argument in calls), site.node)


def _is_needed(site: Site) -> Confidence | None:
    """Return how sure it is that the runtime adds no prefetch by itself, None if it does."""
    automatic = since("tensorflow.automatic-prefetch")
    versions = site.range("tensorflow")
    if versions.holds(f"<{automatic}") or _is_switched_off(site):
        return Confidence.HIGH
    return Confidence.LOW if versions.may(f"<{automatic}") else None


def _is_switched_off(site: Site) -> bool:
    return any(
        isinstance(store.value, ast.Constant) and store.value.value is False
        for store in site.module.index.stores.get("inject_prefetch", ())
    )


def _after(path: Path, site: Site) -> Path | None:
    """Return the steps of a path behind the site, None if the path does not go through it."""
    calls = [step.call for step in path]
    made = _made_by(site)
    return path[calls.index(made) + 1 :] if made in calls else None


def _is_ahead(end: Path) -> bool:
    """Tell whether steps behind a batch work ahead of the model, batch anew, or are not known."""
    if any(step.short in _PREFETCHES | _BATCHES | {"apply", "unbatch"} for step in end):
        return True
    return bool(end) and _is_parallel(end[-1])


def _is_parallel(step: Step) -> bool:
    known = step.method
    if known is None or known.parallel is None or not isinstance(step.call, ast.Call):
        return False
    position = known.parameters.index(known.parallel)
    return argument(step.call, known.parallel, position) is not None or has_unpacking(step.call)


def _early_prefetch(site: Site) -> Place | None:
    for path in (path for known in site.steps for path in known.paths()):
        for step in path[:-1]:
            if step.short == "prefetch":
                node = step.call.func if isinstance(step.call, ast.Call) else step.call
                return step.scope.module.source.place(node, "this prefetch comes too early")
    return None


def _advice(site: Site) -> str:
    spelled = autotune.spelling(site)
    return f"Append .prefetch({spelled[0] if spelled is not None else 1}) as the last step."


def _fix(site: Site, *, is_last: bool) -> Fix | None:
    """Append the step to the call, where nothing follows it."""
    if not is_last:
        return None
    text, imports = autotune.spelling(site) or ("1", ())
    end = site.source.bounds(site.node)[1]
    return Fix(
        "Append prefetch",
        (Edit(end, end, f".prefetch({text})"),),
        Safety.UNSAFE,
        "The pipeline runs ahead of the model: code in it that keeps state or reads it may see another order of things.",
        imports=imports,
    )
