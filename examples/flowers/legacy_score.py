"""Score photographs with the network of an older release, written for TensorFlow 1."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def score(graph_inputs, logits, batches):
    """Return the most likely species of each photograph."""
    found = []
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for batch in batches:
            best = tf.argmax(tf.nn.softmax(logits), axis=1)
            found.extend(session.run(best, feed_dict={graph_inputs: batch}))
    return found
