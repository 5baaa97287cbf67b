"""What Python code for single elements is called in TensorFlow, and whether a function has an equivalent for all it does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from deepperf.facts.scopes import Scope
from deepperf.facts.syntax import walk_own
from deepperf.facts.values import Api, Func, LambdaRef, Value
from deepperf.rules.api import Place, Site

_DEPTH = 3

_NUMPY = {
    "tf.math": "abs exp log sqrt square sin cos tan sinh cosh tanh sign floor ceil round maximum minimum argmax argmin cumsum "
    "cumprod log1p expm1 add subtract multiply divide logical_and logical_or logical_not angle real imag conj",
    "tf": "zeros ones zeros_like ones_like eye expand_dims squeeze reshape transpose stack where pad roll tile linspace repeat "
    "matmul tensordot einsum shape size",
    "tf.signal": "fft.fft fft.rfft fft.ifft fft.irfft",
}
_REDUCTIONS = "mean sum max min prod all any"
_CASTS = "float16 float32 float64 int8 int16 int32 int64 uint8 asarray array bool_"
_UNIFORM = "rand random uniform randint random_sample"
_OTHERS = {
    "numpy.absolute": "tf.abs",
    "numpy.clip": "tf.clip_by_value",
    "numpy.concatenate": "tf.concat",
    "numpy.hstack": "tf.concat",
    "numpy.vstack": "tf.concat",
    "numpy.dot": "tf.tensordot",
    "numpy.std": "tf.math.reduce_std",
    "numpy.var": "tf.math.reduce_variance",
    "numpy.amax": "tf.reduce_max",
    "numpy.amin": "tf.reduce_min",
    "numpy.power": "tf.pow",
    "numpy.arange": "tf.range",
    "numpy.flip": "tf.reverse",
    "numpy.fliplr": "tf.image.flip_left_right",
    "numpy.flipud": "tf.image.flip_up_down",
    "numpy.rot90": "tf.image.rot90",
    "numpy.moveaxis": "tf.transpose",
    "numpy.swapaxes": "tf.transpose",
    "numpy.ravel": "tf.reshape",
    "numpy.frombuffer": "tf.io.decode_raw",
    "numpy.fromstring": "tf.io.decode_raw",
    "numpy.linalg.norm": "tf.norm",
    "numpy.isnan": "tf.math.is_nan",
    "numpy.isfinite": "tf.math.is_finite",
    "numpy.random.normal": "tf.random.normal",
    "numpy.random.randn": "tf.random.normal",
    "numpy.random.shuffle": "tf.random.shuffle",
    "numpy.random.permutation": "tf.random.shuffle",
    "random.random": "tf.random.uniform",
    "random.uniform": "tf.random.uniform",
    "random.randint": "tf.random.uniform",
    "os.path.join": "tf.strings.join",
    "scipy.io.wavfile.read": "tf.audio.decode_wav",
    "librosa.stft": "tf.signal.stft",
}
# These take long for one element.
_IMAGES = {
    "cv2.imread": "tf.io.decode_image",
    "cv2.imdecode": "tf.io.decode_image",
    "cv2.resize": "tf.image.resize",
    "cv2.flip": "tf.reverse",
    "cv2.cvtColor": "",
    "PIL.Image.open": "tf.io.decode_image",
    "PIL.Image.fromarray": "",
    "imageio.imread": "tf.io.decode_image",
    "matplotlib.image.imread": "tf.io.decode_image",
    "matplotlib.pyplot.imread": "tf.io.decode_image",
    "skimage.io.imread": "tf.io.decode_image",
    "skimage.transform.resize": "tf.image.resize",
    "scipy.misc.imread": "tf.io.decode_image",
    "scipy.misc.imresize": "tf.image.resize",
    "keras.utils.load_img": "tf.io.decode_image",
    "keras.utils.img_to_array": "tf.cast",
}
# Methods of arrays, images, strings and eager tensors.
_METHODS = {
    "astype": "tf.cast",
    "reshape": "tf.reshape",
    "transpose": "tf.transpose",
    "flatten": "tf.reshape",
    "mean": "tf.reduce_mean",
    "sum": "tf.reduce_sum",
    "max": "tf.reduce_max",
    "min": "tf.reduce_min",
    "clip": "tf.clip_by_value",
    "resize": "tf.image.resize",
    "convert": "tf.io.decode_image",
    "crop": "tf.image.crop_to_bounding_box",
    "lower": "tf.strings.lower",
    "split": "tf.strings.split",
    "strip": "tf.strings.strip",
    "squeeze": "tf.squeeze",
    **dict.fromkeys("numpy decode copy item tolist set_shape get_shape as_list".split(), ""),
}
_FREE = frozenset(
    f"builtins.{name}" for name in "int float str bool len abs min max round isinstance range tuple".split()
) | {"numpy.newaxis", "numpy.ascontiguousarray"}
# Image formats that TensorFlow does not decode, and changes of colour that it has no operation for.
_OTHER_FORMATS = (".tif", ".webp", ".dcm", ".exr", ".jp2")
_PLAIN_COLOURS = ("BGR2RGB", "RGB2BGR", "2GRAY")
_OPAQUE = (
    *(ast.For, ast.While, ast.AsyncFor, ast.With, ast.Try, ast.ListComp, ast.DictComp, ast.SetComp),
    *(ast.GeneratorExp, ast.Global, ast.Nonlocal, ast.Await, ast.Yield, ast.YieldFrom, ast.In, ast.NotIn),
)


def _twins() -> dict[str, str]:
    found = {**_OTHERS, **_IMAGES}
    for family, names in _NUMPY.items():
        found.update({f"numpy.{name}": f"{family}.{name.rpartition('.')[2]}" for name in names.split()})
    found.update({f"numpy.{name}": f"tf.reduce_{name}" for name in _REDUCTIONS.split()})
    found.update({f"numpy.{name}": "tf.cast" for name in _CASTS.split()})
    found.update({f"numpy.random.{name}": "tf.random.uniform" for name in _UNIFORM.split()})
    return found


_TWINS = _twins()


@dataclass
class PythonBody:
    """What a Python function for single elements does: `twins` are its operations with their TensorFlow names and places.

    `complete` is False where some of it has no equivalent that is known; `slow` tells of work on images.
    """

    complete: bool = True
    slow: bool = False
    twins: list[tuple[str, str, Place]] = field(default_factory=list)


def of(function: ast.expr, site: Site) -> PythonBody:
    """Return what the function that an expression stands for does."""
    body = PythonBody()
    value = site.project.inference.one(function, site.scope)
    _enter(value, site, body, 0)
    if body.slow and any(ending in site.source.text.lower() for ending in _OTHER_FORMATS):
        body.complete = False
    return body


class _Code(NamedTuple):
    """A function that is read: its scope, and the names of what it gets or makes itself."""

    scope: Scope
    own: frozenset[str]


def _enter(value: Value, site: Site, body: PythonBody, depth: int) -> None:
    if isinstance(value, LambdaRef):
        names = frozenset(argument.arg for argument in value.node.args.args)
        _follow(ast.walk(value.node.body), _Code(value.scope, names), site, body, depth)
    elif isinstance(value, Func) and depth <= _DEPTH:
        scope = value.function.scope
        names = frozenset(scope.bound) - {value.function.self_name}
        _follow(walk_own(value.function.node), _Code(scope, names), site, body, depth)
    elif isinstance(value, Api):
        _operation(value.name, site.place(), body)
    else:
        body.complete = False


def _follow(nodes: Iterator[ast.AST], code: _Code, site: Site, body: PythonBody, depth: int) -> None:
    for node in nodes:
        if isinstance(node, _OPAQUE):
            body.complete = False
        elif isinstance(node, ast.Subscript):
            body.complete = body.complete and isinstance(node.ctx, ast.Load) and _is_own(node, code)
        elif isinstance(node, ast.Call):
            _call(node, code, site, body, depth)


def _is_own(node: ast.expr, code: _Code) -> bool:
    """Tell whether an expression is a part of what a function got or made itself, not of an object around it."""
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
    return not isinstance(node, ast.Name) or node.id in code.own


def _call(node: ast.Call, code: _Code, site: Site, body: PythonBody, depth: int) -> None:
    place = code.scope.module.source.place(node)
    for value in site.project.inference.values(node.func, code.scope):
        if isinstance(value, Api):
            _operation(value.name, place, body)
            is_colour = value.name == "cv2.cvtColor"
            if is_colour and not any(word in ast.unparse(node) for word in _PLAIN_COLOURS):
                body.complete = False
        elif isinstance(value, Func | LambdaRef):
            _enter(value, site, body, depth + 1)
        elif isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS and _is_own(node.func, code):
            _note(f".{node.func.attr}", _METHODS[node.func.attr], place, body)
        else:
            body.complete = False


def _operation(name: str, place: Place, body: PythonBody) -> None:
    if name in _TWINS:
        _note(name, _TWINS[name], place, body)
        body.slow = body.slow or name in _IMAGES
    elif name.startswith("tensorflow.") and ".numpy_function" not in name and "py_func" not in name:
        _note(name, "the same", place, body)
    elif name not in _FREE:
        body.complete = False


def _note(name: str, twin: str, place: Place, body: PythonBody) -> None:
    if twin:
        body.twins.append((name, twin, place))
