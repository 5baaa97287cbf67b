"""Rules for TensorFlow 1, TensorFlow 2 and tf.data."""
