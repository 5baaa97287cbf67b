import tensorflow as tf


def train_step(model, batch):  #? callers: main.Trainer.fit | main | handed on in main
    tf.nn.relu(batch)  #? hot: per-batch
    tf.constant(model)  #? invariant: low
    return inner(batch)


def inner(batch):  #? callers: lib.steps.train_step
    tf.nn.relu(batch)  #? hot: per-batch


def eval_step(model, batch):
    batch  #?! value: tensor | unknown
    tf.nn.relu(batch)  #? hot: per-batch


def hooked(function):
    return function


def unused(x):  #? callers: none
    tf.nn.relu(x)  #? hot: unknown
