"""Which functions of one element work on a batch of them."""

import functools
import random
import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((a, b))
MEAN = 0.5
ds.map(lambda x: x * 2 + 1)  #? batchable: yes
ds.map(lambda x: -x)  #? batchable: yes
ds.map(lambda x: tf.cast(x, tf.float32) / 255.0)  #? batchable: yes
ds.map(lambda x, y: (tf.cast(x, tf.float32), y))  #? batchable: yes
ds.map(lambda x, y: x + y)  #? batchable: no
ds.map(lambda x, y: tf.add(x, y))  #? batchable: no
ds.map(lambda x: x + x)  #? batchable: yes
ds.map(lambda x: x + MEAN)  #? batchable: no
ds.map(lambda x: x + [1.0, 2.0])  #? batchable: no
ds.map(lambda x: x + unknown)  #? batchable: no
ds.map(lambda x: tf.reduce_sum(x))  #? batchable: no
ds.map(lambda x: tf.reduce_sum(x, axis=-1))  #? batchable: yes
ds.map(lambda x: tf.reduce_sum(x, axis=0))  #? batchable: no
ds.map(lambda x: tf.reduce_sum(x, -1))  #? batchable: yes
ds.map(lambda x: tf.expand_dims(x, -1))  #? batchable: yes
ds.map(lambda x: tf.expand_dims(x, 0))  #? batchable: no
ds.map(lambda x: tf.expand_dims(x, axis))  #? batchable: no
ds.map(lambda x: tf.nn.softmax(x))  #? batchable: yes
ds.map(lambda x: tf.one_hot(x, 10))  #? batchable: yes
ds.map(lambda x: tf.one_hot(x, 10, axis=0))  #? batchable: no
ds.map(lambda x: tf.concat([x, x], 0))  #? batchable: no
ds.map(lambda x: tf.concat([x, x], -1))  #? batchable: yes
ds.map(lambda x: tf.transpose(x))  #? batchable: no
ds.map(lambda x: tf.matmul(x, x))  #? batchable: no
ds.map(lambda x: x[0])  #? batchable: no
ds.map(lambda x: x[..., 0])  #? batchable: yes
ds.map(lambda x: x["image"])  #? batchable: yes
ds.map(lambda x: x["image"] / 255)  #? batchable: yes
ds.map(lambda x: (x["image"], x["label"]))  #? batchable: yes
ds.map(lambda x: tf.where(x > 0, x, 0.0))  #? batchable: yes
ds.map(lambda x: x if x > 0 else 0)  #? batchable: no
ds.map(lambda x: tf.image.resize(x, [3, 3]))  #? batchable: no
ds.map(lambda x: tf.image.random_crop(x, [3, 3, 3]))  #? batchable: no
ds.map(lambda x: tf.random.normal([3]) + x)  #? batchable: no
ds.map(lambda x: tf.shape(x))  #? batchable: no
ds.map(lambda x: x.shape)  #? batchable: no
ds.map(lambda x: tf.size(x))  #? batchable: no
ds.map(lambda x: 3)  #? batchable: no
ds.map(lambda x: tf.constant(3))  #? batchable: no
ds.map(lambda x: (x, 3))  #? batchable: no
ds.map(lambda x: (x, tf.zeros([3])))  #? batchable: no
ds.map(lambda x: (x / 2.0, 3))  #? batchable: no
ds.map(lambda x: {"x": x / 2.0, "weight": 1.0})  #? batchable: no
ds.map(lambda x: (x / 2.0, MEAN))  #? batchable: no
ds.map(lambda x: (x / 2.0, (1, x)))  #? batchable: no
ds.map(lambda x, y: (x / 2.0, tf.cast(3, tf.float32)))  #? batchable: no
ds.map(lambda x: tf.zeros_like(x))  #? batchable: yes
ds.map(lambda x: tf.ones_like(x) * 3)  #? batchable: yes
ds.map(lambda x: tf.fill([3], 1.0))  #? batchable: no
ds.map(lambda x: tf.range(x))  #? batchable: no
ds.map(lambda x: tf.add(1, 2))  #? batchable: no
ds.map(lambda x: (x / 2.0, tf.add(1, 2)))  #? batchable: no
ds.map(lambda x: tf.one_hot(3, 10))  #? batchable: no
ds.map(lambda x: [x, x])  #? batchable: no
ds.map(lambda x: x[0:3])  #? batchable: no
ds.map(lambda x: x[:, 0])  #? batchable: no
ds.map(lambda x: x[-1])  #? batchable: no
ds.map(lambda x: tf.gather(x, 0))  #? batchable: no
ds.map(lambda x: tf.gather(MEAN, x))  #? batchable: no
ds.map(lambda x: tf.reverse(x, [0]))  #? batchable: no
ds.map(lambda x: tf.image.flip_left_right(x))  #? batchable: yes
ds.map(lambda x: tf.image.per_image_standardization(x))  #? batchable: yes
ds.map(lambda x: tf.image.rgb_to_grayscale(x))  #? batchable: yes
ds.map(lambda x: tf.broadcast_to(x, [3, 3]))  #? batchable: no
ds.map(lambda x: tf.norm(x))  #? batchable: no
ds.map(lambda x: tf.cumsum(x))  #? batchable: no
ds.map(lambda x: tf.nn.softmax(x, axis=0))  #? batchable: no
ds.map(lambda x: tf.nn.softmax(x, 0))  #? batchable: no
ds.map(lambda x: tf.sort(x, axis=0))  #? batchable: no
ds.map(lambda x: tf.expand_dims(x, axis=1))  #? batchable: no
ds.map(lambda x: tf.concat([x, x], axis=1))  #? batchable: no
ds.map(lambda x: x.numpy())  #? batchable: no
ds.map(lambda x: x.astype("float32"))  #? batchable: no
ds.map(lambda x: x.get("a"))  #? batchable: no
ds.map(lambda x: x ** 2)  #? batchable: yes
ds.map(lambda x: 1 / x)  #? batchable: yes
ds.map(lambda x: abs(x))  #?! batchable: yes
ds.map(lambda x: x > 3)  #? batchable: yes
ds.map(lambda x: 0 < x < 3)  #? batchable: no
ds.map(lambda x: len(x))  #? batchable: no
ds.map(lambda x: sum(x))  #? batchable: no
ds.map(lambda x, y: tf.where(x > 0, y, 0.0))  #? batchable: no
ds.map(lambda x, y: (x / 2.0, y * 3))  #? batchable: yes
ds.map(lambda x: (x["a"] + x["b"]))  #? batchable: no
ds.map(lambda x: {**x, "a": x["a"] / 2.0})  #? batchable: yes
ds.map(lambda x: [y / 2.0 for y in x])  #? batchable: no
ds.map(lambda x: f"{x}")  #? batchable: no
ds.map(lambda x: (y := x / 2.0) + y)  #? batchable: no
ds.map(lambda x: tf.reduce_sum(x * x, -1))  #? batchable: yes
ds.map(lambda x: tf.reduce_sum(tf.reduce_sum(x, -1), -1))  #? batchable: yes
ds.map(lambda x: tf.reduce_sum(x, [0, 1]))  #? batchable: no
ds.map(lambda x: tf.reduce_sum(x, [-1, -2]))  #?! batchable: yes
ds.map(lambda x: tf.reduce_sum(x, axis=None))  #? batchable: no
ds.map(lambda x: tf.identity(x))  #? batchable: yes
ds.map(lambda x: tf.stop_gradient(x))  #? batchable: yes
ds.map(lambda x: tf.nn.dropout(x, 0.5))  #? batchable: no
ds.map(lambda x: tf.strings.lower(x))  #? batchable: yes
ds.map(lambda x: tf.strings.length(x))  #? batchable: yes
ds.map(lambda x: tf.io.decode_png(x))  #? batchable: no
ds.map(lambda x: tf.io.read_file(x))  #? batchable: no
ds.map(lambda x: tf.math.log(x + 1e-6))  #? batchable: yes
ds.map(lambda x: tf.maximum(x, 0.0))  #? batchable: yes
ds.map(lambda x: tf.minimum(x, limit))  #? batchable: no
ds.map(lambda x: tf.image.resize_with_pad(x, 3, 3))  #? batchable: no
ds.map(lambda *x: x)  #? batchable: no
ds.map(lambda x: tf.io.parse_single_example(x, {}))  #? batchable: yes
ds.map(lambda x: tf.strings.to_number(x))  #? batchable: yes
ds.map(lambda x: tf.strings.split(x, ","))  #? batchable: no
ds.map(lambda x: tf.clip_by_value(x, 0.0, 1.0))  #? batchable: yes
ds.map(lambda x: tf.cast(x, x.dtype))  #?! batchable: yes
ds.map(lambda x: np.square(x))  #? batchable: no
ds.map(lambda x: random.random() * x)  #? mapped: unresolved #? batchable: no
ds.map(lambda x: tf.sort(x))  #? batchable: yes
ds.map(lambda x: tf.argmax(x))  #? batchable: no
ds.map(lambda x: tf.argmax(x, -1))  #? batchable: yes
ds.map(lambda x: tf.stack([x, x]))  #? batchable: no
ds.map(lambda x: tf.stack([x, x], axis=-1))  #? batchable: yes
ds.map(lambda x: tf.tile(x, [2]))  #? batchable: no
ds.map(lambda x: tf.pad(x, [[1, 1]]))  #? batchable: no
ds.map(lambda x: tf.squeeze(x))  #? batchable: no
ds.map(lambda x: tf.squeeze(x, -1))  #?! batchable: yes
ds.map(lambda x: tf.reshape(x, [-1]))  #? batchable: no
ds.map(lambda x: x @ x)  #? batchable: no
ds.map(lambda x: x == 3 and x)  #? batchable: no
ds.map(lambda x: not x)  #? batchable: no
ds.map(lambda x: tf.logical_not(x))  #? batchable: yes
ds.map(lambda x: float(x))  #? batchable: no
ds.map(lambda x: tf.nn.l2_normalize(x))  #? batchable: no
ds.map(lambda x: (x - tf.reduce_mean(x)) / 2)  #? batchable: no
ds.map(lambda x: x - tf.reduce_mean(x, -1, keepdims=True))  #? batchable: yes
ds.map(lambda x: x - tf.reduce_mean(x, -1))  #? batchable: no


def several(x):
    """Say what it does."""
    y = tf.cast(x, tf.float32)
    y /= 255.0
    z: tf.Tensor = y * 2
    return z, y


def calls_several(x):
    first, second = several(x)
    return first


def loops(x):
    for i in range(3):
        x = x * 2
    return x


def tries(x):
    try:
        return x * 2
    except ValueError:
        return x


def asserts(x):
    assert x.shape
    return x * 2


def returns_nothing(x):
    x * 2


def changes_global(x):
    global MEAN
    MEAN = x
    return x


def changes_object(x):
    store.value = x
    return x


def defaults(x, scale=255.0):
    return x / scale


def sets_item(x):
    x["a"] = x["a"] / 255.0
    return x


ds.map(several)  #? batchable: yes
ds.map(calls_several)  #? batchable: yes
ds.map(loops)  #? batchable: no
ds.map(tries)  #? batchable: no
ds.map(asserts)  #? batchable: no
ds.map(returns_nothing)  #? batchable: no
ds.map(changes_global)  #? batchable: no
ds.map(changes_object)  #? batchable: no
ds.map(defaults)  #?! batchable: yes
ds.map(functools.partial(defaults, scale=2.0))  #? batchable: yes
ds.map(sets_item)  #? batchable: yes
