"""The input pipelines: photographs for the network, measurements for the baseline."""

import tensorflow as tf

from files import RECORDS, parse


def augment(image, label):
    """Change a photograph at random, so that the network sees each one in many ways."""
    image = tf.image.random_flip_left_right(image)
    image = tf.image.random_brightness(image, 0.2)
    return tf.image.resize(image, [160, 160]), label


def photos(images, labels, batch_size=32):
    """Shuffled, augmented batches of photographs."""
    ds = tf.data.Dataset.from_tensor_slices((images, labels))
    ds = ds.shuffle(2048)
    ds = ds.map(augment)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def measurements(batch_size=512):
    """Batches of measured flowers, from many small files."""
    names = tf.data.Dataset.list_files(RECORDS)
    records = names.interleave(tf.data.TFRecordDataset, cycle_length=8)
    return records.shuffle(10_000).map(parse).batch(batch_size)


def labels_only(labels, classes):
    """What the confusion matrix needs: already in batches, so nothing is to be gained here."""
    ds = tf.data.Dataset.from_tensor_slices(labels).batch(1024)
    return ds.map(lambda label: tf.one_hot(label, classes))
