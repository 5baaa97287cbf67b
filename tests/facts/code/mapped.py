"""What functions given to dataset transformations do: their cost, their state, whether they work on batches."""

import functools
import random

import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((a, b))
table = tf.lookup.StaticHashTable(x, 0)
counter = tf.Variable(0)
MEAN = 0.5


def picks(x, y):
    return y, x


def casts(x):
    return tf.cast(x, tf.float32)


def scales(x):
    return x / 255.0


def decodes(path):
    return tf.io.decode_jpeg(tf.io.read_file(path))


def augments(x):
    return tf.image.random_flip_left_right(x)


def counts(x):
    counter.assign_add(1)
    return x


def prints(x):
    tf.print(x)
    return x


def calls_python(x):
    return tf.py_function(lambda v: v, [x], tf.float32)


def calls_numpy_function(x):
    return tf.numpy_function(np.square, [x], tf.float32)


def looks_up(x):
    return table.lookup(x)


def calls_decodes(x):
    return decodes(x)


def calls_augments(x):
    return augments(decodes(x))


def calls_unknown(x):
    return mystery(x)


def calls_unknown_method(x):
    return mystery.transform(x)


def reads_shape(x):
    return tf.shape(x)[0]


def reshapes(x):
    return tf.reshape(x, [3, 3])


def branches(x):
    if x > 3:
        return x * 2
    return x


def conditions(x):
    return tf.cond(x > 3, lambda: augments(x), lambda: x)


def recursive(x):
    return recursive(x)


def makes_dict(x, y):
    return {"x": x, "y": y}


def takes_dict(features):
    label = features.pop("label")
    return features, label


class Augment:
    def __call__(self, x):
        return tf.image.random_flip_left_right(x)

    def method(self, x):
        return x

    def _inner(self, x):
        return decodes(x)

    def outer(self, x):
        return self._inner(x)

    def run(self, ds):
        ds.map(self.method)  #? mapped: trivial
        ds.map(self.outer)  #? mapped: costly


ds.map(picks)  #? mapped: trivial #? batchable: yes
ds.map(lambda x, y: (x, y))  #? mapped: trivial #? batchable: yes
ds.map(lambda x, y: x)  #? mapped: trivial #? batchable: yes
ds.map(lambda x: {"a": x["a"]})  #? mapped: trivial #? batchable: yes
ds.map(makes_dict)  #? mapped: trivial #? batchable: yes
ds.map(takes_dict)  #? mapped: trivial #? batchable: no
ds.map(casts)  #?! mapped: light #? batchable: yes
ds.map(reshapes)  #?! mapped: light #? batchable: no
ds.map(reads_shape)  #?! mapped: light #? batchable: no
ds.map(scales)  #?! mapped: light #? batchable: yes
ds.map(decodes)  #? mapped: costly #? batchable: no
ds.map(augments)  #? mapped: stateful #? batchable: no
ds.map(counts)  #? mapped: stateful #? batchable: no
ds.map(prints)  #? mapped: stateful #? batchable: no
ds.map(calls_python)  #? mapped: stateful #? batchable: no
ds.map(calls_numpy_function)  #? mapped: stateful #? batchable: no
ds.map(looks_up)  #? mapped: stateful #? batchable: no
ds.map(calls_decodes)  #? mapped: costly #? batchable: no
ds.map(calls_augments)  #? mapped: stateful
ds.map(calls_unknown)  #? mapped: unresolved #? batchable: no
ds.map(calls_unknown_method)  #? mapped: unresolved #? batchable: no
ds.map(branches)  #? batchable: no
ds.map(conditions)  #? mapped: stateful #? batchable: no
ds.map(recursive)  #? batchable: no
ds.map(mystery)  #? mapped: unresolved #? batchable: no
ds.map(Augment())  #? mapped: stateful
ds.map(Augment().method)  #? mapped: trivial
ds.map(Augment().outer)  #? mapped: costly
ds.map(functools.partial(calls_augments))  #? mapped: stateful
ds.map(functools.partial(scales))  #?! mapped: light #? batchable: yes
ds.map(map_func=scales)  #?! mapped: light #? batchable: yes
ds.map(scales if cond else augments)  #? mapped: unresolved #? batchable: no
ds.map(tf.io.decode_jpeg)  #? mapped: costly #? batchable: no
ds.map(tf.nn.relu)  #? mapped: costly #? batchable: yes
ds.map(lambda x: augments(x))  #? mapped: stateful
ds.map(lambda x: mystery(x))  #? mapped: unresolved
ds.map(tf.function(scales))  #?! mapped: light

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
ds.map(lambda x: x[..., 0])  #?! batchable: yes
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
ds.map(lambda x: 3)  #?! batchable: no
ds.map(lambda x: tf.constant(3))  #? batchable: no
ds.map(lambda x: (x, 3))  #?! batchable: no
ds.map(lambda x: (x, tf.zeros([3])))  #? batchable: no
ds.map(lambda x: (x / 2.0, 3))  #?! batchable: no
ds.map(lambda x: {"x": x / 2.0, "weight": 1.0})  #?! batchable: no
ds.map(lambda x: (x / 2.0, MEAN))  #?! batchable: no
ds.map(lambda x: (x / 2.0, (1, x)))  #?! batchable: no
ds.map(lambda x, y: (x / 2.0, tf.cast(3, tf.float32)))  #?! batchable: no
ds.map(lambda x: tf.zeros_like(x))  #? batchable: yes
ds.map(lambda x: tf.ones_like(x) * 3)  #? batchable: yes
ds.map(lambda x: tf.fill([3], 1.0))  #? batchable: no
ds.map(lambda x: tf.range(x))  #? batchable: no
ds.map(lambda x: tf.add(1, 2))  #?! batchable: no
ds.map(lambda x: (x / 2.0, tf.add(1, 2)))  #?! batchable: no
ds.map(lambda x: tf.one_hot(3, 10))  #?! batchable: no
ds.map(lambda x: [x, x])  #?! batchable: no
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
ds.map(lambda x: 0 < x < 3)  #?! batchable: no
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
