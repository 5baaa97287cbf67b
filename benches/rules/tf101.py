"""TF101: an op is created in the loop that runs the session, or once before it."""

import tensorflow.compat.v1 as tf  # type: ignore[import-untyped]
from timing import compare

STEPS = 300
BATCH = [[0.5] * 32] * 16

tf.disable_eager_execution()


def train(create_in_loop: bool) -> int:
    """Train a small network, measure its weights at each step, and return the number of nodes."""
    with tf.Graph().as_default() as graph, tf.Session() as session:
        inputs = tf.placeholder(tf.float32, [None, 32])
        weights = tf.get_variable("weights", [32, 32])
        loss = tf.reduce_mean(tf.square(tf.matmul(inputs, weights)))
        step = tf.train.GradientDescentOptimizer(0.01).minimize(loss)
        session.run(tf.global_variables_initializer())
        norm = tf.reduce_sum(tf.abs(weights))
        for _ in range(STEPS):
            session.run(step, {inputs: BATCH})
            if create_in_loop:
                norm = tf.reduce_sum(tf.abs(weights))
            session.run(norm)
        return len(graph.get_operations())


compare(
    "TF101",
    f"two ops on a variable in a loop of {STEPS} session steps, created at each step or once before",
    lambda: train(True),
    lambda: train(False),
    slow_nodes=train(True),
    fast_nodes=train(False),
)
