"""What keeps its value in a loop: names, operators, calls of pure functions, attributes, and everything that breaks it."""

import itertools
import math
import random
from functools import partial

import numpy as np
import tensorflow as tf
import torch

SIZE = 3
CONFIG = {"lr": 0.1}
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


def appends(items):
    items.append(1)


def appends_deeply(items):
    appends(items)


def returns_global():
    return COUNTER


def draws():
    return random.random()


def doubled_twice(x):
    return square(square(x))


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


def aliased(loader):
    items = []
    alias = items
    for batch in loader:
        alias.append(batch)
        tf.stack(items)  #? invariant: no


def aliased_inside(loader):
    items = []
    for batch in loader:
        alias = items
        alias.append(batch)
        tf.stack(items)  #? invariant: no


def aliased_by_walrus(loader, items):
    for batch in loader:
        (alias := items).append(batch)
        tf.stack(items)  #?! invariant: no


def aliased_by_item(loader):
    items = []
    box = [items]
    for batch in loader:
        box[0].append(batch)
        tf.stack(items)  #? invariant: no


def aliased_by_dict(loader):
    items = []
    box = {"a": items}
    for batch in loader:
        box["a"].append(batch)
        tf.stack(items)  #?! invariant: no


def aliased_by_loop(loader, groups):
    for batch in loader:
        for group in groups:
            group.append(batch)
        tf.stack(groups)  #? invariant: no


def aliased_by_unpacking(loader):
    items, other = [], []
    a, b = items, other
    for batch in loader:
        a.append(batch)
        tf.stack(items)  #? invariant: no


def aliased_by_field(loader, self):
    items = []
    self.items = items
    for batch in loader:
        self.items.append(batch)
        tf.stack(items)  #?! invariant: no


def aliased_from_field(loader, self):
    items = self.items
    for batch in loader:
        self.items.append(batch)
        tf.stack(items)  #? invariant: no


def aliased_from_field_2(loader, self):
    items = self.items
    for batch in loader:
        items.append(batch)
        tf.stack(self.items)  #? invariant: no


def bound_method(loader):
    items = []
    add = items.append
    for batch in loader:
        add(batch)
        tf.stack(items)  #?! invariant: no


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
        tf.stack(others)  #?! invariant: no
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
        tf.stack(items)  #?! invariant: no
    for batch in loader:
        (lambda: items.append(batch))()
        tf.stack(items)  #? invariant: no


def changed_by_handed_function(loader):
    items = []

    def add(batch):
        items.append(batch)

    for batch in loader:
        run(add, batch)
        tf.stack(items)  #?! invariant: no


def changed_by_handed_method(loader):
    items = []
    for batch in loader:
        run(items.append, batch)
        tf.stack(items)  #? invariant: no


def changed_by_map(loader):
    items = []
    for batch in loader:
        list(map(items.append, batch))
        tf.stack(items)  #?! invariant: no


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
        tf.stack(items)  #?! invariant: no


def changed_by_builtin(loader, items, target):
    for batch in loader:
        setattr(target, "a", batch)
        random.shuffle(items)
        tf.constant(target.a)  #? invariant: no
        tf.constant(items)  #? invariant: no


def changed_by_numpy(loader):
    array = np.zeros(3)
    out = np.zeros(3)
    filled = np.zeros(3)
    sorted_ = np.zeros(3)
    shuffled = np.zeros(3)
    for batch in loader:
        np.copyto(array, batch)
        np.add(batch, 1, out=out)
        filled.fill(batch)
        sorted_.sort()
        np.random.shuffle(shuffled)
        tf.constant(array)  #?! invariant: no
        tf.constant(out)  #?! invariant: no
        tf.constant(filled)  #? invariant: no
        tf.constant(shuffled)  #? invariant: no
        tf.constant(sorted_)  #?! invariant of sorted_: no


def changed_variable(loader):
    v = tf.Variable(0.0)
    w = tf.Variable(0.0)
    fixed = tf.Variable(0.0)
    for batch in loader:
        v.assign(batch)
        w.assign_add(1.0)
        tf.identity(v)  #? invariant: no
        tf.identity(w)  #? invariant: no
        v + 1  #? invariant: no
        tf.identity(fixed)  #? invariant: high


def changed_by_training(loader, model, optimizer):
    w = tf.Variable(0.0)
    for batch in loader:
        with tf.GradientTape() as tape:
            loss = model(batch)
        grads = tape.gradient(loss, [w])
        optimizer.apply_gradients(zip(grads, [w]))
        tf.identity(w)  #?! invariant: no


def changed_torch(loader):
    t = torch.zeros(3)
    u = torch.zeros(3)
    k = torch.zeros(3)
    for batch in loader:
        t.add_(1)
        u[0] = 3
        torch.relu(t)  #? invariant: no
        torch.relu(u)  #? invariant: no
        torch.relu(k)  #?! invariant: high


def changed_torch_in_place(loader):
    a = torch.zeros(3)
    b = torch.zeros(3)
    c = torch.zeros(3)
    d = torch.zeros(3)
    fixed = torch.zeros(3)
    for batch in loader:
        a.add_(1)
        b[0] = 3
        c += 1
        torch.add(batch, 1, out=d)
        a * 2  #?! invariant: no
        b * 2  #?! invariant: no
        c * 2  #? invariant: no
        d * 2  #?! invariant: no
        fixed * 2  #? invariant: high


def changed_torch_alias(loader):
    a = torch.zeros(3)
    b = a
    for batch in loader:
        a += 1
        b * 2  #?! invariant: no


def changed_by_stepping(loader, parameters, loss):
    w = torch.zeros(3, requires_grad=True)
    optimizer = torch.optim.SGD([w], 0.1)
    for batch in loader:
        loss(w, batch).backward()
        optimizer.step()
        w * 2  #?! invariant: no
        w.sum()  #?! invariant: no


def changed_by_fitting(loader):
    model = tf.keras.Sequential([])
    for batch in loader:
        model.train_on_batch(batch)
        model.get_weights()  #? invariant: no
        model(tf.zeros([3]))  #? invariant: no
        model.predict(loader)  #? invariant: no


def changed_by_minimizing(loader):
    w = tf.Variable(0.0)
    optimizer = tf.keras.optimizers.SGD()
    for batch in loader:
        optimizer.minimize(lambda: w * batch, [w])
        w * 2  #?! invariant: no


def random_draws(loader, rng, n):
    for batch in loader:
        random.random()  #? invariant: no
        np.random.rand(3)  #? invariant: no
        tf.random.normal([3])  #? invariant: no
        torch.randn(3)  #? invariant: no
        tf.nn.dropout(n, 0.5)  #? invariant: no
        rng.normal(3)  #? invariant: no
        draws()  #? invariant: no
        tf.constant(random.random())  #? invariant: no
        noise = tf.random.normal([3])
        tf.identity(noise)  #? invariant: no


def changed_by_method_of_element(loader, groups):
    first = groups[0]
    for batch in loader:
        groups[0].append(batch)
        tf.stack(first)  #? invariant: no
        tf.stack(groups)  #? invariant: no
        len(groups[0])  #? invariant: no


def changed_through_container_call(loader):
    table = {"a": []}
    for batch in loader:
        table.setdefault("a", []).append(batch)
        tf.stack(table["a"])  #? invariant: no


def changed_through_get(loader):
    table = {"a": []}
    for batch in loader:
        table.get("a").append(batch)
        tf.stack(table["a"])  #?! invariant: no


def changed_through_values(loader):
    table = {"a": []}
    for batch in loader:
        for value in table.values():
            value.append(batch)
        tf.stack(table["a"])  #? invariant: no


def changed_through_zip(loader, a, b):
    for batch in loader:
        for x, y in zip(a, b):
            x.append(y)
        tf.stack(a)  #? invariant: no


def changed_through_returned_alias(loader):
    items = []
    same = identity(items)
    for batch in loader:
        same.append(batch)
        tf.stack(items)  #?! invariant: no


def changed_through_returned_alias_inside(loader):
    items = []
    for batch in loader:
        identity(items).append(batch)
        tf.stack(items)  #?! invariant: no


def identity(x):
    return x


def changed_through_conditional(loader, flag):
    a, b = [], []
    for batch in loader:
        (a if flag else b).append(batch)
        tf.stack(a)  #?! invariant: no


def changed_through_or(loader, given):
    items = []
    used = given or items
    for batch in loader:
        used.append(batch)
        tf.stack(items)  #? invariant: no


def changed_through_starred_call(loader):
    items = []
    for batch in loader:
        appends(*[items])
        tf.stack(items)  #?! invariant: no


def changed_through_keywords(loader):
    items = []
    for batch in loader:
        appends(**{"items": items})
        tf.stack(items)  #?! invariant: no


def changed_through_slice(loader):
    items = [1, 2]
    for batch in loader:
        items[:] = batch
        tf.stack(items)  #? invariant: no


def changed_through_object(loader):
    items = []
    box = Box(items)
    for batch in loader:
        box.add(batch)
        tf.stack(items)  #?! invariant: no
        tf.stack(box.items)  #? invariant: no


class Box:
    def __init__(self, items):
        self.items = items

    def add(self, item):
        self.items.append(item)


def changed_through_yielded_loop(loader, items):
    for group in chunks(items):
        group.append(1)
        tf.stack(items)  #?! invariant: no


def chunks(items):
    for item in items:
        yield item


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


def shadowed(loader, tf2):
    for tf2 in loader:
        tf2.constant(1)  #? invariant: no


def shadowed_builtin(loader):
    for batch in loader:
        len = batch.size
        len(3)  #? invariant: no


def late_closure(loader):
    n = 0
    get = lambda: n
    for batch in loader:
        get()  #?! invariant: no
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
        queue.get()  #?! invariant: no
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
        partial(square, batch)()  #?! invariant: no


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
    [tf.one_hot(len(items), 3) for b in batches if items.pop()]  #?! invariant of tf.one_hot(len(items), 3): no
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
        tf.map_fn(impure, n)  #?! invariant: no
        tf.map_fn(draws, n)  #?! invariant: no
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
        op(1, 2)  #?! invariant: no
        op = tf.subtract if batch else tf.add


def globals_(loader):
    global SHARED
    for batch in loader:
        tf.constant(SHARED)  #? invariant: no
        SHARED = batch


SHARED = 1
MODULE_LIST = []


def adds_to_global():
    MODULE_LIST.append(1)


def reads_globals(loader):
    for batch in loader:
        tf.constant(CONFIG["lr"])  #? invariant: high
        adds_to_global()
        tf.stack(MODULE_LIST)  #? invariant: no


def writes_config(loader):
    for batch in loader:
        tf.constant(CONFIG["lr"])  #? invariant: no
        CONFIG["lr"] = batch


def fields(self, loader, batch_norm):
    for batch in loader:
        tf.constant(self.size)  #? invariant: high
        tf.constant(self.count)  #? invariant: no
        self.count += 1
        self.seen = batch
        tf.constant(self.seen)  #? invariant: no
        self.same = 3
        tf.constant(self.same)  #? invariant: high
        tf.constant(self.cfg.lr)  #? invariant: no
        self.cfg.lr = batch


def field_of_an_alias(self, loader):
    me = self
    for batch in loader:
        me.count = batch
        tf.constant(self.count)  #?! invariant: no


def field_of_item(objects, loader):
    first = objects[0]
    for batch in loader:
        objects[0].count = batch
        tf.constant(first.count)  #? invariant: no


def field_of_loop_target(objects):
    for thing in objects:
        tf.constant(thing.size)  #? invariant: no
        thing.size = 3


def field_by_call(loader, make, other):
    for batch in loader:
        make().count = batch
        tf.constant(other.count)  #? invariant: no


def whole_object_replaced(self, loader):
    for batch in loader:
        tf.constant(self.state.count)  #? invariant: no
        self.state = batch


def shape_reads(loader, x):
    t = tf.zeros([3])
    for batch in loader:
        t.shape  #? invariant: high
        t.shape[0]  #? invariant: high
        batch.shape[0]  #? invariant: no
        t.get_shape().as_list()  #? invariant: high
        x.shape  #? invariant: high
        t[0]  #? invariant: high
        t[batch]  #? invariant: no
        x[0]  #? invariant: high


def yields(loader, cfg):
    for batch in loader:
        tf.constant(cfg.lr)  #? invariant: medium
        yield batch


async def awaits(loader, cfg):
    async for batch in loader:
        tf.constant(cfg.lr)  #? invariant: medium
        tf.constant(batch)  #? invariant: no
        await step()
        tf.constant(await step())  #? invariant: no


def generator_values(loader):
    def numbers():
        yield 1
        yield 2

    numbers_once = numbers()
    for batch in loader:
        numbers()  #? invariant: no
        next(numbers_once)  #? invariant: no


def matched(loader):
    value = 0
    for batch in loader:
        tf.constant(value)  #?! invariant: no
        match batch:
            case {"a": value}:
                pass
            case [_, *rest]:
                tf.constant(rest)  #? invariant: no


def imported_inside(loader):
    for batch in loader:
        import tensorflow as t

        t.constant(1)  #? invariant: high
        t.constant(batch)  #? invariant: no


def while_test(queue, n):
    while cond:
        tf.constant(n.size)  #? invariant: high
        queue.pop()
        tf.constant(len(queue))  #?! invariant: no
    while queue:
        tf.constant(len(queue))  #?! invariant: no
        queue.pop()
    while queue.pop():
        tf.constant(len(queue))  #?! invariant: no


def itertools_(loader, x):
    counter = itertools.count()
    for batch in loader:
        next(counter)  #? invariant: no
        itertools.count()  #? invariant: no


def loop_over_its_own(items):
    for items in items:
        tf.stack(items)  #? invariant: no


def loop_changes_what_it_runs_over(items):
    for item in items:
        items.remove(item)
        tf.stack(items)  #? invariant: no


def in_the_else(loader, n):
    for batch in loader:
        tf.constant(n)  #? invariant: high
    else:
        n = 3


for item in stream:
    tf.constant(SIZE)  #? invariant: high
    tf.constant(item)  #? invariant: no
    late = item
    tf.constant(COUNTER)  #?! invariant: no
    tf.constant(late)  #? invariant: no
    read()
