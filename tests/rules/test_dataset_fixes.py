"""The fixes of the dataset rules: which are safe, how `AUTOTUNE` is spelled, and what stays where it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepperf.engine.fix import fix
from deepperf.model import Safety
from tests.support import run, settings, write

_ONLY = ("--select", "TF201,TF202,TF203")
_OLD = (*_ONLY, "--target", "tensorflow=2.5")
_FILES = """
import tensorflow as tf

def build(pattern, count, flag):
    files = tf.data.Dataset.list_files(pattern)
    return {}
"""
_IMAGES = """
import tensorflow as tf

def resize(image):
    return tf.image.resize(image, [3, 3])

def build(images, training):
    {}
    ds = tf.data.Dataset.from_tensor_slices(images)
    return ds.map({})
"""
_SAFE = [
    _FILES.format("files.interleave(tf.data.TFRecordDataset, cycle_length=4)"),
    _FILES.format("files.interleave(lambda f: tf.data.TextLineDataset(f).skip(1), 4)"),
    _IMAGES.format("pass", "resize"),
    _IMAGES.format("pass", "resize, deterministic=True"),
]
_UNSAFE = [
    _FILES.format("files.interleave(tf.data.TFRecordDataset)"),
    _FILES.format("files.interleave(tf.data.TFRecordDataset, cycle_length=None)"),
    _FILES.format("files.interleave(tf.data.TFRecordDataset, cycle_length=count)"),
    _FILES.format("files.interleave(tf.data.TFRecordDataset, cycle_length=4, deterministic=flag)"),
    _FILES.format("files.interleave(lambda f: tf.data.TFRecordDataset(f).shuffle(100), cycle_length=4)"),
    _FILES.format(
        "files.interleave(lambda f: tf.data.TFRecordDataset(f).map(lambda r: tf.random.uniform([])), 4)"
    ),
    _IMAGES.format("pass", "tf.image.random_flip_left_right"),
    _IMAGES.format("pass", "resize, deterministic=training"),
    _IMAGES.format("tf.data.Options().deterministic = not training", "resize"),
]


def _safety(tmp_path: Path, source: str) -> set[Safety | None]:
    report = run(tmp_path, {"main.py": source}, _OLD)
    assert report.findings
    return {finding.fix.safety if finding.fix is not None else None for finding in report.findings}


@pytest.mark.parametrize("source", _SAFE)
def test_a_fix_that_changes_no_result_is_safe(source: str, tmp_path: Path) -> None:
    assert _safety(tmp_path, source) == {Safety.SAFE}


@pytest.mark.parametrize("source", _UNSAFE)
def test_a_fix_that_may_change_results_is_unsafe(source: str, tmp_path: Path) -> None:
    assert Safety.SAFE not in _safety(tmp_path, source)


def _fixed(tmp_path: Path, source: str) -> str:
    """Return the source after all fixes; applied again they change nothing."""
    write(tmp_path, {"main.py": source})
    changes = fix(["main.py"], settings(tmp_path, *_ONLY), tmp_path, Safety.UNSAFE).changes
    after = changes[0].after.text if changes else source
    write(tmp_path, {"main.py": after})
    assert fix(["main.py"], settings(tmp_path, *_ONLY), tmp_path, Safety.UNSAFE).changes == ()
    return after


_HEAD = "import tensorflow as tf\nds = tf.data.Dataset.from_tensor_slices(open('x'))\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("ds.map(FLIP)", "ds.map(FLIP, num_parallel_calls=AUTO)"),
        ("ds.map(FLIP,)", "ds.map(FLIP, num_parallel_calls=AUTO)"),
        ("ds.map((FLIP))", "ds.map((FLIP), num_parallel_calls=AUTO)"),
        ("ds.map(FLIP, None)", "ds.map(FLIP, AUTO)"),
        ("ds.map(FLIP, num_parallel_calls=None)", "ds.map(FLIP, num_parallel_calls=AUTO)"),
        ("ds.map(\n    FLIP  # both ways\n)", "ds.map(\n    FLIP, num_parallel_calls=AUTO  # both ways\n)"),
        ("ds.map(\n    FLIP,  # a, b)\n)", "ds.map(\n    FLIP, num_parallel_calls=AUTO,  # a, b)\n)"),
        ("ds.map(\n\tFLIP,\n)", "ds.map(\n\tFLIP,\n\tnum_parallel_calls=AUTO,\n)"),
        ("ds.map(\r\n\tFLIP,\r\n)", "ds.map(\r\n\tFLIP,\r\n\tnum_parallel_calls=AUTO,\r\n)"),
        ("ds.map(lambda v: v / 2.0).batch(3)", "ds.batch(3).map(lambda v: v / 2.0)"),
        ("(ds.map(lambda v: v / 2.0)).batch(3)", "(ds.batch(3)).map(lambda v: v / 2.0)"),
        (
            "(ds\n .map(lambda v: v / 2.0)\n   .batch(3)\n .prefetch(1))",
            "(ds\n .batch(3)\n   .map(lambda v: v / 2.0)\n .prefetch(1))",
        ),
        ("(ds.map(lambda v: v / 2.0)  # halve\n .batch(3))",) * 2,
    ],
)
def test_the_rest_of_the_call_stays_as_it_is(before: str, after: str, tmp_path: Path) -> None:
    names = {"FLIP": "tf.image.random_flip_left_right", "AUTO": "tf.data.AUTOTUNE"}
    head = _HEAD.replace("\n", "\r\n") if "\r\n" in before else _HEAD
    for name, text in names.items():
        before, after = before.replace(name, text), after.replace(name, text)
    assert _fixed(tmp_path, f"{head}ds = {before}") == f"{head}ds = {after}"


_BODY = """
from tensorflow.image import random_flip_left_right as flip
from tensorflow.data import Dataset
def build(x{parameter}):
    return Dataset.from_tensor_slices(x).map(flip{calls})
"""


@pytest.mark.parametrize(
    ("imports", "parameter", "spelled"),
    [
        ("import tensorflow", "", "tensorflow.data.AUTOTUNE"),
        ("import tensorflow.compat.v1 as tf", "", "tf.data.AUTOTUNE"),
        ("from tensorflow import data", "", "data.AUTOTUNE"),
        ("import tensorflow.data as tfd", ", tf", "tfd.AUTOTUNE"),
        ("import tensorflow as tf", ", tf", None),
        ("tf = 3", "", None),
    ],
)
def test_autotune_is_spelled_by_what_is_visible(
    imports: str, parameter: str, spelled: str | None, tmp_path: Path
) -> None:
    calls = f", num_parallel_calls={spelled}" if spelled is not None else ""
    before = imports + _BODY.format(parameter=parameter, calls="")
    assert _fixed(tmp_path, before) == imports + _BODY.format(parameter=parameter, calls=calls)
