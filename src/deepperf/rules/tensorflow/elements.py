"""How large the elements of a pipeline are: decoded images, batches of them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from deepperf.facts.project.mapped import Mapped
from deepperf.facts.scopes import Scope
from deepperf.facts.syntax import argument
from deepperf.facts.values import Const
from deepperf.knowledge import lookup
from deepperf.rules.api import Site, Step

_DECODERS = frozenset(
    f"tensorflow.io.{name}"
    for name in "decode_image decode_jpeg decode_png decode_bmp decode_and_crop_jpeg decode_webp decode_jxl".split()
) | {"keras.utils.load_img"}
_FOLDER = "keras.utils.image_dataset_from_directory"
# Calls whose arguments tell the height and width of an image.
_SHAPING = frozenset(
    "resize resize_images resize_with_pad resize_image_with_pad resize_with_crop_or_pad resize_image_with_crop_or_pad "
    "set_shape ensure_shape reshape random_crop crop_to_bounding_box".split()
)
# Operations that turn the bytes of an image into numbers of four bytes.
_WIDENING = (
    "tensorflow.image.resize",
    "tensorflow.image.convert_image_dtype",
    "tensorflow.cast",
    "operator.Div",
)


@dataclass
class Element:
    """What is known of an element: the step that decodes images, their pixels (None: not known), how many make a batch.

    `pixel` is how many bytes a pixel takes at least; `resized` tells that the images are given a size that is not known.
    """

    decoded: Step | None = None
    pixels: int | None = None
    pixel: int = 3
    resized: bool = False
    batch: int = 1
    batched: Step | None = None

    @property
    def size(self) -> int | None:
        """The bytes that it takes at least, None if that is not known."""
        return None if self.pixels is None else self.batch * self.pixels * self.pixel


def at(path: tuple[Step, ...], site: Site) -> Element:
    """Return what the elements behind a path are like."""
    element = Element()
    for step in path:
        call = step.call
        if not isinstance(call, ast.Call):
            continue
        if step.name == _FOLDER:
            _folder(element, step, call, site)
        elif step.short == "map":
            _mapped(element, step, call, site)
        elif step.short in ("batch", "padded_batch", "map_and_batch"):
            if step.short == "map_and_batch":
                _mapped(element, step, call, site)
            given = argument(call, "batch_size", 1 if step.short == "map_and_batch" else 0)
            element.batch *= number(given, step, site) or 1
            element.batched = step
        elif step.short == "unbatch":
            element.batch, element.batched = 1, None
        elif step.short == "cache" and not call.args and not call.keywords:
            # What a cache in memory holds is not held twice.
            element = Element()
    return element


def number(node: ast.expr | None, step: Step, site: Site) -> int | None:
    """Return the whole number that an argument of a step is, None if that is not known."""
    value = site.project.inference.one(node, step.scope, step.frame) if node is not None else None
    return value.value if isinstance(value, Const) and type(value.value) is int else None


def _folder(element: Element, step: Step, call: ast.Call, site: Site) -> None:
    batch = argument(call, "batch_size", 5)
    size = argument(call, "image_size", 6)
    element.decoded, element.pixel = step, 12
    element.pixels = 256 * 256 if size is None else _product(size, step.scope, site)
    if not (isinstance(batch, ast.Constant) and batch.value is None):
        element.batch = 32 if batch is None else number(batch, step, site) or 1
        element.batched = step


def _mapped(element: Element, step: Step, call: ast.Call, site: Site) -> None:
    function = argument(call, "map_func", 0)
    for mapped in site.project.mapped.of(function, step.scope) if function is not None else ():
        known = [size for size in _sizes(mapped, site) if size is not None]
        names = [operation.name for operation in mapped.operations]
        if any("drops-axis" in lookup(name).traits for name in names):
            # What comes out may be a few numbers for each image.
            element.decoded = None
            continue
        if _DECODERS.intersection(names):
            element.decoded, element.pixels = step, min(known, default=None)
            element.pixel = 1 if any(_is_grey(operation.call) for operation in mapped.operations) else 3
        elif known and element.decoded is not None:
            element.pixels = min(known)
        if element.pixel <= 3 and any(name.startswith(_WIDENING) for name in names):
            element.pixel *= 4
        element.resized = element.pixels is None and any(name.startswith(_WIDENING[0]) for name in names)


def _is_grey(call: ast.expr) -> bool:
    """Tell whether a call decodes to one colour."""
    channels = argument(call, "channels", 1) if isinstance(call, ast.Call) else None
    return isinstance(channels, ast.Constant) and channels.value == 1


def _sizes(mapped: Mapped, site: Site) -> Iterator[int | None]:
    for function in mapped.functions:
        node = function if isinstance(function, ast.Lambda) else function.node
        scope = mapped.scope if isinstance(function, ast.Lambda) else function.scope
        for call in ast.walk(node):
            if (
                isinstance(call, ast.Call)
                and isinstance(call.func, ast.Attribute)
                and call.func.attr in _SHAPING
            ):
                given = [*call.args, *(keyword.value for keyword in call.keywords)]
                for value in given:
                    yield _product(value, scope, site)
                yield _product(ast.List(given[1:3]), scope, site)


def _product(node: ast.expr, scope: Scope, site: Site) -> int | None:
    """Return height times width, for a list or tuple that starts with two whole numbers."""
    if isinstance(node, ast.Name | ast.Attribute):
        definitions = scope.module.definitions(node, scope)
        made = definitions[0].value if len(definitions) == 1 and not definitions[0].path else None
        if isinstance(made, ast.Tuple | ast.List):
            return _product(made, definitions[0].scope, site)
    if not isinstance(node, ast.Tuple | ast.List) or len(node.elts) < 2:
        return None
    values = [site.project.inference.one(element, scope) for element in node.elts[:2]]
    numbers = [v.value for v in values if isinstance(v, Const) and isinstance(v.value, int) and v.value > 0]
    return numbers[0] * numbers[1] if len(numbers) == 2 else None
