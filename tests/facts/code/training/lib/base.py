import tensorflow as tf


class Root:
    untouched = 3
    classwide = tf.data.Dataset.from_tensors(x)

    def __init__(self):
        self.root_data = tf.data.Dataset.range(3)
        self.epochs_seen = 0

    def root(self):
        pass


class Base(Root):  #? bases: lib.base.Base, lib.base.Root
    def __init__(self, model):
        super().__init__()
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam()
        self.base_data = self.root_data.batch(3)
        self.helper = Helper(self)

    def step(self, batch):  #? callers: main.Trainer.super_step
        self.epochs_seen += 1

    def prepared(self):
        return self.base_data.prefetch(1)

    @property
    def lazily(self):
        return self.base_data.cache()


class Logs:
    mixed = tf.constant(1)
    logged = 0

    def log(self, batch):
        self.logged += 1

    def on_epoch(self):
        tf.summary.scalar("x", 1)  #? hot: per-epoch


class Helper:
    def __init__(self, owner=None):
        self.owner = owner

    def run(self):
        pass


def make():
    return Helper()
