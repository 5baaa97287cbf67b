"""What keeps its value in a loop: names set in branches, handlers, inner loops and expressions."""

import tensorflow as tf


def walrus(loader, queue):
    while (item := queue.get()) is not None:
        tf.constant(item)  #? invariant: no
    for batch in loader:
        if (n := len(batch)) > 3:
            tf.constant(n)  #? invariant: no
        tf.constant((m := batch))  #? invariant: no
        tf.constant(m)  #? invariant: no


def with_as(loader):
    for batch in loader:
        with tf.GradientTape() as tape:
            tape.gradient(batch, x)  #? invariant: no
        with open(batch) as file:
            tf.constant(file)  #? invariant: no
        with open("a") as other:
            tf.constant(other)  #? invariant: no


def annotated(loader):
    value: int = 0
    for batch in loader:
        tf.constant(value)  #? invariant: no
        value: int = batch
        fresh: int = 3
        tf.constant(fresh)  #? invariant: high


def deleted(loader):
    value = 1
    for batch in loader:
        tf.constant(value)  #? invariant: no
        del value
        value = batch


def handled(loader):
    for batch in loader:
        try:
            value = int(batch)
        except ValueError as error:
            value = 0
            tf.constant(error)  #? invariant: no
        else:
            value = value + 1
        tf.constant(value)  #? invariant: no


def handled_before(loader):
    value = 0
    for batch in loader:
        try:
            value = risky()
        except ValueError:
            pass
        tf.constant(value)  #? invariant: no


def handled_constant(loader):
    value = 0
    for batch in loader:
        tf.constant(value)  #? invariant: no
        try:
            check(batch)
            value = 1
        except ValueError:
            pass


def while_else(n):
    i = 0
    while i < n:
        i += 1
        tf.constant(i)  #? invariant: no
        tf.constant(n)  #? invariant: high
    else:
        n = 3


def outer_and_inner(loader, epochs):
    for epoch in range(epochs):
        scale = 1.0 / (epoch + 1)
        for batch in loader:
            tf.constant(scale)  #? invariant: high #? invariant in epoch: no
            tf.constant(epochs)  #? invariant: high #? invariant in epoch: high
            tf.constant(epoch)  #? invariant: high #? invariant in epoch: no
            tf.constant(batch)  #? invariant: no #? invariant in epoch: no
        tf.constant(batch)  #? invariant: no


def after_an_inner_loop(loader, epochs):
    for epoch in range(epochs):
        for step in range(10):
            pass
        tf.constant(step)  #? invariant: no
        total = 0
        for batch in loader:
            total += 1
        tf.constant(total)  #? invariant: no


def changed_in_an_inner_loop(loader):
    n = 0
    for epoch in range(3):
        tf.constant(n)  #? invariant: no
        for batch in loader:
            n = n + 1


def set_in_both_arms(loader):
    for batch in loader:
        if batch:
            size = 3
        else:
            size = 3
        tf.constant(size)  #? invariant: no


def set_after_continue(loader):
    size = 1
    for batch in loader:
        if batch:
            size = 2
            continue
        tf.constant(size)  #? invariant: no


def set_before_break(loader):
    size = 1
    for batch in loader:
        if batch:
            size = 2
            break
        tf.constant(size)  #?! invariant: high


def set_before_return(loader):
    size = 1
    for batch in loader:
        if batch:
            size = 2
            return size
        tf.constant(size)  #?! invariant: high


def matched(loader):
    value = 0
    for batch in loader:
        tf.constant(value)  #? invariant: no
        match batch:
            case {"a": value}:
                pass
            case [_, *rest]:
                tf.constant(rest)  #? invariant: no


def loop_over_its_own(items):
    for items in items:
        tf.stack(items)  #? invariant: no


def in_the_else(loader, n):
    for batch in loader:
        tf.constant(n)  #? invariant: high
    else:
        n = 3
