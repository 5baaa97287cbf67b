"""A TensorFlow 1 program."""

import tensorflow as tf

x = tf.placeholder(tf.float32)
tf.nn.relu(x)  #? region: graph


def build():
    tf.nn.relu(x)  #? region: graph


@tf.function
def traced():
    tf.nn.relu(x)  #? region: tf.function


ds = tf.data.Dataset.range(3).map(lambda x: tf.nn.relu(x))  #? region of tf.nn.relu(x): dataset function
it = ds.make_one_shot_iterator()  #? value: iterator
batch = it.get_next()  #? value: tensor
init = tf.global_variables_initializer()
with tf.Session() as sess:
    sess  #? value: session
    sess.run(init)  #? value: array
    for i in range(100):  #? loop: counted many
        sess.run(batch)  #? value: array
        tf.nn.relu(x)  #? region: graph #? invariant: high
        tf.nn.relu(i)  #? region: graph #? invariant: no
        with tf.Graph().as_default():
            tf.nn.relu(i)  #? region: graph
