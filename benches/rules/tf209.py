"""TF209: a batch for each step by a new iterator or by one iterator; a cached dataset made for each epoch or once."""

import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

STEPS = 200
EPOCHS = 5

numbers = tf.random.uniform([20_000, 32])
batches = tf.data.Dataset.from_tensor_slices(numbers).shuffle(10_000).batch(64)


def restarted() -> None:
    """Take each batch from an iterator of its own."""
    for _ in range(STEPS):
        next(iter(batches))


def continued() -> None:
    """Take all batches from one iterator."""
    iterator = iter(batches.repeat())
    for _ in range(STEPS):
        next(iterator)


def costly(row: tf.Tensor) -> tf.Tensor:
    """Do some work on a row."""
    return tf.reduce_sum(tf.linalg.expm(tf.reshape(row[:16], [4, 4])))


def cached() -> tf.data.Dataset:
    """Make a dataset that keeps its results in memory."""
    return tf.data.Dataset.from_tensor_slices(numbers).map(costly, tf.data.AUTOTUNE).cache().batch(256)


def read(datasets: list[tf.data.Dataset]) -> None:
    """Read datasets one after the other."""
    for dataset in datasets:
        for _ in dataset:
            pass


compare(
    "TF209",
    f"{STEPS} batches of 64 rows behind a shuffle buffer of 10000, each by a new iterator",
    restarted,
    continued,
)
compare(
    "TF209",
    f"{EPOCHS} epochs over a cached dataset, made anew for each",
    lambda: read([cached() for _ in range(EPOCHS)]),
    lambda: read([cached()] * EPOCHS),
)
