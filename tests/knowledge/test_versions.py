"""Releases, what came when, and the words that betray a framework."""

from __future__ import annotations

import re

import pytest

from deepperf.knowledge import current_release, framework_markers, frameworks, release_seen, since

TARGETS = ("tensorflow", "keras", "torch", "lightning", "transformers", "datasets", "accelerate", "jax")


@pytest.mark.parametrize("framework", TARGETS)
def test_every_target_has_a_dated_release(framework: str) -> None:
    assert framework in frameworks()
    assert re.fullmatch(r"\d+(\.\d+)+", current_release(framework))
    assert re.fullmatch(r"20\d\d-\d\d-\d\d", release_seen(framework))


def test_facts() -> None:
    assert since("tensorflow.automatic-map-parallelism") == "2.6"
    assert since("tensorflow.autotune-root") == "2.4"
    assert since("tensorflow.autotune-experimental") == "1.13"
    assert since("tensorflow.eager-by-default") == "2.0"
    assert since("tensorflow.map.deterministic") == "2.2"
    with pytest.raises(KeyError):
        since("tensorflow.no-such-fact")


@pytest.mark.parametrize(
    ("framework", "text"),
    [
        ("tensorflow", b"import tensorflow as tf"),
        ("tensorflow", b"from keras import backend as K"),
        ("tensorflow", b"ds = tfds.load('mnist')"),
        ("torch", b"from torch import nn"),
        ("jax", b"import jax.numpy as jnp"),
        ("lightning", b"import pytorch_lightning as pl"),
    ],
)
def test_markers_stand_in_files_that_use_the_framework(framework: str, text: bytes) -> None:
    assert any(marker in text for marker in framework_markers(framework))


def test_markers_do_not_stand_everywhere() -> None:
    text = b"import os\nimport numpy as np\nprint(np.zeros(3))\n"
    assert not any(marker in text for framework in TARGETS for marker in framework_markers(framework))
