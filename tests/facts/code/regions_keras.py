"""Where methods of Keras classes run."""

import tensorflow as tf
from tensorflow import keras


class Layer(keras.layers.Layer):
    def build(self, shape):
        tf.nn.relu(x)  #? region: eager

    def call(self, x):
        tf.nn.relu(x)  #? region: tf.function
        return self.helper(x)

    def helper(self, x):
        tf.nn.relu(x)  #? region: tf.function

    def not_called(self, x):
        tf.nn.relu(x)  #? region: eager


class DenseLayer(keras.layers.Dense):
    def call(self, x):
        tf.nn.relu(x)  #? region: tf.function


class Model(tf.keras.Model):
    def train_step(self, data):
        tf.nn.relu(x)  #? region: tf.function

    def test_step(self, data):
        tf.nn.relu(x)  #? region: tf.function

    def fit(self, data):
        tf.nn.relu(x)  #? region: eager

    @tf.function
    def method(self, data):
        tf.nn.relu(x)  #? region: tf.function
        self.used_by_method(data)

    def used_by_method(self, data):
        tf.nn.relu(x)  #? region: tf.function


class SubModel(Model):
    def train_step(self, data):
        tf.nn.relu(x)  #? region: tf.function


class Loss(keras.losses.Loss):
    def call(self, y, p):
        tf.nn.relu(x)  #? region: tf.function


class Metric(keras.metrics.Metric):
    def update_state(self, y, p):
        tf.nn.relu(x)  #? region: tf.function

    def result(self):
        tf.nn.relu(x)  #? region: tf.function


class Callback(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs):
        tf.nn.relu(x)  #? region: eager

    def call(self, x):
        tf.nn.relu(x)  #? region: eager


class Unrelated:
    def call(self, x):
        tf.nn.relu(x)  #? region: eager

    def train_step(self, x):
        tf.nn.relu(x)  #? region: eager


class Eager(tf.keras.Model):
    def __init__(self):
        super().__init__(dynamic=True)

    def call(self, x):
        tf.nn.relu(x)  #?! region: eager
