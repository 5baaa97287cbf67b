"""TF208: rows of an array by a generator and by `from_tensor_slices`."""

from collections.abc import Iterator

import numpy as np  # type: ignore[import-not-found]
import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

ROWS = 20_000

rows = np.zeros([ROWS, 32], np.float32)


def generated() -> Iterator[np.ndarray]:
    """Give the rows one by one."""
    yield from rows


def read(dataset: tf.data.Dataset) -> None:
    """Read all batches."""
    for _ in dataset.batch(64):
        pass


compare(
    "TF208",
    f"{ROWS} rows of 32 numbers in batches of 64",
    lambda: read(tf.data.Dataset.from_generator(generated, output_signature=tf.TensorSpec([32]))),
    lambda: read(tf.data.Dataset.from_tensor_slices(rows)),
)
