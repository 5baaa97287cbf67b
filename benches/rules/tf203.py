"""TF203: interleave over compressed TFRecord files, one file at a time or several."""

import tempfile
from collections.abc import Callable
from pathlib import Path

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

FILES = 8
RECORDS = 10_000
CYCLE = 4


def write(folder: Path) -> list[str]:
    """Write `FILES` gzip files of `RECORDS` records of 1000 bytes each, and return their names."""
    names = [str(folder / f"{number}.tfrecord.gz") for number in range(FILES)]
    generator = tf.random.Generator.from_seed(1)
    for name in names:
        texts = generator.uniform([RECORDS, 1000], 0, 64, tf.int32).numpy().astype("uint8")
        with tf.io.TFRecordWriter(name, "GZIP") as writer:
            for text in texts:
                writer.write(text.tobytes())
    return names


def plain(name: tf.Tensor) -> tf.data.Dataset:
    """Read the records of one file."""
    return tf.data.TFRecordDataset(name, "GZIP")


def decoded(name: tf.Tensor) -> tf.data.Dataset:
    """Read the records of one file and decode them."""
    return plain(name).map(lambda text: tf.reduce_mean(tf.cast(tf.io.decode_raw(text, tf.uint8), tf.float32)))


def read(names: list[str], reader: Callable[[tf.Tensor], tf.data.Dataset], parallel: int | None) -> None:
    """Read all records, `CYCLE` files at a time."""
    files = tf.data.Dataset.from_tensor_slices(names)
    for _ in files.interleave(reader, cycle_length=CYCLE, num_parallel_calls=parallel).batch(256):
        pass


with tempfile.TemporaryDirectory() as folder:
    files = write(Path(folder))
    compare(
        "TF203",
        f"{FILES} gzip TFRecord files of {RECORDS} records of 1000 bytes, cycle_length {CYCLE}",
        lambda: read(files, plain, None),
        lambda: read(files, plain, tf.data.AUTOTUNE),
    )
    compare(
        "TF203",
        f"the same files, each record decoded by the reader, cycle_length {CYCLE}",
        lambda: read(files, decoded, None),
        lambda: read(files, decoded, tf.data.AUTOTUNE),
    )
    compare(
        "TF203",
        f"the same files given to one TFRecordDataset, num_parallel_reads {CYCLE}",
        lambda: [None for _ in tf.data.TFRecordDataset(files, "GZIP").batch(256)],
        lambda: [None for _ in tf.data.TFRecordDataset(files, "GZIP", num_parallel_reads=CYCLE).batch(256)],
    )
