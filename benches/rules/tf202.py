"""TF202: a map with and without num_parallel_calls, for functions that TensorFlow leaves serial."""

import time
from collections.abc import Callable
from functools import partial

import numpy as np  # type: ignore[import-not-found]
import tensorflow as tf  # type: ignore[import-untyped]
from timing import compare

IMAGES = 500
CALLS = 500


NOISE = tf.random.stateless_uniform([384, 384, 3], [1, 2], 0, 255, tf.int32)
JPEG = tf.io.encode_jpeg(tf.cast(NOISE, tf.uint8))


def augment(number: tf.Tensor) -> tf.Tensor:
    """Decode an image and change it at random: stateful, and some milliseconds of work."""
    image = tf.image.convert_image_dtype(tf.io.decode_jpeg(JPEG, channels=3), tf.float32)
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, 0.2)
    image = tf.image.random_contrast(image, 0.8, 1.2)
    return tf.image.resize(image, [224, 224])


def sort(number: int) -> np.int64:
    """Sort in numpy, which lets other threads run meanwhile."""
    return np.int64(np.sort(np.random.default_rng(number).random(100_000))[0] > 2)


def count(number: int) -> np.int64:
    """Add up in pure Python, which lets no other thread run."""
    return np.int64(sum(range(100_000)) + number)


def wait(number: int) -> np.int64:
    """Wait 4 ms, as for a disk or a server."""
    time.sleep(0.004)
    return np.int64(number)


def called(work: Callable[[int], np.int64]) -> Callable[[tf.Tensor], tf.Tensor]:
    """Return a dataset function that calls back into Python."""
    return lambda number: tf.numpy_function(work, [number], tf.int64)


def draw(function: object, elements: int, parallel: int | None) -> None:
    """Map a function over numbers and draw all results."""
    for _ in tf.data.Dataset.range(elements).map(function, num_parallel_calls=parallel):
        pass


compare(
    "TF202",
    f"decoding, random flip, brightness, contrast and a resize of {IMAGES} JPEG images of 384x384",
    lambda: draw(augment, IMAGES, None),
    lambda: draw(augment, IMAGES, tf.data.AUTOTUNE),
)
for what, work in (("sorts in numpy", sort), ("adds up in pure Python", count), ("waits 4 ms", wait)):
    compare(
        "TF202",
        f"a numpy_function that {what}, {CALLS} elements",
        partial(draw, called(work), CALLS, None),
        partial(draw, called(work), CALLS, tf.data.AUTOTUNE),
    )
