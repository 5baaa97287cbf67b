"""What keeps its value in a loop: objects that are changed in place, by whatever name."""

import random
from functools import partial
import numpy as np
import tensorflow as tf


def appends(items):
    items.append(1)


def appends_deeply(items):
    appends(items)


def appended(loader):
    items = []
    other = []
    for batch in loader:
        items.append(batch)
        tf.stack(items)  #? invariant: no
        tf.stack(other)  #? invariant: high
        len(items)  #? invariant: no


def appended_after(loader):
    items = []
    for batch in loader:
        tf.stack(items)  #? invariant: no
        items.append(batch)


def appended_in_an_inner_loop(loader):
    items = []
    for batch in loader:
        tf.stack(items)  #? invariant: no
        for part in batch:
            items.append(part)


def item_assigned(loader):
    table = {}
    array = np.zeros(3)
    for step, batch in enumerate(loader):
        table["a"] = batch
        array[step] = 1
        tf.constant(table)  #? invariant: no
        table["b"]  #? invariant: no
        tf.constant(array)  #? invariant: no
        array.sum()  #? invariant: no
        array + 1  #? invariant: no


def item_deleted(loader):
    table = {"a": 1}
    for batch in loader:
        tf.constant(table)  #? invariant: no
        del table["a"]


def item_augmented(loader):
    table = {"a": 1}
    for batch in loader:
        tf.constant(table["a"])  #? invariant: no
        table["a"] += 1


def augmented_in_place(loader):
    items = []
    alias = items
    array = np.zeros(3)
    view = array
    for batch in loader:
        items += [batch]
        array += 1
        tf.stack(items)  #? invariant: no
        tf.stack(alias)  #? invariant: no
        tf.constant(view)  #? invariant: no


def changed_by_callee(loader, items, others, more):
    for batch in loader:
        appends(items)
        appends_deeply(others)
        appends(items=more)
        tf.stack(items)  #? invariant: no
        tf.stack(others)  #? invariant: no
        tf.stack(more)  #? invariant: no


def changed_by_unknown(loader, items, others, cfg):
    for batch in loader:
        mystery(items)
        mystery([others])
        mystery(batch)
        tf.stack(items)  #? invariant: no
        tf.stack(others)  #? invariant: no
        tf.stack(cfg)  #? invariant: high


def changed_by_unknown_method(loader, store, opts):
    for batch in loader:
        store.put(batch)
        tf.constant(store.size)  #? invariant: no
        tf.stack(store)  #? invariant: no
        tf.stack(opts)  #? invariant: high


def changed_by_getter(loader, store):
    for batch in loader:
        store.peek()
        tf.stack(store)  #? invariant: low
        store.current()  #? invariant: low


def changed_by_nested_function(loader):
    items = []
    count = 0
    flag = False

    def add(batch):
        items.append(batch)

    def bump():
        nonlocal count
        count += 1

    def unused():
        nonlocal flag
        flag = True

    for batch in loader:
        add(batch)
        bump()
        tf.stack(items)  #? invariant: no
        tf.constant(count)  #? invariant: no


def changed_by_lambda(loader):
    items = []
    add = lambda b: items.append(b)
    for batch in loader:
        add(batch)
        tf.stack(items)  #? invariant: no
    for batch in loader:
        (lambda: items.append(batch))()
        tf.stack(items)  #? invariant: no


def changed_by_handed_function(loader):
    items = []

    def add(batch):
        items.append(batch)

    for batch in loader:
        run(add, batch)
        tf.stack(items)  #? invariant: no


def changed_by_handed_method(loader):
    items = []
    for batch in loader:
        run(items.append, batch)
        tf.stack(items)  #? invariant: no


def changed_by_map(loader):
    items = []
    for batch in loader:
        list(map(items.append, batch))
        tf.stack(items)  #? invariant: no


def changed_by_comprehension(loader):
    items = []
    for batch in loader:
        [items.append(part) for part in batch]
        tf.stack(items)  #? invariant: no


def changed_by_partial(loader):
    items = []
    add = partial(appends, items)
    for batch in loader:
        add()
        tf.stack(items)  #? invariant: no


def changed_by_builtin(loader, items, target):
    for batch in loader:
        setattr(target, "a", batch)
        random.shuffle(items)
        tf.constant(target.a)  #? invariant: no
        tf.constant(items)  #? invariant: no


def loop_changes_what_it_runs_over(items):
    for item in items:
        items.remove(item)
        tf.stack(items)  #? invariant: no
