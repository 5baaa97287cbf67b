"""A small recurrent reader that looks at the same memory in each step."""

import tensorflow as tf


@tf.function
def read(memory, state):
    """Look at `memory` (batch, slots, width) fifty times, starting from `state` (batch, 1, width)."""
    seen = []
    for _ in range(50):
        keys = tf.transpose(memory, [0, 2, 1])
        weights = tf.nn.softmax(tf.matmul(state, keys))
        state = tf.matmul(weights, memory)
        seen.append(state)
    return tf.concat(seen, axis=1)


@tf.function
def read_once(memory, state):
    """The same with the keys computed once, as it should be."""
    keys = tf.transpose(memory, [0, 2, 1])
    for _ in range(50):
        state = tf.matmul(tf.nn.softmax(tf.matmul(state, keys)), memory)
    return state
