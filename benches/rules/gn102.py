"""GN102: rows joined to an array one by one, and collected in a list that is joined once."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

ROWS = 1500
row = tf.random.normal([1, 64])


def grown() -> None:
    """Join each row to all rows so far."""
    rows = tf.zeros([0, 64])
    for _ in range(ROWS):
        rows = tf.concat([rows, row], axis=0)


def collected() -> None:
    """Append the rows to a list and join it once."""
    tf.concat([row for _ in range(ROWS)], axis=0)


compare("GN102", f"{ROWS} rows of 64 numbers, in eager code", grown, collected)
