"""What keeps its value in a loop: calls of functions, lambdas and comprehensions."""

import itertools
import math
import random
from functools import partial
import tensorflow as tf

SIZE = 3
COUNTER = 0


def read():
    global COUNTER
    COUNTER += 1
    return COUNTER


def square(x):
    return x * x


def impure(x):
    print(x)
    return x


def returns_global():
    return COUNTER


def draws():
    return random.random()


def doubled_twice(x):
    return square(square(x))


def late_closure(loader):
    n = 0
    get = lambda: n
    for batch in loader:
        get()  #? invariant: no
        n = batch


def late_closure_function(loader):
    n = 0

    def get():
        return n

    for batch in loader:
        get()  #? invariant: no
        n = batch


def early_default(loader):
    n = 0
    get = lambda n=n: n
    for batch in loader:
        get()  #? invariant: high
        n = batch


def iterators(loader, it, queue):
    own = iter([1, 2, 3])
    for batch in loader:
        next(it)  #? invariant: no
        next(own)  #? invariant: no
        it.get_next()  #? invariant: no
        queue.get()  #? invariant: no
        tf.constant(next(it))  #? invariant: no
        list(own)  #? invariant: no
        input()  #? invariant: no


def clocks_and_files(loader, path):
    import os
    import time

    for batch in loader:
        time.time()  #? invariant: no
        os.listdir(path)  #? invariant: no
        open(path)  #? invariant: no
        os.path.join(path, "a")  #? invariant: high
        math.sqrt(2)  #? invariant: high
        id(batch)  #? invariant: no


def pure_calls(loader, x, n):
    for batch in loader:
        square(n)  #? invariant: high
        doubled_twice(3)  #? invariant: high
        impure(3)  #? invariant: no
        read()  #? invariant: no
        returns_global()  #? invariant: no
        unknown_function(3)  #? invariant: no
        x.unknown_method(3)  #? invariant: no
        len(n)  #? invariant: high
        "a".join(["b"])  #? invariant: high
        (lambda: 3)()  #? invariant: high
        (lambda: batch)()  #? invariant: no
        (lambda v: v + 1)(3)  #? invariant: high
        (lambda v: v + 1)(batch)  #? invariant: no
        partial(square, 3)()  #? invariant: high
        partial(square, batch)()  #? invariant: no


def comprehensions(loader, items, batches):
    for batch in loader:
        [i + 1 for i in range(3)]  #? invariant: high
        [i + batch for i in range(3)]  #? invariant: no
        [i for i in batch]  #? invariant: no
        [i for i in range(9) if i > batch]  #? invariant: no
        {i: i for i in range(3)}  #? invariant: high
        sum(i for i in range(3))  #? invariant: high
        [[j for j in range(i)] for i in range(3)]  #? invariant: high
        [random.random() for i in range(3)]  #? invariant: no
    [tf.one_hot(items, 3) for b in batches]  #? invariant of tf.one_hot(items, 3): high
    [tf.one_hot(b, 3) for b in batches]  #? invariant of tf.one_hot(b, 3): no
    [tf.one_hot(len(items), 3) for b in batches if items.pop()]  #? invariant of tf.one_hot(len(items), 3): no
    [tf.add(a, 1) for a in items for b in a]  #?! invariant of tf.add(a, 1) in b: high #? invariant of tf.add(a, 1) in a: no
    [(y := b, tf.identity(y)) for b in batches]  #? invariant of tf.identity(y): no
    [tf.identity(batches) for items in batches]  #? invariant of tf.identity(batches): high


def comprehension_names(loader):
    x = 3
    for batch in loader:
        parts = [x for x in batch]
        tf.constant(x)  #? invariant: high
        tf.constant(parts)  #? invariant: no


def nested_functions(loader, n):
    for batch in loader:

        def inner():
            return batch

        def fixed():
            return 3

        def default(x=batch):
            return x

        inner()  #? invariant: no
        fixed()  #? invariant: high
        default()  #? invariant: no
        tf.map_fn(lambda e: e + 1, n)  #?! invariant: high
        tf.map_fn(lambda e: e + batch, n)  #? invariant: no
        tf.map_fn(inner, n)  #? invariant: no
        tf.map_fn(fixed, n)  #?! invariant: high
        tf.map_fn(impure, n)  #? invariant: no
        tf.map_fn(draws, n)  #? invariant: no
        tf.cond(n, draws, fixed)  #? invariant: no
        tf.map_fn(partial(square, batch), n)  #? invariant: no


def defaults(loader):
    def with_default(a, b=SIZE):
        return a + b

    def with_list(a, b=[]):
        b.append(a)
        return b

    for batch in loader:
        with_default(1)  #?! invariant: high
        with_default(batch)  #? invariant: no
        with_default(1, b=batch)  #? invariant: no
        with_default(*batch)  #? invariant: no
        with_default(1, **batch)  #? invariant: no
        with_list(1)  #? invariant: no


def rebound_function(loader):
    op = tf.add
    for batch in loader:
        op(1, 2)  #? invariant: no
        op = tf.subtract if batch else tf.add


def generator_values(loader):
    def numbers():
        yield 1
        yield 2

    numbers_once = numbers()
    for batch in loader:
        numbers()  #? invariant: no
        next(numbers_once)  #? invariant: no


def itertools_(loader, x):
    counter = itertools.count()
    for batch in loader:
        next(counter)  #? invariant: no
        itertools.count()  #? invariant: no
