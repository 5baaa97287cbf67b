import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.nn.relu(x)  #? region: graph
