"""TF205: a cache before and behind the work, and in front of and behind `take`."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

EPOCHS = 5
ROWS = 10_000

rows = tf.data.Dataset.from_tensor_slices(tf.random.uniform([ROWS, 16]))


def work(row: tf.Tensor) -> tf.Tensor:
    """Do some work on a row."""
    return tf.linalg.expm(tf.reshape(row, [4, 4]))


def read(dataset: tf.data.Dataset) -> None:
    """Read a dataset in each of the epochs."""
    for _ in range(EPOCHS):
        for _ in dataset.batch(256):
            pass


compare(
    "TF205",
    f"{EPOCHS} epochs of {ROWS} rows, the cache before the map or behind it",
    lambda: read(rows.cache().map(work, tf.data.AUTOTUNE)),
    lambda: read(rows.map(work, tf.data.AUTOTUNE).cache()),
)
compare(
    "TF205",
    f"{EPOCHS} epochs of half of {ROWS} rows, take behind the cache or before it",
    lambda: read(rows.map(work, tf.data.AUTOTUNE).cache().take(ROWS // 2)),
    lambda: read(rows.map(work, tf.data.AUTOTUNE).take(ROWS // 2).cache()),
)
