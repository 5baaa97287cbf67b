"""TF340: columns of one tensor are sliced out one by one and joined again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from deepperf.facts.values import Const, Sequence
from deepperf.rules.api import Bad, Confidence, Cost, Finding, Good, Impact, Rule, Site, call

_LEAST = 3
# With fewer columns than this, what the slices cost hardly counts.
_MANY = 8


class ColumnsSlicedAndStacked(Rule):
    """Columns of one tensor are sliced out one by one and joined again.

    ## Why it is slow
    Each slice is an operation of its own, with a tensor of its own, and the join copies all of them once more.

    ## What to do
    Take all of them with one operation: `tf.gather(x, [1, 7, 4], axis=1)`.

    ## When it is fine
    The columns stand side by side in order: that is one slice, `x[:, 2:5]`. They come from different tensors.
    """

    code, slug = "TF340", "columns-sliced-and-stacked"
    impact = Impact.MEDIUM
    root_cause = "not-using-efficient-api"
    symptoms = ("slow-execution-time",)
    stages = ("model-building", "data-preparation")
    frameworks = {"tensorflow": ">=1.0"}
    evidence = ("55960559", "https://www.tensorflow.org/api_docs/python/tf/gather")
    since = "0.1"
    cost = Cost(
        "One slice for each column, and a copy of them all. Measured: 20 columns of 64 took 17 times as long as one gather in "
        "eager code (2 CPU cores, TensorFlow 2.21).",
        16.72,
        "benches/rules/tf340.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def features(x):
                return tf.stack([x[:, 1], x[:, 7], x[:, 4]], axis=1)  # <- TF340
            """,
            options=("--pedantic",),
        ),
        Bad(
            """
            import tensorflow as tf

            def features(x, chosen):
                return tf.concat([tf.slice(x, [0, c], [-1, 1]) for c in chosen], axis=1)  # <- TF340
            """
        ),
        Good(
            """
            import tensorflow as tf

            def features(x):
                return tf.gather(x, [1, 7, 4], axis=1)
            """,
            why="one operation takes all columns",
        ),
        Good(
            """
            import tensorflow as tf

            def features(x, y):
                return tf.stack([x[:, 1], y[:, 7], x[:, 4]], axis=1)
            """,
            why="the columns come from two tensors",
        ),
    )

    @call("tensorflow.stack", "tensorflow.concat")
    def joined(self, site: Site) -> Iterator[Finding]:
        """Report a join of parts that differ in one index only."""
        parts = site.argument("values") or (site.node.args[0] if site.node.args else None)
        count: int | None
        if isinstance(parts, ast.List | ast.Tuple):
            base, count = _one_base([_cut(part, site) for part in parts.elts], site), len(parts.elts)
        elif isinstance(parts, ast.ListComp) and len(parts.generators) == 1 and not parts.generators[0].ifs:
            base, count = _varying(_cut(parts.elt, site), parts.generators[0]), _length(parts, site)
        else:
            return
        if base is None:
            return
        place = site.source.place(parts, "the columns")
        yield self.found(
            site,
            f"`{site.spelled}` joins columns that are sliced out of `{base}` one by one",
            advice=f"Take them at once: tf.gather({base}, [columns], axis=...).",
            because=(place,),
            confidence=Confidence.HIGH,
            impact=Impact.MEDIUM if count is None or count >= _MANY else Impact.LOW,
        )


# A part of a tensor: what it is cut out of, and its indices as they are written.
Cut = tuple[ast.expr, tuple[ast.expr, ...]]


def _cut(node: ast.expr, site: Site) -> Cut | None:
    """Return the part of a tensor that an expression takes: a subscript with slices, or `tf.slice`."""
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Tuple):
        indices = tuple(node.slice.elts)
        # Only arrays take slices and numbers together: a list or a dict would not.
        return (node.value, indices) if any(isinstance(index, ast.Slice) for index in indices) else None
    if isinstance(node, ast.Call) and len(node.args) == 3:
        begin = node.args[1]
        if (
            isinstance(begin, ast.List)
            and site.project.inference.api(node.func, site.scope) == "tensorflow.slice"
        ):
            return node.args[0], (*begin.elts, node.args[2])
    return None


def _one_base(cuts: list[Cut | None], site: Site) -> str | None:
    """Return what all cuts are taken from if they differ in one number only and are not side by side; None otherwise."""
    found = [cut for cut in cuts if cut is not None]
    if len(found) < _LEAST or len(found) < len(cuts):
        return None
    texts = [tuple(map(ast.unparse, indices)) for _, indices in found]
    if len({ast.unparse(base) for base, _ in found}) > 1 or len({len(text) for text in texts}) > 1:
        return None
    varying = [position for position in range(len(texts[0])) if len({text[position] for text in texts}) > 1]
    if len(varying) != 1:
        return None
    numbers = [_number(indices[varying[0]], site) for _, indices in found]
    if None in numbers or all(b == a + 1 for a, b in pairwise(numbers)):  # type: ignore[operator]
        return None
    return ast.unparse(found[0][0]) if isinstance(found[0][0], ast.Name | ast.Attribute) else None


def _number(node: ast.expr, site: Site) -> int | None:
    value = site.project.inference.one(node, site.scope)
    return value.value if isinstance(value, Const) and type(value.value) is int else None


def _length(parts: ast.ListComp, site: Site) -> int | None:
    """Return over how many columns a comprehension runs, None if that is not known."""
    value = site.project.inference.one(parts.generators[0].iter, site.scope)
    return len(value.elements) if isinstance(value, Sequence) and value.elements is not None else None


def _varying(cut: Cut | None, loop: ast.comprehension) -> str | None:
    """Return what a cut is taken from if one of its indices is the loop's variable and nothing else names it."""
    if (
        cut is None
        or not isinstance(loop.target, ast.Name)
        or not isinstance(cut[0], ast.Name | ast.Attribute)
    ):
        return None
    # Columns in order are one slice.
    if isinstance(loop.iter, ast.Call) and ast.unparse(loop.iter.func) in ("range", "tf.range"):
        return None
    variable = loop.target.id
    plain = [index for index in cut[1] if isinstance(index, ast.Name) and index.id == variable]
    named = [
        node
        for index in cut[1]
        for node in ast.walk(index)
        if isinstance(node, ast.Name) and node.id == variable
    ]
    return ast.unparse(cut[0]) if len(plain) == len(named) == 1 else None
