"""What functions given to dataset transformations do: their cost and their state."""

import functools
import numpy as np
import tensorflow as tf

ds = tf.data.Dataset.from_tensor_slices((a, b))
table = tf.lookup.StaticHashTable(x, 0)
counter = tf.Variable(0)


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
ds.map(takes_dict)  #? mapped: trivial #? batchable: yes
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
