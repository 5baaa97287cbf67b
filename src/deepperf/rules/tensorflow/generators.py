"""What the Python generators behind `Dataset.from_generator` do."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from deepperf.facts.scopes import Function, Scope
from deepperf.facts.syntax import target_names, walk_own
from deepperf.facts.values import Func, Instance, LambdaRef, Made, Pipeline
from deepperf.rules.api import Place, Site

_DEPTH = 2
_READERS = frozenset(
    "cv2.imread cv2.imdecode PIL.Image.open imageio.imread imageio.v2.imread matplotlib.image.imread "
    "matplotlib.pyplot.imread skimage.io.imread scipy.misc.imread keras.utils.load_img numpy.load numpy.loadtxt "
    "scipy.io.wavfile.read scipy.io.loadmat soundfile.read librosa.load".split()
)
_STACKERS = frozenset("append extend stack concatenate vstack hstack batch".split())


class Rows(NamedTuple):
    """Arrays whose rows a generator gives one by one; `scope` is where their names are used."""

    arrays: list[ast.expr]
    scope: Scope


def functions(generator: ast.expr, site: Site) -> list[Function]:
    """Return the functions that give the elements of a generator; empty if they are not all known."""
    found: list[Function] = []
    for value in site.project.inference.values(generator, site.scope):
        entered = site.project.calls.entered(value) if isinstance(value, Func | Instance) else ()
        if not entered:
            return []
        found += [target.function for target in entered]
    return found


def rows(generator: ast.expr, site: Site) -> Rows | None:
    """Return the arrays of which a generator does nothing but give the rows, None if it does anything else."""
    value = site.project.inference.one(generator, site.scope)
    if isinstance(value, LambdaRef):
        return _given(_of_iterable(value.node.body), value.scope)
    found = functions(generator, site)
    if len(found) != 1:
        return None
    statements = [node for node in found[0].node.body if not _is_docstring(node)]
    if len(statements) == 1 and isinstance(statements[0], ast.While):
        statements = statements[0].body
    if len(statements) != 1:
        return None
    only = statements[0]
    if isinstance(only, ast.Expr) and isinstance(only.value, ast.YieldFrom):
        return _given(_of_iterable(only.value.value), found[0].scope)
    if isinstance(only, ast.Return) and only.value is not None:
        return _given(_of_iterable(only.value), found[0].scope)
    return _given(_of_loop(only), found[0].scope) if isinstance(only, ast.For) else None


def _given(arrays: list[ast.expr] | None, scope: Scope) -> Rows | None:
    return Rows(arrays, scope) if arrays else None


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _of_iterable(node: ast.expr) -> list[ast.expr] | None:
    """Return the arrays in `zip(a, b)`, `iter(a)`, or a generator expression over such."""
    if isinstance(node, ast.Name | ast.Attribute):
        return [node]
    if isinstance(node, ast.GeneratorExp) and len(node.generators) == 1 and not node.generators[0].ifs:
        return _of_parts(node.elt, node.generators[0].target, node.generators[0].iter)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("zip", "iter"):
        inner = [_of_iterable(argument) for argument in node.args]
        return [array for arrays in inner for array in arrays or ()] if None not in inner else None
    return None


def _of_loop(loop: ast.For) -> list[ast.expr] | None:
    """Return the arrays whose rows a loop yields, as it meets them or by their number."""
    only = loop.body[0] if len(loop.body) == 1 and not loop.orelse else None
    if not isinstance(only, ast.Expr) or not isinstance(only.value, ast.Yield) or only.value.value is None:
        return None
    return _of_parts(only.value.value, loop.target, loop.iter)


def _of_parts(given: ast.expr, target: ast.expr, iterated: ast.expr) -> list[ast.expr] | None:
    parts = list(_parts(given))
    names = set(target_names(target))
    is_counted = isinstance(iterated, ast.Call) and ast.unparse(iterated.func) == "range"
    if not is_counted:
        are_names = all(isinstance(part, ast.Name) and part.id in names for part in parts)
        return _of_iterable(iterated) if are_names else None
    arrays: list[ast.expr] = []
    for part in parts:
        if (
            not isinstance(part, ast.Subscript)
            or not isinstance(part.slice, ast.Name)
            or part.slice.id not in names
        ):
            return None
        arrays.append(part.value)
    lengths = {text for array in arrays for text in _lengths(ast.unparse(array))}
    return arrays if ast.unparse(iterated) in lengths else None


def _lengths(array: str) -> tuple[str, str]:
    return f"range(len({array}))", f"range({array}.shape[0])"


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """Yield what an element is made of; arithmetic with a number is left out."""
    if isinstance(node, ast.Tuple | ast.List):
        for element in node.elts:
            yield from _parts(element)
    elif isinstance(node, ast.Dict):
        for element in node.values:
            yield from _parts(element)
    elif isinstance(node, ast.BinOp) and isinstance(node.right, ast.Constant):
        yield from _parts(node.left)
    else:
        yield node


def are_arrays(found: Rows, site: Site) -> bool:
    """Tell whether all of some expressions are arrays in memory for sure."""
    return all(_is_array(node, found.scope, site) for node in found.arrays)


def _is_array(node: ast.expr, scope: Scope, site: Site) -> bool:
    for definition in scope.module.definitions(node, scope):
        made = definition.value
        if isinstance(made, ast.Call):
            name = site.project.inference.api(made.func, definition.scope) or ""
            if name.startswith("keras.datasets.") and name.endswith(".load_data"):
                return True
    values = site.project.inference.values(node, scope)
    return bool(values) and all(
        isinstance(v, Made) and v.kind == "array" and not _is_mapped(v) for v in values
    )


def _is_mapped(value: Made) -> bool:
    """Tell whether an array stays in its file: `np.load(path, mmap_mode="r")`."""
    return any(
        keyword.arg == "mmap_mode"
        for part in ast.walk(value.node)
        for keyword in getattr(part, "keywords", ())
    )


def dataset_call(generator: ast.expr, site: Site) -> Place | None:
    """Return a call in a generator that makes or transforms a dataset, None if there is none."""
    for node, scope in _calls(functions(generator, site), site, only_in_loops=False):
        values = site.project.inference.values(node, scope)
        if values and all(isinstance(value, Pipeline) for value in values):
            return scope.module.source.place(node, "a dataset is made here")
    return None


def file_read(generator: ast.expr, site: Site) -> tuple[str, Place] | None:
    """Return the call by which a generator reads a file for each element, None if it reads none or gives batches."""
    found = functions(generator, site)
    if any(isinstance(n, ast.Call) and _last(n) in _STACKERS for f in found for n in walk_own(f.node)):
        return None
    for node, scope in _calls(found, site, only_in_loops=True):
        name = site.project.inference.api(node.func, scope)
        if name in _READERS:
            return name, scope.module.source.place(node, "a file is read for each element")
    return None


def _last(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _calls(
    found: list[Function], site: Site, *, only_in_loops: bool, depth: int = 0
) -> Iterator[tuple[ast.Call, Scope]]:
    """Yield the calls that functions make, and those of the project functions that they call."""
    for function in found:
        for call in function.module.index.calls:
            if call.scope is not function.scope:
                continue
            if only_in_loops and not any(step.kind == "loop" for step in call.context.within_function()):
                continue
            yield call.node, call.scope
            if depth < _DEPTH:
                inner = [target.function for target in site.project.calls.targets(call.node, call.scope)]
                yield from _calls(inner, site, only_in_loops=False, depth=depth + 1)
