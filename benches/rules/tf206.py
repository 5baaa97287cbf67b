"""TF206: the time to the first batch, with the shuffle behind the decoding or before it."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

IMAGES = 2_000

record = tf.io.encode_jpeg(tf.cast(tf.random.uniform([224, 224, 3], 0, 256, tf.int32), tf.uint8))
records = tf.data.Dataset.from_tensors(record).repeat(IMAGES)


def decode(text: tf.Tensor) -> tf.Tensor:
    """Decode an image."""
    return tf.cast(tf.io.decode_jpeg(text, channels=3), tf.float32)


def first(dataset: tf.data.Dataset) -> None:
    """Take the first batch."""
    next(iter(dataset.batch(32)))


compare(
    "TF206",
    f"the first batch of {IMAGES} images of 224 x 224, shuffled decoded or as records",
    lambda: first(records.map(decode, tf.data.AUTOTUNE).shuffle(IMAGES)),
    lambda: first(records.shuffle(IMAGES).map(decode, tf.data.AUTOTUNE)),
)
