"""Datasets through calls, parameters, globals and transformations for `apply`."""

import functools
import tensorflow as tf
from tensorflow.data import Dataset


def make():
    return Dataset.range(3)


def applied():
    ds = Dataset.range(3)
    ds.apply(tf.data.experimental.map_and_batch(f, 8))  #? pipeline: range.map_and_batch
    ds.apply(tf.data.experimental.ignore_errors()).batch(2)  #? pipeline: range.ignore_errors.batch
    ds.apply(tf.contrib.data.shuffle_and_repeat(9))  #? pipeline: range.shuffle_and_repeat
    ds.apply(prepare)  #? pipeline: range.map.batch
    ds.apply(lambda d: d.batch(3))  #?! pipeline: range.batch
    transformation = tf.data.experimental.ignore_errors()
    ds.apply(transformation)  #?! pipeline: range.ignore_errors


def prepare(ds):
    ds = ds.map(f)
    return ds.batch(2)


def make_or_take(ds=None, *, size=3):
    if ds is None:
        ds = Dataset.range(3)
    return ds.batch(size)


def pair():
    return Dataset.range(3), Dataset.from_tensors(x)


def pair_of_names():
    train = Dataset.range(3)
    test = train.map(f)
    return train, test


def several(kind):
    if kind:
        return Dataset.range(3)
    return Dataset.from_tensors(x)


def generator():
    yield Dataset.range(3)


def nested():
    def build():
        return Dataset.range(3).map(f)

    ds = build()
    return ds.batch(2)  #? pipeline: range.map.batch


def helpers():
    make().batch(2)  #? pipeline: range.batch
    prepare(make())  #? pipeline: range.map.batch
    prepare(ds=make())  #? pipeline: range.map.batch
    prepare(prepare(make()))  #? pipeline: range.map.batch.map.batch
    make_or_take(Dataset.from_tensors(x))  #? pipeline: from_tensors.batch | range.batch
    make_or_take()  #?! pipeline: range.batch
    several(1).map(f)  #? pipeline: range.map | from_tensors.map
    generator()  #? value: unknown
    functools.partial(prepare, make())()  #?! pipeline: range.map.batch
    (lambda: make())()  #? pipeline: range
    (lambda d: d.batch(2))(make())  #?! pipeline: range.batch


def tuples():
    train, test = pair()
    train.map(f)  #? pipeline: range.map
    test.map(f)  #? pipeline: from_tensors.map
    pair()[1]  #? pipeline: from_tensors
    train, test = pair_of_names()
    test.batch(2)  #? pipeline: range.map.batch


def given(ds: Dataset):
    return ds.map(f)  #? pipeline: Dataset.map


def given_optionally(ds: "Dataset", other: Dataset | None = None):
    ds.map(f)  #? pipeline: Dataset.map
    other.map(f)  #?! pipeline: Dataset.map


def by_callers(ds):
    ds.map(f)  #? pipeline: range.map | from_tensors.map


by_callers(Dataset.range(3))
by_callers(Dataset.from_tensors(x))
module_level = make()


def reads_a_global():
    return module_level.map(f)  #? pipeline: range.map


def changes_a_global():
    global changed
    changed = load_somewhere()


changed = Dataset.range(3)


def reads_a_changed_global():
    return changed.map(f)  #? pipeline: range.map | ?


async def awaited():
    ds = await fetch()
    return ds.map(f)  #? value: unknown
