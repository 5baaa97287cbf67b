"""TF330: entries of a tensor set one by one, and by one scatter."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

SIZE = 1000
values = tf.random.normal([SIZE])
places = tf.range(SIZE)[:, None]


def one_by_one() -> None:
    """Set each entry by an op of its own."""
    out = tf.zeros([SIZE])
    for i in range(SIZE):
        out = tf.tensor_scatter_nd_update(out, [[i]], [values[i]])


def at_once() -> None:
    """Set all entries by one op."""
    tf.scatter_nd(places, values, [SIZE])


compare("TF330", f"{SIZE} entries of a vector, in eager code", one_by_one, at_once)
