"""Every spelling of a name leads to one canonical name."""

from __future__ import annotations

import pytest

from deepperf.knowledge import canonical, is_framework_root, lookup
from deepperf.knowledge.tables import tables

SPELLINGS = {
    "tensorflow.Session": "tensorflow.compat.v1.Session tensorflow.python.client.session.Session",
    "tensorflow": "tensorflow.compat.v1 tensorflow.compat.v2 tensorflow",
    "tensorflow.add": "tensorflow.math.add tensorflow.compat.v2.math.add tensorflow.python.ops.math_ops.add",
    "tensorflow.reshape": "tensorflow.python.ops.array_ops.reshape tensorflow.manip.reshape",
    "tensorflow.while_loop": "tensorflow.python.ops.control_flow_ops.while_loop",
    "tensorflow.nn.softmax": "tensorflow.math.softmax tensorflow.python.ops.nn.softmax",
    "tensorflow.image.resize": "tensorflow.image.resize_images tensorflow.python.ops.image_ops.resize_images",
    "tensorflow.io.read_file": "tensorflow.read_file",
    "tensorflow.io.decode_raw": "tensorflow.decode_raw",
    "tensorflow.io.decode_jpeg": "tensorflow.image.decode_jpeg",
    "tensorflow.io.parse_single_example": "tensorflow.parse_single_example",
    "tensorflow.io.FixedLenFeature": "tensorflow.FixedLenFeature",
    "tensorflow.math.log": "tensorflow.log",
    "tensorflow.random.normal": "tensorflow.random_normal",
    "tensorflow.random.uniform": "tensorflow.compat.v1.random_uniform",
    "tensorflow.float32": "tensorflow.dtypes.float32",
    "tensorflow.sigmoid": "tensorflow.nn.sigmoid tensorflow.math.sigmoid",
    "tensorflow.train.AdamOptimizer": "tensorflow.python.training.adam.AdamOptimizer",
    "tensorflow.data.Dataset.from_tensor_slices": "tensorflow.contrib.data.Dataset.from_tensor_slices "
    "tensorflow.python.data.ops.dataset_ops.DatasetV2.from_tensor_slices "
    "tensorflow.compat.v1.data.Dataset.from_tensor_slices",
    "tensorflow.data.experimental.map_and_batch": "tensorflow.contrib.data.map_and_batch",
    "tensorflow.nn.rnn_cell.LSTMCell": "tensorflow.contrib.rnn.LSTMCell",
    "tensorflow.contrib.slim.conv2d": "tf_slim.conv2d",
    "tensorflow.function": "tensorflow.python.eager.def_function.function",
    "tensorflow.Variable.assign": "tensorflow.python.ops.variables.Variable.assign",
    "tensorflow.losses.mean_squared_error": "tensorflow.compat.v1.losses.mean_squared_error",
    "tensorflow.summary.scalar": "tensorflow.scalar_summary",
    "keras": "tensorflow.keras tf_keras keras.src tensorflow.python.keras tensorflow.compat.v1.keras",
    "keras.Model": "keras.models.Model tensorflow.keras.models.Model keras.engine.training.Model",
    "keras.Sequential": "tensorflow.keras.models.Sequential tf_keras.Sequential",
    "keras.layers.Dense": "keras.layers.core.Dense keras.src.layers.core.dense.Dense "
    "tensorflow.python.keras.layers.core.Dense tensorflow.compat.v1.keras.layers.Dense",
    "keras.layers.Layer": "keras.engine.topology.Layer keras.Layer",
    "keras.optimizers.Adam": "tensorflow.optimizers.Adam tensorflow.keras.optimizers.legacy.Adam "
    "keras.src.optimizers.adam.Adam",
    "keras.losses.MeanSquaredError": "tensorflow.losses.MeanSquaredError tf_keras.losses.MeanSquaredError",
    "keras.backend.clear_session": "keras.utils.clear_session tensorflow.keras.backend.clear_session",
    "lightning.Trainer": "pytorch_lightning.Trainer lightning.pytorch.Trainer lightning.trainer.Trainer",
    "torch.no_grad": "torch.autograd.no_grad torch.autograd.grad_mode.no_grad",
    "torch.autograd.Variable": "torch.autograd.variable.Variable",
    "jax.jit": "jax.experimental.pjit.pjit",
}
FRAMEWORKS = ("tensorflow", "keras", "torch", "lightning", "jax", "numpy")


@pytest.mark.parametrize(
    ("spelled", "name"),
    [(spelled, name) for name, spellings in SPELLINGS.items() for spelled in spellings.split()],
)
def test_spelling(spelled: str, name: str) -> None:
    assert canonical(spelled) == name


@pytest.mark.parametrize(
    "name",
    [
        "os.path.join",
        "numpy.random.rand",
        "tensorflow.python",
        "tensorflow.no_such_op",
        "keras.layers.core",
        "mine.tensorflow.add",
    ],
)
def test_other_names_come_back_as_they_are(name: str) -> None:
    assert canonical(name) == name


def test_a_member_of_an_unknown_class_is_no_function_of_the_module() -> None:
    # Only modules are left out on the way to a public name, never a class.
    assert canonical("keras.layers.NoSuchLayer.add") == "keras.layers.NoSuchLayer.add"


@pytest.mark.parametrize("framework", FRAMEWORKS)
def test_canonical_names_stand_for_themselves(framework: str) -> None:
    known = tables(framework)
    assert [name for name in known.apis if canonical(name) != name] == []
    twice = [alias for alias in known.aliases if canonical(canonical(alias)) != canonical(alias)]
    assert twice == []


def test_aliases_lead_to_something_known() -> None:
    spaces = {name.rpartition(".")[0] + "." for framework in FRAMEWORKS for name in tables(framework).apis}
    targets = {canonical(alias) for framework in FRAMEWORKS for alias in tables(framework).aliases}
    unknown = {name + "." for name in targets if not lookup(name).known}
    assert [name for name in unknown if not any(space.startswith(name) for space in spaces)] == []


def test_framework_roots() -> None:
    assert is_framework_root("tensorflow_datasets")
    assert not is_framework_root("os")
