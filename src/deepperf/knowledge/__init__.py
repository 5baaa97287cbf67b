"""What deepperf knows of the frameworks. The facts stand in the TOML files beside this one."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from deepperf.knowledge._tables import TABLES

_PREFIXES: dict[str, str] = TABLES["prefixes"]
_RENAMED: dict[str, str] = TABLES["renamed"]
_RETURNS: dict[str, str] = TABLES["returns"]
_RETURNS_BY_PREFIX: dict[str, str] = TABLES["returns_by_prefix"]
_MODULES = frozenset(TABLES["modules"])
_EXTRA = frozenset(TABLES["extra"])
_PLAIN = frozenset(TABLES["plain"])
_CLASSES = frozenset(TABLES["classes"])
_SIGNATURES: dict[str, str] = TABLES["signatures"]
_FRAMEWORK_ROOTS = frozenset(
    "tensorflow keras tf_keras torch jax jaxlib numpy lightning pytorch_lightning transformers flax optax tensorflow_datasets "
    "tensorflow_hub tensorflow_addons tensorflow_probability torchvision torchaudio accelerate pandas scipy sklearn".split()
)


class Api(NamedTuple):
    """What is known of one function or class.

    `returns` is a kind of value: tensor, variable, dataset, session, graph, optimizer, model, layer, loader, module,
    array, plain, unknown, …. `effects` are what a call does: `node` (adds nodes to the graph, or runs a kernel), random,
    stateful, side-effect, control-flow, resource, python, reads-file, runs-graph. `traits` tell how it acts on batches and what it
    costs: elementwise, axis, image-4d, heavy, free, cheap. `twin` is the function that does for a batch of records what this
    one does for one. `known` is False for a name that no table holds.
    """

    name: str
    known: bool
    returns: str
    effects: frozenset[str]
    traits: frozenset[str]
    parameters: tuple[str, ...]
    twin: str | None


class DatasetMethod(NamedTuple):
    """A method of `tf.data.Dataset`. `role` is `transform` or `sink`; `callback` tells that it takes a function."""

    name: str
    parameters: tuple[str, ...]
    role: str
    order_neutral: bool
    callback: bool


@cache
def canonical(dotted: str) -> str:
    """Return the one name under which everything is known of what `dotted` spells."""
    for _ in range(4):
        changed = _rewritten(dotted)
        if changed == dotted:
            break
        dotted = changed
    return dotted


def _rewritten(dotted: str) -> str:
    found = _RENAMED.get(dotted)
    if found is not None:
        return found
    end = len(dotted)
    while end > 0:
        prefix = dotted[:end]
        target = _PREFIXES.get(prefix)
        if target is not None:
            return target + dotted[end:]
        end = dotted.rfind(".", 0, end)
    return dotted


@cache
def lookup(name: str) -> Api:
    """Return what is known of an API by its canonical name; an unknown one has `known` False."""
    effects = frozenset(TABLES["effects"].get(name, "").split())
    if _creates_nodes(name):
        effects |= {"node"}
    signature = _SIGNATURES.get(name)
    returns = _returned(name, effects)
    known = bool(effects) or signature is not None or name in _PLAIN or returns != "unknown"
    traits = frozenset(TABLES["traits"].get(name, "").split())
    if name in _PLAIN or name.startswith("operator."):
        traits |= {"free"}
    parameters = tuple(signature.split()) if signature else ()
    return Api(name, known, returns, effects, traits, parameters, TABLES["twins"].get(name))


def _creates_nodes(name: str) -> bool:
    if name in _EXTRA:
        return True
    module, _, last = name.rpartition(".")
    if module not in _MODULES or name in _PLAIN or name in _CLASSES or name in _DTYPES:
        return False
    return last[:1].islower() and not last.startswith(("enable_", "disable_")) and last not in _SUBMODULES


def _returned(name: str, effects: frozenset[str]) -> str:
    found = _RETURNS.get(name)
    if found is not None:
        return found
    if "node" in effects:
        return "tensor"
    if name in _DTYPES or name in _PLAIN:
        return "plain"
    end = name.rfind(".")
    while end > 0:
        kind = _RETURNS_BY_PREFIX.get(name[:end])
        if kind is not None:
            return kind
        end = name.rfind(".", 0, end)
    if name.startswith("tensorflow.train.") and name.endswith("Optimizer"):
        return "optimizer"
    return "plain" if name in _CLASSES else "unknown"


def dataset_method(name: str) -> DatasetMethod | None:
    """Return what is known of a method of datasets, None if they have none of that name."""
    return _dataset_methods().get(name)


@cache
def _dataset_methods() -> dict[str, DatasetMethod]:
    roles = TABLES["dataset_roles"]
    found: dict[str, DatasetMethod] = {}
    for name, parameters in TABLES["dataset_methods"].items():
        if is_dataset_source(f"tensorflow.data.Dataset.{name}"):
            continue
        role = "sink" if name in roles["sinks"] else "transform"
        neutral, callback = name in roles["neutral"], name in roles["callbacks"]
        found[name] = DatasetMethod(name, tuple(parameters.split()), role, neutral, callback)
    return found


def is_dataset_source(name: str) -> bool:
    """Tell whether calling an API makes a dataset that no other dataset flows into."""
    return _RETURNS.get(name) == "dataset" or name == "tensorflow_datasets.load"


def is_framework_root(name: str) -> bool:
    """Tell whether a top-level module is a known framework, so that imports of it are never the project's own."""
    return name in _FRAMEWORK_ROOTS


def current_release(framework: str) -> str:
    """Return the framework's current release, "0" for one without tables."""
    return str(TABLES["current"].get(framework, "0"))


def since(fact: str) -> str:
    """Return the version from which a fact holds, such as `tensorflow.automatic-map-parallelism`."""
    return str(TABLES["since"][fact])


def framework_markers(framework: str) -> tuple[bytes, ...]:
    """Return byte strings one of which stands in every file that uses a framework."""
    return tuple(marker.encode() for marker in TABLES["markers"].get(framework, [framework]))


# What attributes and methods of objects give. A method that is not called yet has the kind "object.method".
_ATTRIBUTES = {
    ("tensor", "shape"): "plain",
    ("tensor", "dtype"): "plain",
    ("tensor", "name"): "string",
    ("tensor", "T"): "tensor",
    ("variable", "shape"): "plain",
    ("variable", "dtype"): "plain",
    ("variable", "name"): "string",
    ("session", "graph"): "graph",
    ("model", "layers"): "list",
    ("plain", "shape"): "plain",
}
_METHODS = {
    "session.run": "array",
    "session.as_default": "session",
    "session.__enter__": "session",
    "graph.as_default": "graph",
    "graph.get_tensor_by_name": "tensor",
    "graph.get_operation_by_name": "operation",
    "tensor.numpy": "array",
    "tensor.eval": "array",
    "tensor.get_shape": "plain",
    "variable.numpy": "array",
    "variable.eval": "array",
    "variable.read_value": "tensor",
    "variable.value": "tensor",
    "variable.assign": "tensor",
    "variable.assign_add": "tensor",
    "variable.assign_sub": "tensor",
    "model.predict": "array",
    "optimizer.minimize": "operation",
    "optimizer.apply_gradients": "operation",
    "iterator.get_next": "tensor",
    "array.astype": "array",
    "array.reshape": "array",
}


def method_result(kind: str, name: str, *, called: bool) -> str:
    """Return the kind of `object.name`, or with `called` what calling an object of that kind gives."""
    if not called:
        return _ATTRIBUTES.get((kind, name), f"{kind}.{name}")
    if kind in ("layer", "model"):
        return "tensor"
    known = _METHODS.get(kind)
    if known is not None:
        return known
    return "tensor" if kind.startswith(("tensor.", "variable.")) else "unknown"


_SUBMODULES = frozenset(
    "app compat config contrib data estimator experimental feature_column flags gfile initializers io keras layers linalg logging lookup "
    "losses math metrics nn profiler python queue ragged random raw_ops resource_loader saved_model sets signal sparse "
    "spectral strings summary sysconfig test train tools types user_ops version xla autograph autodiff bitwise distribute audio image "
    "quantization tpu debugging dtypes errors graph_util lite mixed_precision mlir nest".split()
)
_DTYPES = frozenset(
    f"tensorflow.{name}"
    for name in "float16 float32 float64 double half bfloat16 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bool string complex64 "
    "complex128 qint8 qint32 quint8 variant resource newaxis".split()
)
