"""What a function does with one row of a tensor, where the same can be said of all rows at once."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

from deepperf.facts.project.mapped import Mapped, Operation
from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import argument, arguments_of, target_names, walk, walk_own
from deepperf.facts.values import Sequence
from deepperf.knowledge import lookup

if TYPE_CHECKING:
    from deepperf.facts.project import Project


class Form(Enum):
    """How the work for one row is said for all rows."""

    SAME = "the function takes all rows as it is"
    OPS = "each op has a form for many rows"
    GATHER = "gather and scatter take an index for each row"
    CHOICE = "where chooses for all rows"
    MASK = "a comparison makes the mask for all rows"
    EXTREME = "a masked argmin or argmax finds the place for all rows"
    RANDOM = "random numbers are drawn for all rows and scaled"


class RowWork(NamedTuple):
    """What is done with a row: `maps` are maps over rows inside of it."""

    form: Form
    operations: tuple[Operation, ...]
    maps: tuple[Operation, ...]


# Ops that take many rows in one call, by leading axes or with `batch_dims`, beside those that the tables call elementwise.
_BATCHED = frozenset(
    f"tensorflow.{name}"
    for name in (
        "broadcast_to convert_to_tensor einsum expand_dims gather gather_nd linalg.cholesky linalg.cholesky_solve linalg.det "
        "linalg.diag linalg.diag_part linalg.eigh linalg.inv linalg.logdet linalg.lstsq linalg.matvec linalg.qr linalg.solve "
        "linalg.svd linalg.trace linalg.triangular_solve matmul nn.l2_normalize nn.moments nn.top_k norm pad reshape reverse "
        "scatter_nd searchsorted signal.fft signal.fft2d signal.fft3d signal.ifft signal.ifft2d signal.irfft signal.irfft2d "
        "signal.rfft signal.rfft2d squeeze tensor_scatter_nd_add tensor_scatter_nd_max tensor_scatter_nd_min "
        "tensor_scatter_nd_sub tensor_scatter_nd_update tensordot transpose zeros_like ones_like math.count_nonzero "
        "math.top_k linalg.normalize unravel_index linalg.norm"
    ).split()
) | frozenset(
    f"keras.{name}"
    for name in (
        "backend.batch_dot backend.dot backend.one_hot backend.softmax backend.stack "
        "backend.expand_dims backend.gather backend.reshape backend.squeeze backend.transpose "
        "ops.dot ops.einsum ops.expand_dims ops.matmul ops.reshape ops.squeeze ops.take ops.take_along_axis ops.top_k "
        "ops.transpose"
    ).split()
)
_BATCHED_ELSEWHERE = frozenset(
    f"torch.{name}" for name in "bmm dot einsum matmul mm mv sigmoid softmax squeeze tanh unsqueeze".split()
) | frozenset(
    f"jax.{name}"
    for name in (
        "nn.log_softmax nn.one_hot nn.relu nn.softmax numpy.dot numpy.einsum numpy.linalg.norm numpy.matmul numpy.mean "
        "numpy.sum numpy.where"
    ).split()
)
_INDEXED = ("gather", "gather_nd", "scatter_nd", "take", "take_along_axis")
_MAPS = frozenset({"tensorflow.map_fn", "keras.backend.map_fn", "keras.ops.map", "tensorflow.vectorized_map"})
_CHOICES = frozenset({"tensorflow.cond", "tensorflow.case", "keras.ops.cond", "keras.backend.switch"})
_FILLERS = frozenset(f"tensorflow.{name}" for name in "ones zeros fill".split())
_MASKED = frozenset({"tensorflow.boolean_mask"})
_EXTREMES = frozenset(f"tensorflow.{name}" for name in ("argmin", "argmax"))
_DRAWS = frozenset(
    f"tensorflow.random.{name}"
    for name in "uniform normal stateless_uniform stateless_normal truncated_normal".split()
)
_RUNS_ON_ROWS = frozenset({"elementwise", "axis", "image-4d", "select", "free"})
_BRANCHES = (
    ast.If,
    ast.IfExp,
    ast.For,
    ast.While,
    ast.Try,
    ast.With,
    ast.ListComp,
    ast.GeneratorExp,
    ast.DictComp,
)


class RowFunctions:
    """Answers whether a function of one row has a form for all rows."""

    def __init__(self, project: Project) -> None:
        self.project = project

    def of(self, function: ast.expr, scope: Scope) -> RowWork | None:
        """Return what a function does with a row, None if it is not known to have a form for many."""
        proof = self.project.batchable.of(function, scope)
        found = self.project.mapped.of(function, scope)
        if len(found) != 1:
            return None
        mapped = found[0]
        maps = tuple(operation for operation in mapped.operations if operation.name in _MAPS)
        form = Form.SAME if proof is not None and proof.does_work else self._form(mapped)
        return RowWork(form, tuple(mapped.operations), maps) if form is not None else None

    def of_element(self, made: ast.ListComp, scope: Scope) -> RowWork | None:
        """Return what a comprehension does for each of its elements, as a function of its variable would do it."""
        names = [ast.arg(name) for name in target_names(made.generators[0].target)]
        arguments = ast.arguments([], names, None, [], [], None, [])
        return self.of(ast.copy_location(ast.Lambda(arguments, made.elt), made.elt), scope)

    def _form(self, mapped: Mapped) -> Form | None:
        if not mapped.resolved or mapped.unknown or mapped.makes_objects or mapped.keeps_notes:
            return None
        if any(isinstance(node, _BRANCHES) for part in mapped.functions for node in _nodes(part)):
            return None
        others = [operation for operation in mapped.operations if not runs_on_rows(operation)]
        names = {operation.name for operation in others}
        if names <= _CHOICES and not _has_shape_of_row(mapped):
            return _plain_form(mapped) if not names else Form.CHOICE
        if names <= _FILLERS and self._joins_fillers(mapped):
            return Form.MASK
        if names <= _MASKED and any(operation.name in _EXTREMES for operation in mapped.operations):
            return Form.EXTREME
        if names <= _DRAWS and len(others) == 1 and self._draws_one(others[0]):
            return Form.RANDOM
        return None

    def _joins_fillers(self, mapped: Mapped) -> bool:
        """Tell whether a function joins nothing but stretches of one value each."""
        joins = [
            o for o in mapped.operations if o.name == "tensorflow.concat" and isinstance(o.call, ast.Call)
        ]
        parts = [(part, o.scope) for o in joins for part in _listed(o.call)]
        return bool(parts) and all(
            isinstance(part, ast.Call) and self.project.inference.api(part.func, scope) in _FILLERS
            for part, scope in parts
        )

    def _draws_one(self, operation: Operation) -> bool:
        """Tell whether a draw gives one number, in bounds that the row sets."""
        call = operation.call
        if not isinstance(call, ast.Call):
            return False
        shape = argument(call, "shape", 0)
        value = self.project.inference.one(shape, operation.scope) if shape is not None else None
        sizes = value.elements if isinstance(value, Sequence) else None
        is_one = sizes is not None and all(isinstance(n, ast.Constant) and n.value == 1 for n in sizes)
        bounds = [*call.args[1:], *(k.value for k in call.keywords if k.arg in _BOUNDS)]
        return is_one and any(isinstance(bound, ast.Name | ast.Subscript) for bound in bounds)


_BOUNDS = ("minval", "maxval", "mean", "stddev")


def _plain_form(mapped: Mapped) -> Form | None:
    work = [o for o in mapped.operations if "free" not in lookup(o.name).traits and o.name not in _MAPS]
    if not work:
        return None
    indexed = any(_last(o.name) in _INDEXED or "tensor_scatter_nd" in o.name for o in work)
    return Form.GATHER if indexed else Form.OPS


def _has_shape_of_row(mapped: Mapped) -> bool:
    """Tell whether a function cuts or shapes by names of its own: then rows may come out with different shapes."""
    own = {name for part in mapped.functions for name in _own_names(part)}
    return any(
        isinstance(name, ast.Name) and name.id in own
        for part in mapped.functions
        for node in _nodes(part)
        for shaping in _shaping(node)
        for name in ast.walk(shaping)
    )


def _shaping(node: ast.AST) -> Iterator[ast.expr]:
    """Yield what says how large the result of a slice or of an op is."""
    if isinstance(node, ast.Slice):
        yield from (bound for bound in (node.lower, node.upper, node.step) if bound is not None)
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        given = arguments_of(node)
        if node.func.attr in ("reshape", "pad", "broadcast_to"):
            yield from given[1:]
        elif node.func.attr == "scatter_nd":
            yield from given[-1:]


def _listed(call: ast.expr) -> list[ast.expr]:
    """Return the elements of the list that a call gets, None of them known where it gets none that is written out."""
    for given in arguments_of(call) if isinstance(call, ast.Call) else ():
        if isinstance(given, ast.List | ast.Tuple):
            return given.elts
    return [call]


def _last(name: str) -> str:
    return name.rpartition(".")[2]


def runs_on_rows(operation: Operation) -> bool:
    """Tell whether an op does for many rows in one call what it does for one, and draws or keeps nothing."""
    name = operation.name
    if name.startswith("operator.") or name in _BATCHED | _BATCHED_ELSEWHERE | _MAPS:
        return True
    api = lookup(name)
    if not api.known or api.effects - {"node"} or api.traits & {"heavy", "string"}:
        return False
    if "select" in api.traits:
        call = operation.call
        return isinstance(call, ast.Call) and len(call.args) + len(call.keywords) >= 3
    return bool(api.traits & _RUNS_ON_ROWS)


def _nodes(part: Function | ast.Lambda) -> Iterator[ast.AST]:
    return walk(part.body) if isinstance(part, ast.Lambda) else walk_own(part.node)


def _own_names(part: Function | ast.Lambda) -> set[str]:
    if isinstance(part, Function):
        return set(part.scope.bound)
    arguments = part.args
    return {parameter.arg for parameter in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
