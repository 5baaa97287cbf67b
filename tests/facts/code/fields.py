"""Fields that a loop changes: directly, through methods, properties, aliases and objects that point back."""

import abc

import tensorflow as tf


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
            tf.zeros([self.size])  # ? invariant: low
            tf.zeros([self.count])  # ? invariant: no
            tf.stack(self.seen)  # ? invariant: no
            tf.constant(self.cfg.rate)  # ? invariant: no
            tf.constant(self.cfg.fixed)  # ?! invariant: high
            tf.constant(self.varying)  # ? invariant: no
            self.fixed_result()  # ? invariant: high
            self.varying_result()  # ? invariant: no
            self.step(batch)

    def step(self, batch):
        self.count += 1
        self.remember(batch)
        self.cfg.decay()
        tf.zeros([self.size])  # ? invariant: low
        tf.zeros([self.count])  # ? invariant: no

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
            tf.zeros([self.constant])  # ? invariant: high
            tf.zeros([self.varying])  # ? invariant: no
            self.count += 1

    def draws(self):
        for batch in self.loader:
            tf.zeros([self.noise])  # ? invariant: no

    @property
    def noise(self):
        return tf.random.normal([1])

    def through_self(self):
        for batch in self.loader:
            helper(self)
            tf.zeros([self.size])  # ? invariant: no
            tf.zeros([self.size])  # ? invariant of self.size: no

    def through_helper(self):
        for batch in self.loader:
            self.helper.run()
            tf.zeros([self.size])  # ? invariant: no

    def through_unknown(self):
        for batch in self.loader:
            mystery(self)
            tf.zeros([self.size])  # ? invariant: no

    def through_callback(self):
        for batch in self.loader:
            mystery(self.step)
            tf.zeros([self.count])  # ? invariant: no

    def through_unknown_method(self):
        for batch in self.loader:
            self.no_such_method(batch)
            tf.zeros([self.size])  # ? invariant: no

    def through_unknown_getter(self):
        for batch in self.loader:
            self.no_such_getter()
            tf.zeros([self.size])  # ? invariant: low

    def through_setattr(self, name):
        for batch in self.loader:
            setattr(self, name, batch)
            tf.zeros([self.size])  # ? invariant: no

    def through_dict(self):
        for batch in self.loader:
            self.__dict__["size"] = batch
            tf.zeros([self.size])  # ? invariant: no

    def through_update(self, values):
        for batch in self.loader:
            vars(self).update(values)
            tf.zeros([self.size])  # ? invariant: no

    def through_alias(self):
        seen = self.seen
        for batch in self.loader:
            seen.append(batch)
            tf.stack(self.seen)  # ? invariant: no

    def through_nested_function(self):
        def bump():
            self.count += 1

        for batch in self.loader:
            bump()
            tf.zeros([self.count])  # ? invariant: no
            tf.zeros([self.size])  # ? invariant: high

    def through_super(self):
        for batch in self.loader:
            super().step(batch)
            tf.zeros([self.size])  # ? invariant: no

    def rebinds_self_field(self):
        for batch in self.loader:
            self.cfg = Config()
            tf.zeros([self.cfg.fixed])  # ? invariant: no

    def through_setter(self):
        for batch in self.loader:
            self.level = batch
            tf.zeros([self._level])  # ? invariant: no
            tf.zeros([self.level])  # ? invariant: no

    @property
    def level(self):
        return self._level

    @level.setter
    def level(self, value):
        self._level = value

    def of_other_object(self, other):
        for batch in self.loader:
            other.size = batch
            tf.zeros([other.size])  # ? invariant: no

    def swaps(self):
        for batch in self.loader:
            self.size, self.count = self.count, self.size
            tf.zeros([self.size])  # ? invariant: no

    def inner_calls(self):
        for batch in self.loader:
            tf.zeros([self.bump()])  # ? invariant: no
            tf.zeros([self.count])  # ? invariant: no

    def bump(self):
        self.count += 1
        return self.count

    def called_when_iterated(self):
        for batch in self:
            tf.zeros([self.count])  # ? invariant: no

    def __iter__(self):
        self.count += 1
        yield self.count

    def entered_each_pass(self):
        for batch in self.loader:
            with self:
                tf.zeros([self.count])  # ? invariant: no

    def __enter__(self):
        self.count += 1

    def __exit__(self, *args):
        pass

    def indexed_each_pass(self):
        for batch in self.loader:
            self[batch]
            tf.zeros([self.count])  # ? invariant: no

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


class Stream:
    def __init__(self, source):
        self.source = source
        self.count = 0
        self.size = 3

    def batches(self):
        for batch in self.source:
            self.count += 1
            yield batch

    def run(self):
        for batch in self.batches():
            tf.zeros([self.count])  # ? invariant: no
            tf.zeros([self.size])  # ? invariant: medium
        for number, batch in enumerate(self.batches()):
            tf.zeros([self.count])  # ? invariant: no

    def grow(self, batch):
        self.size = batch

    def sets_and_calls(self, loader, size):
        for batch in loader:
            self.size = size
            self.grow(batch)
            tf.zeros([self.size])  # ? invariant: no

    def rebinds_the_object(self, loader):
        for batch in loader:
            self.cfg.rate = 3
            self.cfg = batch
            tf.zeros([self.cfg.rate])  # ? invariant: no

    def starts(self, loader):
        for batch in loader:
            self.start()
            tf.zeros([self.size])  # ? invariant: no

    @abc.abstractmethod
    def start(self):
        pass
