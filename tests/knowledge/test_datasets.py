"""What is known of tf.data."""

from __future__ import annotations

import pytest

from deepperf.knowledge import canonical, dataset_method, dataset_sources, is_dataset_source, lookup


@pytest.mark.parametrize(
    ("name", "parallel", "position", "callback"),
    [
        ("map", "num_parallel_calls", 1, ("map_func",)),
        ("interleave", "num_parallel_calls", 3, ("map_func",)),
        ("batch", "num_parallel_calls", 2, ()),
        ("map_and_batch", "num_parallel_calls", 4, ("map_func",)),
    ],
)
def test_parallel_methods(name: str, parallel: str, position: int, callback: tuple[str, ...]) -> None:
    method = dataset_method(name)
    assert method is not None
    assert (method.parallel, method.callback) == (parallel, callback)
    assert method.parameters.index(parallel) == position


@pytest.mark.parametrize("name", ["shuffle", "repeat", "prefetch", "cache", "take", "skip", "with_options"])
def test_order_neutral_methods(name: str) -> None:
    method = dataset_method(name)
    assert method is not None
    assert method.order_neutral
    assert method.role == "transform"


@pytest.mark.parametrize(
    "name", ["map", "filter", "flat_map", "batch", "padded_batch", "unbatch", "window", "enumerate"]
)
def test_methods_that_look_into_elements_or_change_them(name: str) -> None:
    method = dataset_method(name)
    assert method is None or not method.order_neutral


def test_methods_that_make_batches() -> None:
    makes = {name for name in ("batch", "padded_batch", "ragged_batch", "map", "shuffle") if _batches(name)}
    assert makes == {"batch", "padded_batch", "ragged_batch"}


def _batches(name: str) -> bool:
    method = dataset_method(name)
    return method is not None and method.batches


def test_sinks_give_no_dataset() -> None:
    for name in ("reduce", "cardinality", "make_one_shot_iterator", "as_numpy_iterator"):
        method = dataset_method(name)
        assert method is not None
        assert method.role == "sink"
        assert lookup(f"tensorflow.data.Dataset.{name}").returns != "dataset"


def test_methods_that_datasets_do_not_have() -> None:
    # Constructors are sources; `append` belongs to lists.
    for name in ("append", "from_tensor_slices", "range", "zip", "list_files"):
        assert dataset_method(name) is None


@pytest.mark.parametrize(
    ("name", "batched"),
    [
        ("tensorflow.data.Dataset.from_tensor_slices", False),
        ("tensorflow.data.Dataset.zip", False),
        ("tensorflow.data.TFRecordDataset", False),
        ("tensorflow_datasets.load", False),
        ("tensorflow.data.experimental.make_csv_dataset", True),
        ("keras.utils.image_dataset_from_directory", True),
    ],
)
def test_sources(name: str, batched: bool) -> None:
    assert is_dataset_source(name)
    assert ("batched" in lookup(name).traits) is batched


def test_every_source_gives_a_dataset() -> None:
    sources = dataset_sources("tensorflow") | dataset_sources("keras")
    assert {lookup(name).returns for name in sources} == {"dataset"}
    assert not is_dataset_source("tensorflow.data.Dataset.map")


def test_keras_spelling_of_a_source() -> None:
    assert is_dataset_source(canonical("tensorflow.keras.preprocessing.image_dataset_from_directory"))
