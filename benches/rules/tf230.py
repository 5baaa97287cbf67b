"""TF230: records counted one by one in Python, and in batches inside the pipeline."""

import tempfile
from pathlib import Path

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

RECORDS = 100_000

with tempfile.TemporaryDirectory() as folder:
    file = str(Path(folder, "data.tfrecord"))
    with tf.io.TFRecordWriter(file) as writer:
        for _ in range(RECORDS):
            writer.write(b"x" * 100)

    compare(
        "TF230",
        f"{RECORDS} records of 100 bytes counted in Python, and in batches of 10,000 in the pipeline",
        lambda: sum(1 for _ in tf.data.TFRecordDataset(file)),
        lambda: (
            tf.data.TFRecordDataset(file).batch(10_000).reduce(0, lambda n, batch: n + tf.shape(batch)[0])
        ),
    )
