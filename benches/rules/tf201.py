"""TF201: an elementwise function is mapped before the batch, or after it."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

ROWS = 100_000
FEATURES = {"x": tf.io.FixedLenFeature([8], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


def scale(row: tf.Tensor) -> tf.Tensor:
    """Scale pixels to the range from 0 to 1."""
    return tf.cast(row, tf.float32) / 255.0


def record(number: int) -> bytes:
    """Return one serialised example."""
    features = {
        "x": tf.train.Feature(float_list=tf.train.FloatList(value=[float(number)] * 8)),
        "y": tf.train.Feature(int64_list=tf.train.Int64List(value=[number])),
    }
    return bytes(tf.train.Example(features=tf.train.Features(feature=features)).SerializeToString())


def consume(dataset: tf.data.Dataset) -> None:
    """Draw all elements."""
    for _ in dataset:
        pass


rows = tf.data.Dataset.from_tensor_slices(tf.zeros([ROWS, 64], tf.uint8))
compare(
    "TF201",
    f"a cast and a division on {ROWS} rows of 64 numbers, batches of 256",
    lambda: consume(rows.map(scale).batch(256)),
    lambda: consume(rows.batch(256).map(scale)),
)
records = tf.data.Dataset.from_tensor_slices([record(number) for number in range(ROWS)])
compare(
    "TF201",
    f"parse_single_example on {ROWS} records of 9 numbers before batches of 256, or parse_example after",
    lambda: consume(records.map(lambda text: tf.io.parse_single_example(text, FEATURES)).batch(256)),
    lambda: consume(records.batch(256).map(lambda texts: tf.io.parse_example(texts, FEATURES))),
)
