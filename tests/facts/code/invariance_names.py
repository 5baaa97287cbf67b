"""What keeps its value in a loop: names, and everything that binds them."""

import tensorflow as tf

SIZE = 3
COUNTER = 0


def read():
    global COUNTER
    COUNTER += 1
    return COUNTER


def names(labels, depth, model, items, cfg, loader, options):
    scale = 0.5
    for batch in loader:
        tf.one_hot(labels, depth)  #? invariant: high
        tf.one_hot(batch, depth)  #? invariant: no
        tf.one_hot(batch, depth)  #? invariant of depth: high
        labels * scale + 1  #? invariant: high
        scale * 2  #? invariant: high
        SIZE  #? invariant: high
        COUNTER  #? invariant: no
        undefined  #? invariant: no
        tf.float32  #? invariant: high
        tf.constant([1.0, scale])  #? invariant: high
        tf.constant([1.0, batch])  #? invariant: no
        {"a": scale, "b": batch}  #? invariant: no
        (scale, 3)  #? invariant: high
        f"{scale}"  #? invariant: high
        f"{batch}"  #? invariant: no
        scale if depth else 1  #? invariant: high
        scale if batch else 1  #? invariant: no
        scale < depth  #? invariant: high
        not scale  #? invariant: high
        -scale  #? invariant: high
        "a" "b"  #? invariant: high


def carried(loader):
    total = 0
    step = 0
    last = None
    fixed = tf.zeros([3])
    for batch in loader:
        tf.constant(total)  #? invariant: no
        tf.constant(step)  #? invariant: no
        tf.identity(last)  #? invariant: no
        tf.identity(fixed)  #? invariant: high
        total = total + batch
        step += 1
        last = batch


def set_inside(loader, depth):
    for batch in loader:
        fresh = tf.zeros([3])
        varying = tf.zeros_like(batch)
        other = fresh
        tf.identity(fresh)  #? invariant: high
        tf.identity(varying)  #? invariant: no
        tf.identity(other)  #? invariant: high
        if cond:
            half = 1
        else:
            half = 2
        tf.constant(half)  #? invariant: no
        if batch:
            sometimes = 1
        tf.constant(sometimes)  #? invariant: high


def set_conditionally(loader):
    value = 1
    for batch in loader:
        tf.constant(value)  #? invariant: no
        if batch:
            value = 2


def set_from_itself(loader):
    value = 1
    for batch in loader:
        value = value + 1
        tf.constant(value)  #? invariant: no


def set_each_other(loader):
    a, b = 1, 2
    for batch in loader:
        a, b = b, a
        tf.constant(a)  #? invariant: no
        tf.constant(b)  #? invariant: no


def chained(loader):
    a = b = 0
    for batch in loader:
        c = d = batch
        tf.constant(c)  #? invariant: no
        tf.constant(d)  #? invariant: no
        tf.constant(a)  #? invariant: high
        b = e = 3 if batch else 4
        tf.constant(b)  #? invariant: no


def starred_targets(loader):
    for first, *rest in loader:
        tf.constant(first)  #? invariant: no
        tf.constant(rest)  #? invariant: no
        head, *tail = rest
        tf.constant(tail)  #? invariant: no


def nested_targets(loader):
    for step, (x, (y, z)) in enumerate(loader):
        tf.constant(z)  #? invariant: no
        tf.constant(step)  #? invariant: no


def attribute_and_item_targets(loader, self, box):
    for self.batch in loader:
        tf.constant(self.batch)  #? invariant: no
    for box[0] in loader:
        tf.constant(box[0])  #? invariant: no
        tf.constant(box[1])  #? invariant: no


def used_before_it_is_set(loader):
    previous = None
    for batch in loader:
        if previous is not None:
            tf.identity(previous)  #? invariant: no
        previous = batch


def set_from_previous_pass(loader):
    a = b = c = 0
    for batch in loader:
        tf.constant(a)  #? invariant: no
        a = b
        b = c
        c = batch


def shadowed(loader, tf2):
    for tf2 in loader:
        tf2.constant(1)  #? invariant: no


def shadowed_builtin(loader):
    for batch in loader:
        len = batch.size
        len(3)  #? invariant: no


def imported_inside(loader):
    for batch in loader:
        import tensorflow as t

        t.constant(1)  #? invariant: high
        t.constant(batch)  #? invariant: no
