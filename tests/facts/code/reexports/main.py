"""Names that come through other files of the project."""

import pkg.ops
import pkg.sub
import star
from pkg import NAMES, missing, ops as operations, relu, tf
from pkg.sub import deep, deeper
from star import Dataset, plus
from star import *

tf.nn.relu(x)  #? name: tensorflow.nn.relu
relu(x)  #? name: tensorflow.nn.relu
operations.matmul(x, y)  #? name: tensorflow.matmul
pkg.ops.matmul(x, y)  #? name: tensorflow.matmul
pkg.tf.add(x, y)  #? name: tensorflow.add
pkg.sub.deep(x)  #? name: tensorflow.nn.softmax
deep(x)  #? name: tensorflow.nn.softmax
deeper(x)  #? name: tensorflow.tanh
plus(x, y)  #? name: tensorflow.add
Dataset.range(3)  #? name: tensorflow.data.Dataset.range #? pipeline: range
star.tf.add(x, y)  #? name: tensorflow.add
missing(x)  #? name: none #? value of missing: unknown
NAMES  #? value: list
minus(x, y)  #? name: tensorflow.subtract
own(x)  #? value of own: function own #? calls: star.own
_private(x)  #? name: none
