"""TF301: a function mapped over the rows of a tensor, and written for the whole tensor."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

rows = tf.random.normal([4096, 64])
weights = tf.random.normal([64, 16])


mapped = tf.function(lambda: tf.map_fn(lambda row: tf.linalg.matvec(weights, row, transpose_a=True), rows))
whole = tf.function(lambda: tf.matmul(rows, weights))

compare("TF301", f"{rows.shape[0]} rows times a matrix, in a tf.function", mapped, whole)
