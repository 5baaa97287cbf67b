import tensorflow.compat.v1 as tf

relu = tf.nn.relu
matmul = tf.matmul
