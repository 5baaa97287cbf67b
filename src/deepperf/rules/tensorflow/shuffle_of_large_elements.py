"""TF206: the buffer of a shuffle holds decoded images or batches."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Good,
    Hot,
    Impact,
    Place,
    Rule,
    Site,
    Step,
    method,
)
from deepperf.rules.tensorflow import elements, pipeline
from deepperf.rules.tensorflow.elements import Element

_MANY = 1000
_VERY_MANY = 10_000
_ROWS = 100_000
_LARGE = 1_000_000_000
_TINY_IMAGE = 64 * 64


class ShuffleOfLargeElements(Rule):
    """The buffer of a shuffle holds decoded images or batches.

    ## Why it is slow
    `shuffle` keeps as many elements in memory as its buffer is large, and fills the buffer before the first element comes out.
    A decoded image is many times larger than its file name or its JPEG record, a batch larger still: the start takes long, and
    the memory may run out.

    ## What to do
    Shuffle the file names or the records, before they are decoded and before `batch`. Behind the decoding keep a small buffer,
    or none.

    ## When it is fine
    The images are small. The data comes from a cache in memory, which holds it anyway.
    """

    code, slug = "TF206", "shuffle-of-large-elements"
    impact = Impact.MEDIUM
    root_cause = "inefficient-api-usage"
    symptoms = ("out-of-memory", "slow-initialization-time", "slow-execution-time")
    stages = ("data-preparation",)
    frameworks = {"tensorflow": ">=1.4"}
    evidence = (
        "https://www.tensorflow.org/guide/data_performance#reducing_memory_footprint",
        "https://stackoverflow.com/questions/52743613",
        "benches/rules/tf206.py",
    )
    since = "0.1"
    cost = Cost(
        "The buffer is filled with decoded elements before the first step, and they stay in memory.",
        None,
        "benches/rules/tf206.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def decode(path):
                image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
                return tf.image.resize(image, (224, 224))

            def training_data(paths):
                ds = tf.data.Dataset.from_tensor_slices(paths).map(decode)
                return ds.shuffle(10000).batch(32)  # <- TF206
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def training_data(folder):
                ds = tf.keras.utils.image_dataset_from_directory(folder)
                return ds.shuffle(1000).prefetch(tf.data.AUTOTUNE)  # <- TF206
            """
        ),
        Good(
            """
            import tensorflow as tf

            def decode(path):
                image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
                return tf.image.resize(image, (224, 224))

            def training_data(paths):
                ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(10000)
                return ds.map(decode).batch(32)
            """,
            why="the buffer holds file names",
        ),
        Good(
            """
            import tensorflow as tf

            def training_data(x, y):
                return tf.data.Dataset.from_tensor_slices((x, y)).shuffle(60000).batch(32)
            """,
            why="nothing says that the rows are large",
        ),
    )

    @method("shuffle", on="dataset")
    def large_buffer(self, site: Site) -> Iterator[Finding]:
        """Report a shuffle by what its elements are on some way to it."""
        size = site.argument("buffer_size")
        for step in site.steps:
            for path in step.paths():
                if any(pipeline.is_small(earlier, site) for earlier in path):
                    continue
                element = elements.at(path[:-1], site)
                count = elements.number(size, step, site)
                found = self._judge(site, element, count, size)
                if found is not None:
                    yield found
                    return

    def _judge(
        self, site: Site, element: Element, count: int | None, size: ast.expr | None
    ) -> Finding | None:
        is_all = count is None and size is not None and _is_whole(size, site)
        if element.decoded is None:
            return self._of_batches(site, element, count)
        if element.size is not None and count is not None:
            held = element.size * count
            if held < _LARGE:
                return None
            return self._finding(site, element, f"{_counted(element, count)}, about {held / 1e9:.0f} GB")
        is_tiny = element.pixels is not None and element.pixels <= _TINY_IMAGE
        if is_all and not is_tiny and not element.resized:
            return self._finding(site, element, "the whole dataset, decoded", Confidence.MEDIUM)
        if (
            count is not None
            and count >= (_VERY_MANY if element.resized else _MANY)
            and element.pixels is None
        ):
            return self._finding(site, element, _counted(element, count), Confidence.MEDIUM)
        return None

    def _finding(
        self, site: Site, element: Element, held: str, sure: Confidence = Confidence.HIGH
    ) -> Finding:
        assert element.decoded is not None
        place = _place(element.decoded, "decoded here")
        reads_folder = element.decoded.short == "image_dataset_from_directory"
        return self.found(
            site,
            f"the buffer of this shuffle holds up to {held} (decoded on {site.line_of(place)})",
            advice="Leave this shuffle out: image_dataset_from_directory shuffles the files, unless shuffle=False."
            if reads_folder
            else "Shuffle the file names or records before they are decoded, and keep at most a small buffer here.",
            because=(place,),
            confidence=sure,
            related=(place,),
            hot=Hot.PER_EPOCH,
        )

    def _of_batches(self, site: Site, element: Element, count: int | None) -> Finding | None:
        """Return the remark that a buffer is filled with a great many rows, as batches."""
        if element.batched is None or count is None or count * element.batch < _ROWS:
            return None
        place = _place(element.batched, "batched here")
        return self.found(
            site,
            f"the buffer of this shuffle holds {count} batches of {element.batch} (batched on {site.line_of(place)})",
            advice="Shuffle before batch: single elements are mixed better, and a smaller buffer does.",
            because=(place,),
            impact=Impact.LOW,
            related=(place,),
            hot=Hot.PER_EPOCH,
        )


def _counted(element: Element, count: int) -> str:
    if element.batched is None:
        return f"{count} images"
    return f"{count} batches" + (f" of {element.batch} images" if element.batch > 1 else " of images")


def _is_whole(size: ast.expr, site: Site) -> bool:
    """Tell whether a size is that of the whole data: `len(paths)`, a cardinality."""
    node = size
    if isinstance(node, ast.Name):
        definitions = site.module.definitions(node, site.scope)
        node = definitions[0].value or node if len(definitions) == 1 else node
    if not isinstance(node, ast.Call):
        return False
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in ("len", "cardinality")


def _place(step: Step, message: str) -> Place:
    node = step.call.func if isinstance(step.call, ast.Call) else step.call
    return step.scope.module.source.place(node, message)
