"""What names are known to give and to do."""

from __future__ import annotations

import pytest

from deepperf.knowledge import IMPURE, canonical, lookup, method, method_result
from deepperf.knowledge.tables import tables

# Python objects and graph book-keeping, by hand from the documentation: a call of these adds no node.
PURE_PYTHON = """
as_dtype add_to_collection get_collection get_collection_ref all_variables global_variables
local_variables trainable_variables model_variables moving_average_variables get_default_graph
get_default_session get_logger get_seed get_variable_scope get_static_value is_tensor
executing_eagerly executing_eagerly_outside_functions enable_eager_execution disable_eager_execution
enable_v2_behavior disable_v2_behavior enable_resource_variables resource_variables_enabled
reset_default_graph set_random_seed device name_scope variable_scope control_dependencies
colocate_with container init_scope op_scope variable_op_scope variable_creator_scope custom_gradient
grad_pass_through no_gradient NoGradient NotDifferentiable recompute_grad
register_tensor_conversion_function RegisterGradient load_op_library load_library
load_file_system_library make_template make_ndarray make_tensor_proto fixed_size_partitioner
min_max_variable_partitioner variable_axis_size_partitioner no_regularizer broadcast_static_shape
dimension_at_index dimension_value debugging.assert_proper_iterable
debugging.assert_same_float_dtype debugging.assert_scalar type_spec_from_value Graph Session
ConfigProto TensorShape DType Dimension GPUOptions RunOptions NodeDef app.run gfile.GFile
gfile.Exists logging.info train.Coordinator train.Server train.ClusterSpec train.latest_checkpoint
train.get_checkpoint_state io.FixedLenFeature io.VarLenFeature FixedLenFeature
FixedLenSequenceFeature VarLenFeature io.SparseFeature TensorSpec train.get_global_step
train.Feature train.Example Module function config.list_physical_devices
"""
PURE_OPS = "reduce_sum reshape cast constant matmul one_hot shape zeros nn.softmax linalg.inv image.resize"
EFFECTS = {
    "tensorflow.random.normal": "random",
    "tensorflow.nn.dropout": "random",
    "tensorflow.image.random_flip_left_right": "random",
    "tensorflow.Variable": "resource",
    "tensorflow.placeholder": "resource",
    "tensorflow.TensorArray": "resource",
    "tensorflow.assign_add": "writes",
    "tensorflow.global_variables_initializer": "stateful",
    "tensorflow.losses.softmax_cross_entropy": "stateful",
    "tensorflow.layers.dense": "stateful",
    "tensorflow.print": "side-effect",
    "tensorflow.cond": "control-flow",
    "tensorflow.map_fn": "control-flow",
    "tensorflow.py_function": "python",
    "tensorflow.numpy_function": "python",
    "tensorflow.io.read_file": "reads-file",
    "tensorflow.data.TFRecordDataset": "reads-file",
    "keras.backend.get_value": "runs-graph",
    "tensorflow.Session.run": "runs-graph",
    "torch.cuda.synchronize": "sync",
}


@pytest.mark.parametrize("name", PURE_PYTHON.split())
def test_pure_python_is_no_op(name: str) -> None:
    api = lookup(canonical(f"tensorflow.{name}"))
    assert api.known
    assert "node" not in api.effects


@pytest.mark.parametrize("name", PURE_OPS.split())
def test_pure_ops(name: str) -> None:
    api = lookup(f"tensorflow.{name}")
    assert api.is_pure_op
    assert api.returns == "tensor"


@pytest.mark.parametrize(("name", "effect"), EFFECTS.items())
def test_effects(name: str, effect: str) -> None:
    api = lookup(name)
    assert effect in api.effects
    assert not api.is_pure_op


@pytest.mark.parametrize("framework", ["tensorflow", "keras"])
def test_ops_that_work_on_batches_are_pure(framework: str) -> None:
    batchable = {"elementwise", "axis", "image-4d", "select"}
    apis = [lookup(name) for name in tables(framework).apis]
    assert [api.name for api in apis if api.traits & batchable and not api.is_pure_op] == []


@pytest.mark.parametrize(
    "name", ["reduce_sum", "argmax", "cumsum", "sort", "nn.softmax", "math.top_k", "nn.top_k", "squeeze"]
)
def test_ops_that_mix_elements_of_an_axis_are_not_elementwise(name: str) -> None:
    assert "elementwise" not in lookup(f"tensorflow.{name}").traits


def test_axis_traits_say_what_becomes_of_the_rank() -> None:
    assert {"axis", "drops-axis"} <= lookup("tensorflow.reduce_mean").traits
    assert {"axis", "keeps-axes", "last-axis"} <= lookup("tensorflow.nn.softmax").traits
    assert {"axis", "adds-axis"} <= lookup("tensorflow.expand_dims").traits


def test_random_image_ops_take_no_batch_in_place_of_one() -> None:
    # On a batch all images would share one draw.
    names = [name for name in tables("tensorflow").apis if name.startswith("tensorflow.image.random_")]
    assert names
    assert [name for name in names if "image-4d" in lookup(name).traits] == []


def test_record_ops_name_their_twin() -> None:
    twins = {name: lookup(name).twin for name in tables("tensorflow").apis if "record" in lookup(name).traits}
    assert twins == {
        "tensorflow.io.parse_single_example": "tensorflow.io.parse_example",
        "tensorflow.io.parse_single_sequence_example": "tensorflow.io.parse_sequence_example",
    }
    assert all(lookup(twin).is_pure_op for twin in twins.values())


def test_unknown_names() -> None:
    for name in ("tensorflow.no_such_op", "os.path.join", "", "tensorflow"):
        api = lookup(name)
        assert (api.known, api.returns, api.effects) == (False, "unknown", frozenset())


def test_every_op_of_a_namespace_that_holds_nothing_else() -> None:
    assert lookup("tensorflow.raw_ops.MatMul").is_pure_op


def test_parameters_are_in_the_order_of_the_call() -> None:
    assert lookup("tensorflow.one_hot").parameters[:2] == ("indices", "depth")
    assert lookup("tensorflow.data.Dataset.map").parameters[:2] == ("map_func", "num_parallel_calls")
    assert lookup("keras.layers.Dense").parameters[0] == "units"


def test_members_of_what_an_api_gives() -> None:
    assert lookup("tensorflow.get_variable.assign").effects == {"node", "stateful", "writes"}
    assert lookup("tensorflow.train.AdamOptimizer.minimize").returns == "operation"
    assert lookup("tensorflow.Session.graph.finalize").known
    assert not lookup("tensorflow.Session.no_such_method").known


def test_methods_of_values() -> None:
    assert "runs-graph" in method("tensor", "eval").effects
    assert "sync" in method("tensor", "numpy").effects
    # Reading the initialiser that a variable has anyway, and `load`, add no node.
    assert not method("variable", "load").effects & {"node"}
    assert not method("variable", "initializer").effects
    assert not method("tensor", "no_such_method").known


@pytest.mark.parametrize(
    ("kind", "name", "called", "expected"),
    [
        ("session", "run", False, "session.run"),
        ("session.run", "__call__", True, "array"),
        ("session", "graph", False, "graph"),
        ("graph.as_default", "__call__", True, "graph"),
        ("tensor", "shape", False, "plain"),
        ("tensor.no_such_method", "__call__", True, "tensor"),
        ("variable.assign", "__call__", True, "tensor"),
        ("optimizer.minimize", "__call__", True, "operation"),
        ("model", "__call__", True, "tensor"),
        ("model.get_layer", "__call__", True, "layer"),
        ("layer", "__call__", True, "tensor"),
        ("iterator.get_next", "__call__", True, "tensor"),
        ("function", "__call__", True, "unknown"),
        ("plain", "__call__", True, "unknown"),
        ("session.no_such_method", "__call__", True, "unknown"),
    ],
)
def test_method_result(kind: str, name: str, called: bool, expected: str) -> None:
    assert method_result(kind, name, called=called) == expected


def test_impure_is_what_pure_ops_lack() -> None:
    assert "node" not in IMPURE
    assert {"random", "stateful", "side-effect", "control-flow", "resource", "python"} <= IMPURE
