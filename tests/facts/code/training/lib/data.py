import tensorflow as tf


def load(name):
    return tf.data.TFRecordDataset(name)


def prepare(ds):
    return ds.map(f).batch(3)  #? pipeline: TFRecordDataset.map.batch


def pair():
    train = load("train")
    return train, prepare(train)


class Loader:
    def __init__(self, name):
        self.dataset = load(name)

    def batched(self, size):
        return self.dataset.batch(size)

    def __call__(self):
        return self.dataset.shuffle(3)

    @classmethod
    def make(cls, name):
        return cls(name)
