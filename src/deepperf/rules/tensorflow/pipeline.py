"""Questions about dataset pipelines that several rules ask."""

from __future__ import annotations

import ast
import re

from deepperf.facts.loops import FEW
from deepperf.facts.module import Module
from deepperf.facts.pipelines import Step
from deepperf.facts.project.modules import DEBUG_MODE, UNORDERED
from deepperf.facts.project.symbols import Batchable
from deepperf.facts.scopes import CallSite, Scope, StoreSite
from deepperf.facts.syntax import argument, has_unpacking
from deepperf.facts.values import Const, Made, Sequence
from deepperf.knowledge import dataset_method
from deepperf.rules.api import Place, Site, Spot


def has_few_elements(site: Site) -> bool:
    """Tell whether the pipeline before a site surely has only a handful of elements, on every path."""
    return all(
        any(is_small(step, site) for step in path) or _is_one_batch(path, site)
        for known in site.steps
        for path in known.paths()
    )


def _is_one_batch(path: tuple[Step, ...], site: Site) -> bool:
    """Tell whether a path makes one batch of all its elements: as many rows as the batch has."""
    source = path[0].call
    batches = [
        (step.call, step.scope)
        for step in path[1:]
        if step.short == "batch" and isinstance(step.call, ast.Call) and step.call.args
    ]
    if (
        path[0].short != "from_tensor_slices"
        or not batches
        or not isinstance(source, ast.Call)
        or not source.args
    ):
        return False
    batch_size, batch_scope = batches[0][0].args[0], batches[0][1]
    made = source.args[0]
    if not isinstance(made, ast.Call) or not isinstance(batch_size, ast.Name):
        return False
    shapes = [
        argument.elts
        for argument in made.args
        if isinstance(argument, ast.Tuple | ast.List) and argument.elts
    ]
    scope = path[0].scope
    return any(
        isinstance(shape[0], ast.Name)
        and shape[0].id == batch_size.id
        and scope.module.definitions(shape[0], scope) == scope.module.definitions(batch_size, batch_scope)
        for shape in shapes
    )


def is_small(step: Step, site: Spot) -> bool:
    """Tell whether a step surely gives only a handful of elements."""
    call = step.call
    if not isinstance(call, ast.Call):
        return False
    if step.short == "from_tensors":
        return True
    infer = site.project.inference
    if step.short == "take" and call.args:
        value = infer.one(call.args[0], step.scope, step.frame)
        return isinstance(value, Const) and isinstance(value.value, int) and 0 <= value.value <= FEW
    if step.short == "range" and step.name.endswith("Dataset.range"):
        numbers = [infer.one(argument, step.scope, step.frame) for argument in call.args]
        values = [v.value for v in numbers if isinstance(v, Const) and isinstance(v.value, int)]
        return len(values) == len(numbers) and bool(values) and all(abs(v) <= FEW for v in values)
    if step.short == "from_tensor_slices" and call.args:
        return _is_short(infer.one(call.args[0], step.scope, step.frame), site)
    return False


def _is_short(value: object, site: Spot) -> bool:
    if not isinstance(value, Sequence) or value.elements is None or len(value.elements) > FEW:
        return False
    if value.kind == "list":
        return True
    # A tuple or a dict is cut along its parts: each must be short itself.
    parts = [site.project.inference.one(element, value.scope, value.frame) for element in value.elements]
    return bool(parts) and any(_is_short(part, site) for part in parts)


def is_nested_in_parallel(site: Site) -> bool:
    """Tell whether the site is in the function of a dataset transformation that runs several of its calls at a time."""
    return any(_is_parallel(call) for call in _transformations_around(site))


def _is_parallel(call: CallSite) -> bool:
    known = dataset_method(call.method_name or "")
    if known is None or known.parallel is None:
        return False
    given = argument(call.node, known.parallel, known.parameters.index(known.parallel))
    return given is not None or has_unpacking(call.node)


def _transformations_around(site: Site) -> list[CallSite]:
    """Return the dataset transformations whose function the site is in."""
    regions = site.project.regions
    for step in site.located.context:
        if step.kind == "lambda":
            taken = regions.taker(step)
            return [taken] if taken is not None and regions.is_dataset_callback(taken) else []
    if site.function is None:
        return []
    return [c for c in site.project.calls.callers(site.function).handed_on if regions.is_dataset_callback(c)]


def is_serial_by_option(site: Site) -> bool:
    """Tell whether the module switches off what makes stateless maps parallel by itself."""
    return any(
        isinstance(store.value, ast.Constant) and store.value.value is False and _is_option(store, site)
        for name in ("map_parallelization", "apply_default_optimizations", "enabled")
        for store in site.module.index.stores.get(name, ())
    )


def _is_option(store: StoreSite, site: Site) -> bool:
    """Tell whether an assignment sets an option of a dataset: `options.autotune.enabled`."""
    return any(
        isinstance(value, Made) and value.api.startswith("tensorflow.data.Options")
        for value in site.project.inference.values(store.node.value, store.scope)
    )


def is_made_deterministic(site: Site) -> bool:
    """Tell whether the module asks for deterministic ops: TensorFlow then runs stateful maps one by one whatever they say."""
    return any(call.method_name == "enable_op_determinism" for call in site.module.index.calls)


def is_in_debug_mode(site: Site) -> bool:
    """Tell whether the site's module, or one that uses it, runs pipelines in debug mode: serial whatever the calls say."""
    modules = site.project.modules
    switching = modules.holding(*DEBUG_MODE)
    return site.source.file in switching or modules.named_in(site.module, switching)


def may_be_unordered(site: Site) -> bool:
    """Tell whether the call, or something in the project, may let datasets give their elements out of order."""
    given = [site.argument("deterministic")]
    for name in ("deterministic", "experimental_deterministic"):
        given += [store.value for store in site.module.index.stores.get(name, ())]
    is_open = any(node is not None and not _is_true(node) for node in given)
    return is_open or site.project.modules.mentions(*UNORDERED)


def _is_true(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is True


def modules_after(site: Site) -> list[Module]:
    """Return the modules in which the data of a site may go on: its own, and those that call its function."""
    modules = [site.module]
    if site.function is not None:
        modules += [found.call.module for found in site.project.calls.callers(site.function).sites]
    return list(dict.fromkeys(modules))


def later_steps(site: Site) -> list[Step]:
    """Return the steps that the data of this site goes through afterwards, in its module and those that call its function."""
    found: list[Step] = []
    for module in modules_after(site):
        for call in module.index.calls:
            if call.method_name not in _LATER or call.node is site.node:
                continue
            for value in site.project.inference.values(call.node, call.scope):
                step = getattr(value, "step", None)
                if step is not None and any(s.call is site.node for path in step.paths() for s in path):
                    found.append(step)
    return found


_LATER = frozenset({"shuffle", "batch", "cache", "repeat", "padded_batch", "take"})


_READY_BATCHED = frozenset(
    "make_csv_dataset make_batched_features_dataset image_dataset_from_directory text_dataset_from_directory "
    "audio_dataset_from_directory timeseries_dataset_from_array to_tf_dataset batch padded_batch ragged_batch "
    "sparse_batch bucket_by_sequence_length map_and_batch dense_to_ragged_batch rebatch".split()
)


def gives_batches(step: Step, site: Site) -> bool:
    """Tell whether the elements after a step are batches, or may be: a source that batches, or a transformation."""
    if step.short in _READY_BATCHED:
        return True
    if step.name == "tensorflow_datasets.load" and isinstance(step.call, ast.Call):
        return any(keyword.arg in ("batch_size", None) for keyword in step.call.keywords)
    return False


_SOURCES_OF_EQUALS = frozenset(
    "from_tensor_slices range list_files TFRecordDataset TextLineDataset FixedLengthRecordDataset".split()
)
# Data sets of tensorflow_datasets whose features have one shape each.
_EQUAL_IN_TFDS = frozenset(
    "mnist fashion_mnist kmnist emnist cifar10 cifar100 svhn_cropped iris titanic".split()
)


def has_equal_shapes(site: Site) -> bool:
    """Tell whether all elements that reach a site have the same shapes for sure, so that they can be batched."""
    return all(
        _gives_equal_shapes(path[0], site) and all(_keeps_shapes(step, site) for step in path[1:-1])
        for known in site.steps
        for path in known.paths()
    )


def _gives_equal_shapes(source: Step, site: Site) -> bool:
    if source.name != "tensorflow_datasets.load" or not isinstance(source.call, ast.Call):
        return source.short in _SOURCES_OF_EQUALS
    name = argument(source.call, "name", 0)
    value = site.project.inference.one(name, source.scope, source.frame) if name is not None else None
    return isinstance(value, Const) and re.split("[:/]", str(value.value))[0] in _EQUAL_IN_TFDS


def _keeps_shapes(step: Step, site: Site) -> bool:
    known = step.method
    if step.short == "map" and isinstance(step.call, ast.Call):
        proof = maps_batches(step.call, step.scope, site)
        return proof is not None and not proof.twins
    return step.short == "filter" or (known is not None and known.order_neutral)


def maps_batches(call: ast.Call, scope: Scope, site: Site) -> Batchable | None:
    """Return the proof that the function given to a `map` works on batches, None if there is none."""
    function = argument(call, "map_func", 0)
    return site.project.batchable.of(function, scope) if function is not None else None


def batches_of_one(step: Step, site: Site) -> bool:
    """Tell whether a batch step makes batches of a single element."""
    if not isinstance(step.call, ast.Call):
        return False
    size = argument(step.call, "batch_size", 0)
    value = site.project.inference.one(size, step.scope, step.frame) if size is not None else None
    return isinstance(value, Const) and value.value == 1


def start(site: Site) -> tuple[Place, ...]:
    """Return where the pipeline of a site starts, if that is on another line."""
    for known in site.steps:
        for path in known.paths():
            place = path[0].scope.module.source.place(path[0].call, "the pipeline starts here")
            if place.path != site.source.path or place.span.line != site.span().line:
                return (place,)
    return ()
