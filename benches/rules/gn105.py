"""GN105: matrix products row by row, and one for all rows."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

rows = tf.random.normal([256, 64])
weights = tf.random.normal([64, 16])


def looped() -> None:
    """Multiply row by row."""
    tf.stack([tf.linalg.matvec(weights, row, transpose_a=True) for row in tf.unstack(rows)])


def whole() -> None:
    """Multiply all rows at once."""
    tf.matmul(rows, weights)


compare("GN105", f"{rows.shape[0]} rows times a matrix, in eager code", looped, whole)
