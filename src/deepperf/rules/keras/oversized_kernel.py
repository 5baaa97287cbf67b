"""KR133: a convolution has a kernel far larger than needed."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.values import Const, Sequence
from deepperf.rules.api import Bad, Confidence, Cost, Effort, Finding, Good, Impact, Rule, Site, call

# Kernels from this side on cost more than the stack of small ones that sees as far.
_LARGE = {"keras.layers.Conv2D": 7, "keras.layers.Conv3D": 5}


class OversizedKernel(Rule):
    """A convolution slides a large kernel over every place of its input.

    ## Why it is slow
    The work of a convolution grows with the area of its kernel: 11x11 costs thirteen times as much as 3x3, forward and backward.

    ## What to do
    Stack small kernels: three layers of 3x3 see as far as one of 7x7 and cost half. Or keep the large kernel and give it a
    stride, or make it depthwise. This changes the model: it must be trained again.

    ## When it is fine
    The layer has a stride, as the first one of many networks. It is grouped or depthwise. The kernel is long but thin. It covers
    its whole input, without padding.
    """

    code, slug = "KR133", "oversized-kernel"
    impact = Impact.LOW
    root_cause = "improper-model-parameter"
    symptoms = ("slow-execution-time",)
    stages = ("model-building",)
    frameworks = {"keras": ">=2.0", "tensorflow": ">=1.0"}
    evidence = ("65160023_1",)
    since = "0.1"
    effort = Effort.HIGH
    cost = Cost(
        "The work grows with the area of the kernel. Measured: two layers of 15x15 took 12 times as long as two of 3x3 (2 CPU "
        "cores, TensorFlow 2.21).",
        11.83,
        "benches/rules/kr133.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def block(x):
                return tf.keras.layers.Conv2D(64, (11, 11), padding="same")(x)  # <- KR133
            """,
            options=("--pedantic",),
        ),
        Good(
            """
            import tensorflow as tf

            def stem(x):
                return tf.keras.layers.Conv2D(64, 7, strides=2)(x)
            """,
            why="the stride lets it look at a quarter of the places",
        ),
        Good(
            """
            import tensorflow as tf

            def block(x):
                return tf.keras.layers.DepthwiseConv2D(7)(x)
            """,
            why="a depthwise kernel works on one channel at a time",
        ),
    )

    @call(*_LARGE)
    def built(self, site: Site) -> Iterator[Finding]:
        """Report a convolution with a large kernel and without a stride."""
        padding = site.argument("padding")
        # Without padding the kernel may cover the whole input, as a dense layer in disguise.
        if site.has_unpacking or not (isinstance(padding, ast.Constant) and padding.value == "same"):
            return
        sides = _numbers(site, "kernel_size")
        plain = all(
            _numbers(site, name) in (None, {1}) and _is_known(site, name)
            for name in ("strides", "groups", "dilation_rate")
        )
        if not sides or min(sides) < _LARGE[site.name or ""] or not plain:
            return
        side = min(sides)
        yield self.found(
            site,
            f"`{site.spelled}` has a kernel of at least {side} in each direction, and no stride",
            advice="Stack layers with 3x3 kernels, or give the layer a stride. The model must be trained again.",
            because=(site.place("the kernel"),),
            confidence=Confidence.HIGH,
        )


def _numbers(site: Site, name: str) -> set[int] | None:
    """Return the numbers that an argument holds, None if it is not given or not known."""
    given = site.argument(name)
    value = site.project.inference.one(given, site.scope) if given is not None else None
    parts: tuple[object, ...] = (value,)
    if isinstance(value, Sequence):
        parts = tuple(site.project.inference.one(e, value.scope, value.frame) for e in value.elements or ())
    numbers = {part.value for part in parts if isinstance(part, Const) and type(part.value) is int}
    return numbers if len(numbers) and all(isinstance(part, Const) for part in parts) else None


def _is_known(site: Site, name: str) -> bool:
    """Tell whether an argument is left out, or its numbers are known."""
    given = site.argument(name)
    return (
        given is None
        or (isinstance(given, ast.Constant) and given.value is None)
        or _numbers(site, name) is not None
    )
