"""What keeps its value in a loop of a caller, and what calls in a loop change."""

import tensorflow as tf

LIMIT = 3


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


def recursive(x, n):
    tf.identity(x)  #? invariant: high
    tf.identity(n)  #?! invariant: no
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
        tf.stack(alias)  #?! invariant: no


given_two_kinds(tf.zeros([3]), stream)
given_two_kinds(mystery(), stream)
given_two_kinds_first(tf.zeros([3]), stream)
given_two_kinds_first(mystery(), stream)


class Trainer:
    def __init__(self, loader, size):
        self.loader = loader
        self.size = size
        self.count = 0
        self.seen = []
        self.cfg = Config()
        self.helper = Helper(self)
        self.weights = tf.Variable(0.0)

    def train(self):
        for batch in self.loader:
            tf.zeros([self.size])  #? invariant: high
            tf.zeros([self.count])  #? invariant: no
            tf.stack(self.seen)  #? invariant: no
            tf.constant(self.cfg.rate)  #? invariant: no
            tf.constant(self.cfg.fixed)  #?! invariant: high
            tf.constant(self.varying)  #?! invariant: no
            self.fixed_result()  #? invariant: high
            self.varying_result()  #? invariant: no
            self.step(batch)

    def step(self, batch):
        self.count += 1
        self.remember(batch)
        self.cfg.decay()
        tf.zeros([self.size])  #? invariant: high
        tf.zeros([self.count])  #? invariant: no

    def remember(self, batch):
        self.seen.append(batch)

    @property
    def varying(self):
        return self.count + 1

    @property
    def constant(self):
        return 3

    def fixed_result(self):
        return 3

    def varying_result(self):
        return self.count

    def properties(self):
        for batch in self.loader:
            tf.zeros([self.constant])  #? invariant: high
            tf.zeros([self.varying])  #?! invariant: no
            self.count += 1

    def draws(self):
        for batch in self.loader:
            tf.zeros([self.noise])  #?! invariant: no

    @property
    def noise(self):
        return tf.random.normal([1])

    def through_self(self):
        for batch in self.loader:
            helper(self)
            tf.zeros([self.size])  #? invariant: no
            tf.zeros([self.size])  #? invariant of self.size: no

    def through_helper(self):
        for batch in self.loader:
            self.helper.run()
            tf.zeros([self.size])  #?! invariant: no

    def through_unknown(self):
        for batch in self.loader:
            mystery(self)
            tf.zeros([self.size])  #? invariant: no

    def through_callback(self):
        for batch in self.loader:
            mystery(self.step)
            tf.zeros([self.count])  #?! invariant: no

    def through_unknown_method(self):
        for batch in self.loader:
            self.no_such_method(batch)
            tf.zeros([self.size])  #? invariant: no

    def through_unknown_getter(self):
        for batch in self.loader:
            self.no_such_getter()
            tf.zeros([self.size])  #? invariant: low

    def through_setattr(self, name):
        for batch in self.loader:
            setattr(self, name, batch)
            tf.zeros([self.size])  #? invariant: no

    def through_dict(self):
        for batch in self.loader:
            self.__dict__["size"] = batch
            tf.zeros([self.size])  #?! invariant: no

    def through_update(self, values):
        for batch in self.loader:
            vars(self).update(values)
            tf.zeros([self.size])  #? invariant: no

    def through_alias(self):
        seen = self.seen
        for batch in self.loader:
            seen.append(batch)
            tf.stack(self.seen)  #? invariant: no

    def through_nested_function(self):
        def bump():
            self.count += 1

        for batch in self.loader:
            bump()
            tf.zeros([self.count])  #? invariant: no
            tf.zeros([self.size])  #? invariant: high

    def through_super(self):
        for batch in self.loader:
            super().step(batch)
            tf.zeros([self.size])  #?! invariant: no

    def rebinds_self_field(self):
        for batch in self.loader:
            self.cfg = Config()
            tf.zeros([self.cfg.fixed])  #? invariant: no

    def through_setter(self):
        for batch in self.loader:
            self.level = batch
            tf.zeros([self._level])  #?! invariant: no
            tf.zeros([self.level])  #? invariant: no

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        self._level = value

    def of_other_object(self, other):
        for batch in self.loader:
            other.size = batch
            tf.zeros([other.size])  #? invariant: no

    def swaps(self):
        for batch in self.loader:
            self.size, self.count = self.count, self.size
            tf.zeros([self.size])  #? invariant: no

    def inner_calls(self):
        for batch in self.loader:
            tf.zeros([self.bump()])  #? invariant: no
            tf.zeros([self.count])  #? invariant: no

    def bump(self):
        self.count += 1
        return self.count

    def called_when_iterated(self):
        for batch in self:
            tf.zeros([self.count])  #?! invariant: no

    def __iter__(self):
        self.count += 1
        yield self.count

    def entered_each_pass(self):
        for batch in self.loader:
            with self:
                tf.zeros([self.count])  #?! invariant: no

    def __enter__(self):
        self.count += 1

    def __exit__(self, *args):
        pass

    def indexed_each_pass(self):
        for batch in self.loader:
            self[batch]
            tf.zeros([self.count])  #?! invariant: no

    def __getitem__(self, item):
        self.count += 1
        return item


class Config:
    def __init__(self):
        self.rate = 0.1
        self.fixed = 3

    def decay(self):
        self.rate *= 0.9


class Helper:
    def __init__(self, owner):
        self.owner = owner

    def run(self):
        self.owner.size = 3


def helper(trainer):
    trainer.size = 4


class Parent:
    def __init__(self):
        self.count = 0
        self.size = 3

    def tick(self):
        self.count += 1


class Child(Parent):
    def run(self, loader):
        for batch in loader:
            self.tick()
            tf.zeros([self.count])  #? invariant: no
            tf.zeros([self.size])  #? invariant: no


class Grandchild(Child):
    def tick(self):
        self.size += 1


class Overridden(Parent):
    def hook(self):
        pass

    def run(self, loader):
        for batch in loader:
            self.hook()
            tf.zeros([self.count])  #?! invariant: no


class Overriding(Overridden):
    def hook(self):
        self.count += 1


class Abstract:
    size = 3

    def hook(self):
        raise NotImplementedError

    def run(self, loader):
        for batch in loader:
            self.hook()
            tf.zeros([self.size])  #?! invariant: no


class Meter:
    """Objects made in the loop are new ones on each pass."""

    def __init__(self, size):
        self.size = size


def objects_made_inside(loader, other):
    for batch in loader:
        meter = Meter(3)
        meter.total = batch
        tf.zeros([meter.size])  #? invariant: no
        tf.zeros([other.total])  #? invariant: high
        Meter(3)  #? invariant: no


meter = Meter(3)
for batch in stream:
    tf.zeros([meter.size])  #? invariant: high
    tf.zeros([meter.count])  #? invariant: no
    meter.count = batch
