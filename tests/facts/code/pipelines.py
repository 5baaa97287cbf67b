"""Datasets through names, branches and containers."""

import tensorflow as tf
from tensorflow.data import Dataset

AUTO = tf.data.AUTOTUNE


def make():
    return Dataset.range(3)


source = Dataset.from_tensor_slices(x)  #? pipeline: from_tensor_slices
Dataset.from_tensor_slices(x).map(f).batch(8)  #? pipeline: from_tensor_slices.map.batch
(
    Dataset.range(3)
    .map(f)
    .prefetch(AUTO)  #? pipeline: range.map.prefetch
)
tf.data.TFRecordDataset(files).map(f, num_parallel_calls=4)  #? pipeline: TFRecordDataset.map
tf.data.Dataset.zip((a, b)).batch(2)  #? pipeline: zip.batch
unknown_thing.map(f).batch(2)  #? value: unknown


def reassigned():
    ds = Dataset.range(3)
    ds = ds.map(f)
    ds = ds.batch(8)
    return ds  #? pipeline: range.map.batch


def renamed():
    first = Dataset.range(3)
    second = first.map(f)
    third = second
    first = first.batch(2)
    third.batch(8)  #? pipeline: range.map.batch
    first  #? pipeline: range.batch


def one_arm():
    ds = Dataset.range(3)
    if cond:
        ds = ds.shuffle(9)
    ds = ds.batch(8)
    return ds  #? pipeline: range.batch | range.shuffle.batch


def two_arms():
    if cond:
        ds = Dataset.range(3)
    elif other:
        ds = Dataset.from_tensors(x)
    else:
        ds = load_somewhere()
    ds.batch(8)  #? pipeline: range.batch | from_tensors.batch | ?


def arm_that_leaves():
    ds = Dataset.range(3)
    if cond:
        ds = ds.map(f)
        return ds
    return ds  #? pipeline: range


def arm_that_raises():
    ds = Dataset.range(3)
    if cond:
        ds = None
        raise ValueError
    return ds  #? pipeline: range


def conditional_expression():
    ds = Dataset.range(3)
    ds = ds.shuffle(9) if training else ds
    ds.batch(8)  #? pipeline: range.batch | range.shuffle.batch


def tried():
    try:
        ds = Dataset.range(3)
    except ValueError:
        ds = Dataset.from_tensors(x)
    else:
        ds = ds.map(f)
    finally:
        done()
    return ds  #? pipeline: range.map | from_tensors


def tried_with_a_rest():
    ds = Dataset.range(3)
    try:
        ds = ds.map(f)
        ds = ds.batch(2)
    except ValueError:
        pass
    return ds  #? pipeline: range | range.map | range.map.batch


def within_with():
    with strategy.scope():
        ds = Dataset.range(3)
    with tf.device("cpu"):
        ds = ds.map(f)
    return ds  #? pipeline: range.map


def walrus():
    if (ds := Dataset.range(3)) is not None:
        ds.map(f)  #? pipeline: range.map
    print(other := Dataset.range(3).batch(2))
    other  #? pipeline: range.batch


def annotated():
    ds: Dataset = Dataset.range(3)
    return ds.batch(2)  #? pipeline: range.batch


def unpacked():
    train, test = Dataset.range(3), Dataset.from_tensors(x)
    train.batch(2)  #? pipeline: range.batch
    (test, _), rest = (test.map(f), 1), 2
    test  #? pipeline: from_tensors.map
    train, test = test, train
    train  #? pipeline: from_tensors.map
    test  #? pipeline: range


def starred():
    first, *rest = Dataset.range(3), Dataset.from_tensors(x)
    first  #? pipeline: range
    rest[0]  #?! pipeline: from_tensors


def chained_targets():
    a = b = Dataset.range(3)
    a.map(f)  #? pipeline: range.map
    b.batch(2)  #? pipeline: range.batch


def in_a_list():
    parts = [Dataset.range(3), Dataset.from_tensors(x)]
    parts[1].map(f)  #? pipeline: from_tensors.map
    for part in parts:
        part.batch(2)  #? pipeline: range.batch | from_tensors.batch
    for index, part in enumerate(parts):
        part.batch(2)  #? pipeline: range.batch | from_tensors.batch
    return [p.map(f) for p in parts]  #? pipeline of p.map(f): range.map | from_tensors.map


def in_a_dict():
    parts = {"train": Dataset.range(3), "test": Dataset.from_tensors(x)}
    parts["train"].map(f)  #?! pipeline: range.map


def replaced_in_a_list():
    parts = [Dataset.range(3)]
    parts[0] = load_somewhere()
    parts[0].map(f)  #? value: unknown


def in_a_loop():
    ds = Dataset.range(3)
    for f in functions:
        ds = ds.map(f)
    return ds  #? pipeline: range | range.map | ?


def in_a_while():
    ds = Dataset.range(3)
    while cond:
        ds = ds.repeat()
        if stop:
            break
        ds = ds.batch(2)
    return ds  #? pipeline: range | range.repeat | range.repeat.batch | ?


def rebound():
    ds = Dataset.range(3)
    ds = list(ds)
    return ds.map(f)  #? value: unknown


def joined():
    a = Dataset.range(3).map(f)
    b = Dataset.from_tensors(x)
    a.concatenate(b).batch(2)  #? pipeline: range.map.concatenate.batch | from_tensors.concatenate.batch


def iterated():
    for batch in Dataset.range(3).batch(2):
        batch  #? value: tensor
    for step, batch in enumerate(make()):
        step  #? value: number
        batch  #? value: tensor
    for features, labels in make():
        features  #? value: tensor
    element = next(iter(make()))
    element  #? value: tensor
    iterator = Dataset.range(3).make_one_shot_iterator()
    iterator.get_next()  #? value: tensor
    make().as_numpy_iterator()  #? value: iterator


def closure():
    ds = Dataset.range(3)

    def inner():
        return ds.map(f)  #? pipeline: range.map | range.batch.map

    ds = ds.batch(2)
    return inner


def matched(kind):
    match kind:
        case "a":
            ds = Dataset.range(3)
        case _:
            ds = Dataset.from_tensors(x)
    return ds  #? pipeline: range | from_tensors


def not_transforms():
    ds = Dataset.range(3)
    ds.reduce(0, f)  #? value: tensor
    ds.element_spec  #?! value: plain
    ds.unheard_of(3)  #? value: unknown


class Own(Dataset):
    def extra(self):
        return self


def own_dataset():
    Own().map(f)  #? pipeline: Dataset.map
