"""Kinds of values: what calls give, what attributes are, what Python's own functions do."""

import collections

import numpy as np
import tensorflow as tf
import tensorflow.compat.v1 as tf1
import torch
from tensorflow import keras

tf.nn.relu(x)  #? value: tensor
tf.Variable(1.0)  #? value: variable
tf.constant(1) + 1  #? value: tensor
1 + tf.constant(1)  #? value: tensor
-tf.constant(1)  #? value: tensor
tf.constant(1) > 0  #? value: tensor
tf.constant([1, 2])[0]  #? value: tensor
tf.Variable(1.0) * 2  #? value: tensor
unknown * 2  #? value: unknown
tf.Variable(1.0).assign(2)  #? value: tensor
tf.constant(1).numpy()  #? value: array
tf.constant(1).shape  #? value: plain
tf1.Session()  #? value: session
tf1.Session().run(x)  #? value: array
tf1.placeholder(tf.float32)  #? value: tensor
tf1.get_variable("w", [1])  #? value: variable
tf.Graph()  #? value: graph
tf1.train.AdamOptimizer(1e-3)  #? value: optimizer
keras.optimizers.Adam()  #? value: optimizer
keras.Sequential([])  #? value: model
keras.Sequential([])(x)  #? value: tensor
keras.layers.Dense(1)  #? value: layer
keras.layers.Dense(1)(x)  #? value: tensor
torch.zeros(3)  #? value: tensor
np.zeros(3)  #? value: array
np.zeros(3) + 1  #? value: array
tf.data.Dataset.range(3)  #? value of tf.data.Dataset.range(3): pipeline range

1  #? value: 1
"s"  #? value: 's'
None  #? value: None
1 + 2  #? value: number
n = 3
n  #? value: 3
f"{n}"  #? value: string
[1, 2]  #? value: list
(1, 2)  #? value: tuple
{1: 2}  #? value: dict
[i for i in y]  #? value: listcomp
lambda: 1  #? value: lambda
len(y)  #? value: number
str(y)  #? value: string
isinstance(y, int)  #? value: bool
range(3)  #? value: range
list(y)  #? value: list
dict(a=1)  #? value: dict
sum(y)  #? value: unknown
sum([tf.constant(1)])  #?! value: tensor
max(3, 4)  #? value: number
1 if y else "s"  #? value: 1 | 's'
tf.constant(1) if y else None  #? value: tensor | None
y or tf.constant(1)  #? value: tensor | unknown
y[0]  #? value: unknown
[1, "s"][1]  #? value: 's'
y.z  #? value: unknown
1 < 2  #? value: bool
y == 3  #? value: unknown
[*y]  #? value: list
collections.OrderedDict()  #? value: unknown


def untouched(a, b=3, *rest, **more):
    a  #? value: unknown
    b  #? value: unknown


def typed(a: int, b: str, c: tf.Tensor, d: torch.Tensor, e: keras.Model, f: float = 1.0):
    a  #? value: number
    b  #? value: string
    c  #? value: tensor
    d  #? value: tensor
    e  #? value: model
    e(x)  #? value: tensor
    f  #? value: number


def annotated_but_rebound(a: tf.Tensor):
    a = load()
    a  #? value: unknown


def augmented():
    n = 1
    n += 1
    n  #? value: unknown
    t = tf.constant(1)
    t += 1
    t  #? value: tensor
    t[0] = 3
    t  #? value: tensor


def carried():
    total = 0
    for part in y:
        total = total + tf.constant(1)
    total  #? value: 0 | tensor


def carried_augmented():
    total = 0
    for part in y:
        total += tf.constant(1)
    total  #?! value: 0 | tensor


def undefined_in_an_arm():
    if cond:
        t = tf.constant(1)
    t  #? value: tensor


def loop_else():
    for part in y:
        if part:
            t = tf.constant(1)
            break
    else:
        t = None
    t  #? value: tensor | None


def endless():
    while True:
        t = tf.constant(1)
        if y:
            break
    t  #? value: tensor


def while_else():
    t = 1
    while cond:
        t = "s"
        break
    else:
        t = tf.constant(1)
    t  #? value: 's' | tensor


def tried():
    t = 1
    try:
        t = tf.constant(1)
        risky()
        t = "s"
    except ValueError:
        t  #? value: 1 | tensor | 's'
        t = None
    except KeyError:
        return
    else:
        t  #? value: 's'
    t  #? value: 's' | None


def left_by_finally():
    t = 1
    try:
        t = risky()
    finally:
        t = tf.constant(1)
    t  #? value: tensor


def inner_names():
    t = tf.constant(1)
    [t for t in "abc"]
    t  #? value: tensor
    lambda t: t  #? value of t: unknown


def many():
    if a:
        t = 1
    elif b:
        t = 2
    elif c:
        t = 3
    elif d:
        t = 4
    elif e:
        t = 5
    elif f:
        t = 6
    elif g:
        t = 7
    elif h:
        t = 8
    else:
        t = 9
    t  #? value: unknown


def mutual_a(n):
    return mutual_b(n - 1)


def mutual_b(n):
    return mutual_a(n - 1)


mutual_a(3)  #? value: unknown


def nothing():
    pass


def maybe_nothing():
    if cond:
        return tf.constant(1)


def bare_return():
    if cond:
        return
    return tf.constant(1)


maybe_nothing()  #?! value: tensor | None
bare_return()  #?! value: tensor | None


def uses_nonlocal():
    t = tf.constant(1)

    def change():
        nonlocal t
        t = "s"

    change()
    t  #? value: tensor | unknown


def global_in_function():
    global shared
    shared  #? value: unknown
    shared = tf.constant(1)
    shared  #? value: tensor


shared = 1


@decorated
def wrapped():
    return tf.constant(1)


wrapped()  #? value: tensor


@tf.function
def traced():
    return tf.constant(1)


traced()  #? value: tensor


def inner_return():
    def inner():
        return 3

    return tf.constant(1)


inner_return()  #? value: tensor


class Thing:
    def __call__(self, a):
        return tf.constant(1)

    def __len__(self):
        return 3

    @property
    def size(self):
        return 3

    @staticmethod
    def static():
        return tf.constant(1)

    @classmethod
    def make(cls):
        return cls()

    def me(self):
        return self


thing = Thing()
thing  #? value: instance Thing
Thing  #? value: class Thing
thing(x)  #? value: tensor
thing.size  #? value: 3
thing.static()  #? value: tensor
Thing.static()  #? value: tensor
Thing.make()  #? value: instance Thing
thing.me()  #? value: instance Thing
thing.me  #? value: function Thing.me
Thing().me().size  #? value: 3
thing.missing  #? value: unknown
with tf.GradientTape() as tape:
    tape  #? value: tape


class Entered:
    def __enter__(self):
        return tf.constant(1)


class EnteredItself:
    def __enter__(self):
        return self


with Entered() as inside:
    inside  #?! value: tensor
with EnteredItself() as inside:
    inside  #? value: instance EnteredItself
