"""Fields of classes with bases, subclasses and overridden methods, and of objects made in the loop."""

import tensorflow as tf


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
            tf.zeros([self.count])  #? invariant: no


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
            tf.zeros([self.size])  #? invariant: no


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
