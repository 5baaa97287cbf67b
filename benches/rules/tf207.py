"""TF207: the same function for each element in Python and in TensorFlow."""

import numpy as np  # type: ignore[import-not-found]
import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

rows = tf.data.Dataset.from_tensor_slices(tf.random.uniform([5_000, 64, 64]))


def standardised(row: np.ndarray) -> np.ndarray:
    """Shift and scale a row with numpy."""
    return np.float32((row - np.mean(row)) / np.std(row))


def in_python(row: tf.Tensor) -> tf.Tensor:
    """Call back into Python."""
    return tf.numpy_function(standardised, [row], tf.float32)


def in_tensorflow(row: tf.Tensor) -> tf.Tensor:
    """Do the same with TensorFlow operations."""
    return (row - tf.reduce_mean(row)) / tf.math.reduce_std(row)


def read(dataset: tf.data.Dataset) -> None:
    """Read all batches."""
    for _ in dataset.batch(64):
        pass


compare(
    "TF207",
    "5000 arrays of 64 x 64 numbers, each standardised",
    lambda: read(rows.map(in_python, tf.data.AUTOTUNE)),
    lambda: read(rows.map(in_tensorflow, tf.data.AUTOTUNE)),
)
