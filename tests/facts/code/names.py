"""The spellings of TensorFlow, Keras, PyTorch and JAX that are found in the wild."""

import importlib

import jax
import jax.numpy as jnp
import keras
import keras as K3
import lightning as L
import lightning.pytorch as lp
import numpy as np
import pytorch_lightning as pl
import tensorflow
import tensorflow as _tf
import tensorflow as tf
import tensorflow.compat.v1 as tf1
import tensorflow.compat.v2 as tf2
import tensorflow.contrib.slim as slim
import tensorflow.keras
import tensorflow.keras as tfkeras
import tensorflow_datasets as tfds
import tf_keras
import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim
import torch.utils.data as Data
import torchvision.transforms as T
from accelerate import Accelerator
from jax import numpy as jaxnp
from keras.src import backend as src_backend
from tensorflow import data as tfdata
from tensorflow import keras as tfk
from tensorflow import nn as tfnn
from tensorflow.compat import v1 as tfv1
from tensorflow.contrib import layers as contrib_layers
from tensorflow.data import AUTOTUNE, Dataset
from tensorflow.keras import Model, layers
from tensorflow.keras import backend as KB
from tensorflow.keras import layers as KL
from tensorflow.keras.models import Sequential
from tensorflow.python.framework import ops
from tensorflow.python.keras.layers import Dense as PrivateDense
from tensorflow.python.ops import array_ops, control_flow_ops, math_ops
from torch import nn as tnn
from torch.autograd import Variable
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader, TensorDataset
from torch.utils.data import Dataset as TorchDataset

tf.nn.relu(x)  #? name: tensorflow.nn.relu
_tf.nn.relu(x)  #? name: tensorflow.nn.relu
tensorflow.nn.relu(x)  #? name: tensorflow.nn.relu
tensorflow.keras.layers.Dense(1)  #? name: keras.layers.Dense
tf1.placeholder(tf1.float32)  #? name: tensorflow.placeholder
tf.compat.v1.placeholder(tf.float32)  #? name: tensorflow.placeholder
tfv1.placeholder(tf1.float32)  #? name: tensorflow.placeholder
tf2.nn.relu(x)  #? name: tensorflow.nn.relu
tfnn.relu(x)  #? name: tensorflow.nn.relu
tf.math.add(x, y)  #? name: tensorflow.add
tf.contrib.data.map_and_batch(f, 32)  #? name: tensorflow.data.experimental.map_and_batch
slim.conv2d(x, 3, 3)  #? name: tensorflow.contrib.slim.conv2d
contrib_layers.fully_connected(x, 3)  #? name: tensorflow.contrib.layers.fully_connected

keras.layers.Dense(1)  #? name: keras.layers.Dense
K3.layers.Dense(1)  #? name: keras.layers.Dense
tf_keras.layers.Dense(1)  #? name: keras.layers.Dense
tfkeras.layers.Dense(1)  #? name: keras.layers.Dense
tfk.layers.Dense(1)  #? name: keras.layers.Dense
tf.keras.layers.Dense(1)  #? name: keras.layers.Dense
tf1.keras.layers.Dense(1)  #? name: keras.layers.Dense
layers.Dense(1)  #? name: keras.layers.Dense
KL.Dense(1)  #? name: keras.layers.Dense
PrivateDense(1)  #? name: keras.layers.Dense
Model(x, y)  #? name: keras.Model
KB.mean(x)  #? name: keras.backend.mean
keras.backend.mean(x)  #? name: keras.backend.mean

Dataset.from_tensor_slices(x)  #? name: tensorflow.data.Dataset.from_tensor_slices
tfdata.Dataset.range(3)  #? name: tensorflow.data.Dataset.range
tf.data.Dataset.range(3)  #? name: tensorflow.data.Dataset.range
tf1.data.Dataset.range(3)  #? name: tensorflow.data.Dataset.range
AUTOTUNE  #? name: tensorflow.data.AUTOTUNE
tfds.load("mnist")  #? name: tensorflow_datasets.load

array_ops.concat([x, y], 0)  #? name: tensorflow.concat
math_ops.matmul(x, y)  #? name: tensorflow.matmul
control_flow_ops.cond(x, f, g)  #? name: tensorflow.cond
ops.convert_to_tensor(x)  #? name: tensorflow.convert_to_tensor

nn.Linear(1, 2)  #? name: torch.nn.Linear
tnn.Linear(1, 2)  #? name: torch.nn.Linear
torch.nn.Linear(1, 2)  #? name: torch.nn.Linear
F.relu(x)  #? name: torch.nn.functional.relu
torch.nn.functional.relu(x)  #? name: torch.nn.functional.relu
optim.Adam(p)  #? name: torch.optim.Adam
Data.DataLoader(d)  #? name: torch.utils.data.DataLoader
DataLoader(d)  #? name: torch.utils.data.DataLoader #? value: loader
TorchDataset()  #? name: torch.utils.data.Dataset
TensorDataset(x)  #? name: torch.utils.data.TensorDataset
DDP(m)  #? name: torch.nn.parallel.DistributedDataParallel
Variable(x)  #? name: torch.autograd.Variable
Accelerator()  #? name: accelerate.Accelerator

jnp.dot(x, y)  #? name: jax.numpy.dot
jaxnp.dot(x, y)  #? name: jax.numpy.dot
jax.numpy.dot(x, y)  #? name: jax.numpy.dot
np.array(x)  #? name: numpy.array
L.Trainer()  #? name: lightning.Trainer
pl.Trainer()  #? name: lightning.Trainer
lp.Trainer()  #? name: lightning.Trainer

lazy = importlib.import_module("tensorflow")
lazy.nn.relu(x)  #?! name: tensorflow.nn.relu

len(x)  #? name: builtins.len
undefined(x)  #? name: none
x.nn.relu(y)  #? name: none
