"""Where code runs: eager, traced, in a dataset function, in a graph."""

import functools
import tensorflow as tf
from tensorflow import function as compiled

tf.nn.relu(x)  #? region: eager
ds = tf.data.Dataset.range(3)


def eager():
    tf.nn.relu(x)  #? region: eager


@tf.function
def decorated(x):
    tf.nn.relu(x)  #? region: tf.function
    called_from_traced(x)

    def inner():
        tf.nn.relu(x)  #? region: tf.function

    inner()
    for i in x:
        tf.nn.relu(x)  #? region: tf.function


@tf.function(jit_compile=True)
def decorated_with_arguments(x):
    tf.nn.relu(x)  #? region: tf.function


@compiled
def decorated_by_name(x):
    tf.nn.relu(x)  #? region: tf.function


@functools.partial(tf.function, autograph=False)
def decorated_by_partial(x):
    tf.nn.relu(x)  #? region: tf.function


@other
def decorated_otherwise(x):
    tf.nn.relu(x)  #? region: eager


my_function = tf.function


@my_function
def decorated_by_alias(x):
    tf.nn.relu(x)  #? region: tf.function


def called_from_traced(x):
    tf.nn.relu(x)  #? region: tf.function
    called_deeper(x)


def called_deeper(x):
    tf.nn.relu(x)  #? region: tf.function


def called_from_both(x):
    tf.nn.relu(x)  #? region: mixed


@tf.function
def traced_caller(x):
    called_from_both(x)


def eager_caller(x):
    called_from_both(x)


def wrapped(x):
    tf.nn.relu(x)  #? region: tf.function


fast = tf.function(wrapped)


def wrapped_with_keywords(x):
    tf.nn.relu(x)  #? region: tf.function


faster = tf.function(func=wrapped_with_keywords, jit_compile=True)


def wrapped_in_two_steps(x):
    tf.nn.relu(x)  #? region: tf.function


fastest = tf.function(jit_compile=True)(wrapped_in_two_steps)


def wrapped_and_called(x):
    tf.nn.relu(x)  #? region: mixed


fast_too = tf.function(wrapped_and_called)
wrapped_and_called(x)
tf.function(lambda x: tf.nn.relu(x))  #? region of tf.nn.relu(x): tf.function


def mapped(x):
    tf.nn.relu(x)  #? region: dataset function
    return called_from_mapped(x)


def called_from_mapped(x):
    tf.nn.relu(x)  #? region: dataset function


def mapped_by_keyword(x):
    tf.nn.relu(x)  #? region: dataset function


def mapped_by_partial(x, y):
    tf.nn.relu(x)  #? region: dataset function


def mapped_by_lambda(x):
    tf.nn.relu(x)  #? region: dataset function


def filtered(x):
    tf.nn.relu(x)  #? region: dataset function


def generated():
    tf.nn.relu(x)  #? region: eager
    yield 1


def reduced(state, x):
    tf.nn.relu(x)  #? region: dataset function


def mapped_and_called(x):
    tf.nn.relu(x)  #? region: mixed


ds.map(mapped)
ds.map(map_func=mapped_by_keyword, num_parallel_calls=3)
ds.map(functools.partial(mapped_by_partial, 3))
ds.map(lambda x: mapped_by_lambda(x))
ds.filter(filtered)
ds.reduce(0, reduced)
tf.data.Dataset.from_generator(generated, tf.int32)
ds.map(mapped_and_called)
mapped_and_called(x)
ds.map(lambda x: tf.nn.relu(x))  #? region of tf.nn.relu(x): dataset function
ds.map(lambda x: (lambda y: tf.nn.relu(y))(x))  #? region of tf.nn.relu(y): dataset function
unknown_object.map(lambda x: tf.nn.relu(x))  #? region of tf.nn.relu(x): eager
map(lambda x: tf.nn.relu(x), things)  #? region of tf.nn.relu(x): eager
tf.map_fn(lambda x: tf.nn.relu(x), things)  #? region of tf.nn.relu(x): graph loop body
tf.while_loop(lambda i: i < 3, lambda i: tf.nn.relu(i), [0])  #? region of tf.nn.relu(i): graph loop body
tf.py_function(lambda x: tf.nn.relu(x), [x], tf.float32)  #? region of tf.nn.relu(x): eager
named = lambda x: tf.nn.relu(x)  #? region of tf.nn.relu(x): dataset function
ds.map(named)


def body(x):
    tf.nn.relu(x)  #? region: graph loop body


tf.scan(body, things)
with tf.Graph().as_default():
    tf.nn.relu(x)  #? region: graph
    inside_graph()
with tf.GradientTape() as tape:
    tf.nn.relu(x)  #? region: eager
graph = tf.Graph()
with graph.as_default(), tf.device("cpu"):
    tf.nn.relu(x)  #? region: graph
with tf.device("cpu"), graph.as_default():
    tf.nn.relu(x)  #? region: graph


def inside_graph():
    tf.nn.relu(x)  #? region: graph


def recursion(x):
    tf.nn.relu(x)  #? region: eager
    recursion(x)


@tf.function
def traced_recursion(x):
    tf.nn.relu(x)  #? region: tf.function
    traced_recursion(x)


def uncalled_outer():
    @tf.function
    def inner():
        tf.nn.relu(x)  #? region: tf.function

    tf.nn.relu(x)  #? region: eager


@tf.function
def init_scope(x):
    with tf.init_scope():
        tf.nn.relu(x)  #? region: eager


tf.config.run_functions_eagerly(False)
