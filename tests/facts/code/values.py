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
    inside  #? value: tensor
with EnteredItself() as inside:
    inside  #? value: instance EnteredItself
