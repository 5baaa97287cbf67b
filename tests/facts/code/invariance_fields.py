"""What keeps its value in a loop: fields, globals, and loops of every kind."""

import tensorflow as tf

SIZE = 3
CONFIG = {"lr": 0.1}
COUNTER = 0


def read():
    global COUNTER
    COUNTER += 1
    return COUNTER


SHARED = 1
MODULE_LIST = []


def adds_to_global():
    MODULE_LIST.append(1)


def globals_(loader):
    global SHARED
    for batch in loader:
        tf.constant(SHARED)  #? invariant: no
        SHARED = batch


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


def field_set_after_use(self, loader, size):
    for batch in loader:
        tf.constant(self.size)  #? invariant: no
        self.size = size


def field_set_sometimes(self, loader, size):
    for batch in loader:
        if batch:
            self.size = size
        tf.constant(self.size)  #? invariant: no


def field_set_in_a_try(self, loader, size):
    for batch in loader:
        try:
            check(batch)
            self.size = size
        except ValueError:
            pass
        tf.constant(self.size)  #? invariant: no


def field_set_before_use(self, loader, size):
    for batch in loader:
        self.size = size
        tf.constant(self.size)  #? invariant: high


def field_set_in_both_arms(self, loader, size):
    for batch in loader:
        if batch:
            self.size = size
        else:
            self.size = 3
        tf.constant(self.size)  #? invariant: no


def field_of_an_alias(self, loader):
    me = self
    for batch in loader:
        me.count = batch
        tf.constant(self.count)  #? invariant: no


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


def while_test(queue, n):
    while cond:
        tf.constant(n.size)  #? invariant: high
        queue.pop()
        tf.constant(len(queue))  #? invariant: no
    while queue:
        tf.constant(len(queue))  #? invariant: no
        queue.pop()
    while queue.pop():
        tf.constant(len(queue))  #? invariant: no


for item in stream:
    tf.constant(SIZE)  #? invariant: high
    tf.constant(item)  #? invariant: no
    late = item
    tf.constant(COUNTER)  #? invariant: no
    tf.constant(late)  #? invariant: no
    read()
