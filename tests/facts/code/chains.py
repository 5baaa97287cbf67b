"""What keeps its value in a loop of a caller."""

import tensorflow as tf

LIMIT = 3
SHARED = []


def step(batch, labels, depth=3):
    tf.one_hot(labels, depth)  #? invariant: high
    tf.one_hot(batch, depth)  #? invariant: no
    tf.zeros([LIMIT])  #? invariant: high
    local = 3
    tf.zeros([local])  #? invariant: high
    fresh = batch + 1
    tf.identity(fresh)  #? invariant: no
    return fresh


def run(loader, labels):
    for batch in loader:
        step(batch, labels)


def default_only(labels, depth=3, rest=[]):
    tf.one_hot(labels, depth)  #? invariant: high
    tf.stack(rest)  #? invariant: no
    rest.append(1)


def by_keyword(a, b):
    tf.identity(a)  #? invariant: no
    tf.identity(b)  #? invariant: high


def by_star(a, b):
    tf.identity(a)  #? invariant: no
    tf.identity(b)  #? invariant: no


def by_double_star(a=1):
    tf.identity(a)  #? invariant: no


def variadic(*args, **kwargs):
    tf.identity(args)  #? invariant: no
    tf.identity(kwargs)  #? invariant: no


def deep(x, y):
    deeper(x, y)


def deeper(x, y):
    tf.identity(x)  #? invariant: no
    tf.identity(y)  #? invariant: high


def two_loops(loader, labels, extra):
    for batch in loader:
        default_only(labels)
        by_keyword(b=labels, a=batch)
        by_star(*batch)
        by_double_star(**batch)
        variadic(batch, a=batch)
        deep(batch, labels)


def rebound_in_callee(x):
    x = x + 1
    tf.identity(x)  #? invariant: high
    x = tf.random.normal([3])
    tf.identity(x)  #? invariant: no


def changed_in_callee(items):
    tf.stack(items)  #? invariant: no
    items.append(1)


def changed_in_caller(items):
    tf.stack(items)  #? invariant: no


def changed_in_caller_by_alias(items):
    tf.stack(items)  #? invariant: no


def branches_in_callee(x, flag):
    if flag:
        y = 1
    else:
        y = 2
    tf.identity(y)  #? invariant: no


def loops_in_callee(x):
    total = 0
    for part in range(3):
        tf.identity(total)  #? invariant: no #? invariant in batch: no
        tf.identity(x)  #? invariant: high #? invariant in batch: high
        tf.identity(part)  #? invariant: no #? invariant in batch: no
        total += 1


def early_return(x):
    if x > 3:
        return None
    return tf.identity(x)  #? invariant: high


def driver(loader, x, items, others, flag):
    alias = others
    for batch in loader:
        rebound_in_callee(x)
        changed_in_callee(items)
        changed_in_caller(others)
        changed_in_caller_by_alias(alias)
        others.append(batch)
        branches_in_callee(x, flag)
        loops_in_callee(x)
        early_return(x)


def reads_parameter(items):
    tf.stack(items)  #? invariant: no
    SHARED[:] = [1]


def passes_what_is_shared(loader):
    items = SHARED
    for batch in loader:
        reads_parameter(items)


def recursive(x, n):
    tf.identity(x)  #? invariant: high
    tf.identity(n)  #? invariant: no
    if n:
        recursive(x, n - 1)


def recursion(loader, x):
    for batch in loader:
        recursive(x, 3)


def given_two_kinds(items, loader):
    for batch in loader:
        items += batch
        tf.stack(items)  #? invariant: no


def given_two_kinds_first(items, loader):
    alias = items
    for batch in loader:
        items.append(batch)
        tf.stack(alias)  #? invariant: no


given_two_kinds(tf.zeros([3]), stream)
given_two_kinds(mystery(), stream)
given_two_kinds_first(tf.zeros([3]), stream)
given_two_kinds_first(mystery(), stream)
