"""TF340: columns sliced one by one and stacked, and taken with one gather."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

COLUMNS = list(range(0, 60, 3))
x = tf.random.normal([256, 64])


def sliced() -> None:
    """Slice each column and stack them, a hundred times."""
    for _ in range(100):
        tf.stack([x[:, column] for column in COLUMNS], axis=1)


def gathered() -> None:
    """Take all columns at once, a hundred times."""
    for _ in range(100):
        tf.gather(x, COLUMNS, axis=1)


compare("TF340", f"{len(COLUMNS)} of 64 columns of 256 rows, in eager code", sliced, gathered)
