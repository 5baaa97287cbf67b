"""Kinds of values through branches, loops, handlers, calls and scopes."""

import tensorflow as tf


def annotated_but_rebound(a: tf.Tensor):
    a = load()
    a  #? value: unknown


def augmented():
    n = 1
    n += 1
    n  #? value: number
    n += read()
    n  #? value: unknown
    text = "a"
    text += "b"
    text  #? value: string
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
    total  #? value: 0 | tensor


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
