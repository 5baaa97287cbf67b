"""Checks on a real TensorFlow the traits of the knowledge tables that say how ops act on batches.

For each op with the trait `elementwise`, `axis` or `image-4d`: is the result for a stacked batch the stack of
the results for each element? Elements of several ranks are tried, also with batches as long
as the elements are wide, where wrong broadcasting hides. Prints the ops that fail, and those no try fits.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np  # type: ignore[import-not-found]
import tensorflow as tf  # type: ignore[import-untyped]

sys.path.insert(0, str(Path(__file__).parents[2] / "src"))

from deepperf.knowledge import lookup
from deepperf.knowledge.tables import tables

WIDTH = 7
BATCHES = (5, WIDTH)
SHAPES: dict[str, tuple[tuple[int, ...], ...]] = {
    "elementwise": ((), (WIDTH,), (4, WIDTH)),
    "axis": ((WIDTH,), (4, WIDTH)),
    "image-4d": ((8, 8, 3), (7, 5, 3), (8, 8, 1)),
}
DRAW = np.random.default_rng(0)
# What an op needs beside the tensors, where one argument is not enough.
SETTINGS: dict[str, tuple[Any, ...]] = {
    "adjust_brightness": (0.1,),
    "adjust_contrast": (2.0,),
    "adjust_gamma": (0.5,),
    "adjust_hue": (0.1,),
    "adjust_saturation": (2.0,),
    "cast": ("float32",),
    "central_crop": (0.5,),
    "clip": (0.2, 0.7),
    "clip_by_value": (0.2, 0.7),
    "convert_image_dtype": (tf.float32,),
    "crop_to_bounding_box": (1, 1, 4, 4),
    "one_hot": (10,),
    "pad_to_bounding_box": (1, 1, 16, 16),
    "pow": (2.0,),
    "power": (2.0,),
    "regex_full_match": ("1.*",),
    "regex_replace": ("1", "2"),
    "resize": ((12, 12),),
    "resize_image_with_pad": (12, 12),
    "resize_with_crop_or_pad": (6, 6),
    "resize_with_pad": (12, 12),
    "roll": (2,),
    "saturate_cast": (tf.uint8,),
    "substr": (0, 1),
    "to_hash_bucket": (10,),
    "to_hash_bucket_fast": (10,),
    "to_hash_bucket_strong": (10, [1, 2]),
    "to_number": (tf.float32,),
    "unicode_transcode": ("UTF-8", "UTF-8"),
}


def find(name: str) -> Callable[..., Any]:
    """Return the function that a canonical name stands for in the installed TensorFlow.

    Raises:
        AttributeError: this release has no such name.
    """
    parts = name.split(".")
    roots = (tf.keras, __import__("keras")) if parts[0] == "keras" else (tf, tf.compat.v1)
    for root in roots:
        found: Any = root
        for part in parts[1:]:
            found = getattr(found, part, None)
        if found is not None:
            return found  # type: ignore[no-any-return]
    raise AttributeError(name)


def batch(kind: str, shape: tuple[int, ...]) -> Any:
    """Return random numbers of one kind."""
    if kind == "float":
        return DRAW.uniform(0.1, 0.9, shape).astype("float32")
    if kind == "int":
        return DRAW.integers(1, 6, shape).astype("int32")
    if kind == "bool":
        return DRAW.integers(0, 2, shape).astype(bool)
    return DRAW.integers(1, 99, shape).astype(str)


def calls(name: str, trait: str) -> Iterator[tuple[int, str, Callable[..., Any]]]:
    """Yield ways to call an op: the number of tensors it gets, their kind, and a function of the tensors."""
    op, settings = find(name), SETTINGS.get(name.rpartition(".")[2], ())
    listed = name.rpartition(".")[2] in ("concat", "concatenate", "stack")
    parameter = "axes" if "axes" in lookup(name).parameters else "axis"
    for kind in ("float", "int", "bool", "string"):
        if trait == "axis" and listed:
            yield 2, kind, lambda *tensors: op(list(tensors), axis=-1)
        elif trait == "axis":
            for axis in (-1, [-1]):
                yield 1, kind, lambda tensor, axis=axis: op(tensor, *settings, **{parameter: axis})
        else:
            for count in (1,) if settings or trait == "image-4d" else (1, 2, 3):
                yield count, kind, lambda *tensors: op(*tensors, *settings)


def agrees(count: int, kind: str, call: Callable[..., Any], shape: tuple[int, ...]) -> bool | None:
    """Tell whether a batch gives what its elements give; None if the call is refused."""
    for size in BATCHES:
        stacks = [batch(kind, (size, *shape)) for _ in range(count)]
        try:
            whole = call(*map(tf.constant, stacks))
            parts = [call(*(tf.constant(stack[number]) for stack in stacks)) for number in range(size)]
        except Exception:
            return None
        if not isinstance(whole, tf.Tensor) or not all(isinstance(part, tf.Tensor) for part in parts):
            return None
        if len({tuple(part.shape) for part in parts}) > 1 or not same(whole.numpy(), tf.stack(parts).numpy()):
            return False
    return True


def same(left: Any, right: Any) -> bool:
    """Tell whether two arrays are equal, up to rounding for floating point."""
    if left.shape != right.shape or left.dtype != right.dtype:
        return False
    if left.dtype.kind in "fc":
        return bool(np.allclose(left, right, rtol=1e-5, atol=1e-5, equal_nan=True))
    return bool((left == right).all())


def judge(name: str, trait: str) -> str:
    """Return `ok`, `fails` or `untried` for one op and one trait."""
    verdicts: list[bool | None] = []
    for count, kind, call in calls(name, trait):
        tried = [agrees(count, kind, call, shape) for shape in SHAPES[trait]]
        verdicts.append(
            False if False in tried else None if None in tried and trait != "image-4d" else any(tried) or None
        )
    return "fails" if False in verdicts else "ok" if True in verdicts else "untried"


def main() -> None:
    """Check all ops and print what was found."""
    counts: dict[str, int] = {}
    for framework in ("tensorflow", "keras"):
        for name in tables(framework).apis:
            for trait in lookup(name).traits & SHAPES.keys():
                try:
                    verdict = judge(name, trait)
                except AttributeError:
                    verdict = "absent"
                counts[f"{trait} {verdict}"] = counts.get(f"{trait} {verdict}", 0) + 1
                if verdict != "ok":
                    print(f"{verdict:8} {trait:12} {name}")
    print(dict(sorted(counts.items())))


if __name__ == "__main__":
    main()
