"""TF104: an op with unchanging operands inside a loop or once above it, in the three ways code runs."""

from functools import partial

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

PASSES = 500
MEMORY = tf.random.normal([4, 16, 16])
STATE = tf.random.normal([4, 1, 16])
MATRIX = tf.random.normal([64, 64])


def decode(memory: tf.Tensor, state: tf.Tensor, in_loop: bool) -> tf.Tensor:
    """Attend `PASSES` times to a memory that never changes."""
    keys = tf.transpose(memory, [0, 2, 1])
    for _ in range(PASSES):
        if in_loop:
            keys = tf.transpose(memory, [0, 2, 1])
        state = tf.nn.softmax(tf.matmul(state, keys))
    return state


def build(in_loop: bool) -> int:
    """Build a TensorFlow 1 graph and return the number of its nodes."""
    with tf.Graph().as_default() as graph:
        memory = tf.compat.v1.placeholder(tf.float32, [4, 16, 16])
        state = tf.compat.v1.placeholder(tf.float32, [4, 1, 16])
        decode(memory, state, in_loop)
        return len(graph.get_operations())


def trace(in_loop: bool) -> int:
    """Trace a `tf.function` and return the number of its nodes."""
    traced = tf.function(lambda memory, state: decode(memory, state, in_loop))
    return len(traced.get_concrete_function(MEMORY, STATE).graph.get_operations())


def invert(in_loop: bool) -> tf.Tensor:
    """Multiply `PASSES` times by the inverse of a matrix that never changes."""
    inverse = tf.linalg.inv(MATRIX)
    total = tf.zeros_like(MATRIX)
    for _ in range(PASSES):
        if in_loop:
            inverse = tf.linalg.inv(MATRIX)
        total += tf.matmul(total, inverse)
    return total


for what, form in (
    ("a transpose while a TensorFlow 1 graph is built", build),
    ("a transpose while tf.function traces", trace),
):
    compare(
        "TF104",
        f"{what}, in a loop of {PASSES} passes with a softmax and a product",
        partial(form, True),
        partial(form, False),
        slow_nodes=form(True),
        fast_nodes=form(False),
    )
compare(
    "TF104",
    f"a transpose in eager code, in a loop of {PASSES} passes with a softmax and a product",
    lambda: decode(MEMORY, STATE, True),
    lambda: decode(MEMORY, STATE, False),
)
compare(
    "TF104",
    f"the inverse of a 64x64 matrix in eager code, in a loop of {PASSES} passes with a product",
    lambda: invert(True),
    lambda: invert(False),
)
