"""Names that are given to names: aliases, guarded imports, imports in functions, names bound to something else."""

try:
    import tensorflow.compat.v1 as tf
except ImportError:
    import tensorflow as tf

try:
    from tensorflow import keras
except ImportError:
    import keras

try:
    import torch
except ImportError:
    torch = None

if cond:
    from tensorflow.data import Dataset
else:
    Dataset = None

tf.nn.relu(x)  #? name: tensorflow.nn.relu
keras.layers.Dense(1)  #? name: keras.layers.Dense
torch.add(x, y)  #? name: none #? value of torch.add: api torch.add | unknown

map_fn = tf.map_fn
AUTO = tf.data.AUTOTUNE
nn = tf.nn
relu = nn.relu
first, second = tf.add, tf.subtract
same = also = tf.matmul
typed: object = tf.concat
chosen = tf.add if cond else tf.subtract
either = cond or tf.add

map_fn(f, x)  #? name: tensorflow.map_fn
AUTO  #? name: tensorflow.data.AUTOTUNE
relu(x)  #? name: tensorflow.nn.relu
nn.softmax(x)  #? name: tensorflow.nn.softmax
first(x, y)  #? name: tensorflow.add
second(x, y)  #? name: tensorflow.subtract
same(x, y)  #? name: tensorflow.matmul
also(x, y)  #? name: tensorflow.matmul
typed([x], 0)  #? name: tensorflow.concat
chosen(x, y)  #? name: none #? value of chosen: api tensorflow.add | api tensorflow.subtract
getattr(tf, "matmul")(x, y)  #? name: tensorflow.matmul


def imports_inside():
    import tensorflow as t
    from tensorflow import add as plus

    t.nn.relu(x)  #? name: tensorflow.nn.relu
    plus(x, y)  #? name: tensorflow.add

    def inner():
        return t.nn.relu(x)  #? name: tensorflow.nn.relu


t.nn.relu(x)  #? name: none


def shadowed_by_a_parameter(tf):
    tf.nn.relu(x)  #? name: none


def shadowed_by_a_local():
    tf = Thing()
    tf.nn.relu(x)  #? name: none


def shadowed_later():
    relu(x)  #? name: none
    relu = something()


def shadowed_by_a_loop():
    for tf in things:
        tf.nn.relu(x)  #? name: none


def shadowed_by_with():
    with thing() as keras:
        keras.layers.Dense(1)  #? name: none


def shadowed_by_except():
    try:
        pass
    except Exception as tf:
        tf.nn.relu(x)  #? name: none


def shadowed_in_a_comprehension():
    return [tf.nn.relu(x) for tf in things]  #? name of tf.nn.relu: none


def shadowed_by_a_lambda():
    return lambda tf: tf.nn.relu(x)  #? name of tf.nn.relu: none


def a_comprehension_keeps_its_names():
    [nn for nn in things]
    nn.relu(x)  #? name: tensorflow.nn.relu


class Holder:
    add = tf.add

    def method(self):
        tf.nn.relu(x)  #? name: tensorflow.nn.relu
        add(x, y)  #? name: none
        return self.add  #? value: api tensorflow.add


class RebindsAName:
    add = tf.add  #?! value: api tensorflow.add
    tf = None

    def method(self):
        tf.nn.relu(x)  #? name: tensorflow.nn.relu


def rebound_to_the_compat_module():
    import tensorflow as tg

    tg = tg.compat.v1
    tg.placeholder(x)  #? name: tensorflow.placeholder


import tensorflow as rebound

rebound = rebound.compat.v1
rebound.placeholder(x)  #? name: tensorflow.placeholder

import tensorflow as swapped

swapped.nn.relu(x)  #? name: tensorflow.nn.relu
swapped = thing()
swapped.nn.relu(x)  #? name: none


def uses_a_global():
    global module
    import tensorflow as module


def walrus():
    if (op := tf.add) is not None:
        op(x, y)  #? name: tensorflow.add


def len(x):
    return 3


len(x)  #? name: none #? value of len: function len
