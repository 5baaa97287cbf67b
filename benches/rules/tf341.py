"""TF341: all pairwise distances through a tensor of differences, and through a matrix product."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

x = tf.random.normal([1500, 64])


@tf.function  # type: ignore[untyped-decorator]
def broadcast(x: tf.Tensor) -> tf.Tensor:
    """Take the norm of all differences."""
    return tf.norm(x[:, tf.newaxis] - x[tf.newaxis], axis=-1)


@tf.function  # type: ignore[untyped-decorator]
def product(x: tf.Tensor) -> tf.Tensor:
    """Take the root of |a|^2 - 2 a.b + |b|^2."""
    squares = tf.reduce_sum(x * x, axis=1, keepdims=True)
    products = tf.matmul(x, x, transpose_b=True)
    return tf.sqrt(tf.maximum(squares - 2 * products + tf.transpose(squares), 0.0))


compare(
    "TF341",
    "all distances of 1500 vectors of 64 numbers, in a tf.function",
    lambda: broadcast(x),
    lambda: product(x),
)
