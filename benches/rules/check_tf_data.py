"""Checks on a real TensorFlow what the rules for tf.data assume: which maps run in parallel, in which order.

Prints one JSON object. A map counts as parallel if the optimised pipeline holds a ParallelMap where it stood.
"""

import json
from collections.abc import Callable

import tensorflow as tf  # type: ignore[import-untyped]
from tensorflow.python.data.experimental.ops.testing import assert_next  # type: ignore[import-untyped]

COUNTER = tf.Variable(0, dtype=tf.int64)
TABLE = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([0, 1], [5, 6]), -1)
GENERATOR = tf.random.Generator.from_seed(1)


def checked(number: tf.Tensor) -> tf.Tensor:
    """Assert something of the element, and give it back."""
    tf.debugging.assert_non_negative(number)
    return number + 1


def printed(number: tf.Tensor) -> tf.Tensor:
    """Print nothing much, and give the element back."""
    tf.print("", end="")
    return number + 1


FUNCTIONS: dict[str, Callable[[tf.Tensor], object]] = {
    "arithmetic": lambda n: n * 2 + 1,
    "decode": lambda n: tf.io.decode_raw(tf.strings.as_string(n), tf.uint8),
    "read_file": lambda n: tf.strings.length(tf.io.read_file(__file__)) + tf.cast(n, tf.int32),
    "assert": checked,
    "cond": lambda n: tf.cond(n > 1, lambda: n, lambda: -n),
    "while_loop": lambda n: tf.while_loop(lambda i: i < 3, lambda i: [i + 1], [n]),
    "stateless_random": lambda n: tf.random.stateless_uniform([], [1, n]),
    "random": lambda n: tf.random.uniform([]) + tf.cast(n, tf.float32),
    "random_flip": lambda n: tf.image.random_flip_left_right(tf.fill([4, 4, 3], tf.cast(n, tf.float32))),
    "random_generator": lambda n: GENERATOR.uniform([]) + tf.cast(n, tf.float32),
    "table_lookup": lambda n: TABLE.lookup(tf.cast(n, tf.int32)),
    "variable_read": lambda n: COUNTER + n,
    "variable_assign": COUNTER.assign_add,
    "print": printed,
    "numpy_function": lambda n: tf.numpy_function(lambda x: x, [n], tf.int64),
    "py_function": lambda n: tf.py_function(lambda x: x, [n], tf.int64),
    "inner_dataset": lambda n: tf.data.Dataset.range(3).reduce(n, lambda a, b: a + b),
}


def is_parallel(function: Callable[[tf.Tensor], object], option: bool | None = None) -> bool:
    """Tell whether TensorFlow runs a map without num_parallel_calls in parallel."""
    dataset = tf.data.Dataset.range(4).apply(assert_next(["ParallelMap"])).map(function)
    options = tf.data.Options()
    if option is not None:
        options.experimental_optimization.map_parallelization = option
    try:
        list(dataset.with_options(options))
    except tf.errors.InvalidArgumentError:
        return False
    return True


def uneven(number: tf.Tensor) -> tf.Tensor:
    """Take longer for every seventh element, then give the element back."""
    rounds = tf.where(number % 7 == 0, 3000, 1)
    return tf.while_loop(lambda i, n: i < rounds, lambda i, n: [i + 1, n], [0, number])[1]


def keeps_order(**settings: object) -> bool:
    """Tell whether a parallel map over uneven elements gives them in order."""
    found = [int(n) for n in tf.data.Dataset.range(300).map(uneven, **settings)]
    return found == sorted(found)


def interleaved(**settings: object) -> list[int]:
    """Return what an interleave of three blocks gives."""
    blocks = tf.data.Dataset.range(3).interleave(
        lambda n: tf.data.Dataset.from_tensors(n).repeat(3), **settings
    )
    return [int(n) for n in blocks]


AUTO = tf.data.AUTOTUNE
print(
    json.dumps(
        {
            "tensorflow": tf.__version__,
            "serial_map_becomes_parallel": {
                name: is_parallel(function) for name, function in FUNCTIONS.items()
            },
            "with_map_parallelization_off": is_parallel(FUNCTIONS["arithmetic"], option=False),
            "map_keeps_order": {
                "autotune": keeps_order(num_parallel_calls=AUTO),
                "autotune, deterministic=True": keeps_order(num_parallel_calls=AUTO, deterministic=True),
                "autotune, deterministic=False": keeps_order(num_parallel_calls=AUTO, deterministic=False),
                "automatic": keeps_order(),
            },
            "interleave_gives": {
                "serial": interleaved(),
                "autotune": interleaved(num_parallel_calls=AUTO),
                "serial, cycle_length=2": interleaved(cycle_length=2),
                "autotune, cycle_length=2": interleaved(cycle_length=2, num_parallel_calls=AUTO),
            },
        },
        indent=1,
    )
)
