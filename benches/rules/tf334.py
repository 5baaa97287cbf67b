"""TF334: masks made row by row, and by one comparison."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

WIDTH = 100
lengths = [n % WIDTH for n in range(500)]


def one_by_one() -> None:
    """Make a mask of ones and zeros for each length."""
    tf.stack([tf.concat([tf.ones([n]), tf.zeros([WIDTH - n])], 0) for n in lengths])


def at_once() -> None:
    """Make all masks by one comparison."""
    tf.sequence_mask(lengths, WIDTH, dtype=tf.float32)


compare("TF334", f"{len(lengths)} masks of {WIDTH} places, in eager code", one_by_one, at_once)
