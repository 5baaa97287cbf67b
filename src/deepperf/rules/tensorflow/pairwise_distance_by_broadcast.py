"""TF341: all pairwise distances are taken through a tensor of differences."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from deepperf.facts.values import Const
from deepperf.rules.api import Bad, Confidence, Cost, Finding, Good, Impact, Rule, Site, call

_SQUARES = ("tensorflow.square", "tensorflow.math.square")
_DIFFERENCES = ("tensorflow.math.squared_difference", "tensorflow.squared_difference")


class PairwiseDistanceByBroadcast(Rule):
    """All pairwise distances are taken through a tensor of differences.

    ## Why it is slow
    For N vectors of length D the differences fill N x N x D numbers, only to be summed over the last axis. A matrix product gives
    the same distances with N x N numbers.

    ## What to do
    Use `r - 2 * tf.matmul(x, x, transpose_b=True) + tf.transpose(r)` with `r = tf.reduce_sum(x * x, 1, keepdims=True)`, keep
    it at least 0, and take the root. For vectors that nearly coincide this form is less exact.

    ## When it is fine
    The differences themselves are needed. There are a few vectors, or vectors of length 2 or 3. The distance is not Euclidean.
    """

    code, slug = "TF341", "pairwise-distance-by-broadcast"
    impact = Impact.MEDIUM
    root_cause = "not-using-efficient-api"
    symptoms = ("slow-execution-time", "out-of-memory")
    stages = ("model-building", "training")
    frameworks = {"tensorflow": ">=1.0"}
    evidence = ("58906142",)
    since = "0.1"
    cost = Cost(
        "The differences take as many times the memory of the result as a vector is long. Measured: the distances of 1500 "
        "vectors of 64 numbers took 13 times as long (2 CPU cores, TensorFlow 2.21).",
        13.5,
        "benches/rules/tf341.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def distances(x):
                return tf.norm(x[:, tf.newaxis] - x[tf.newaxis], axis=-1)  # <- TF341
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def distances(a, b):
                differences = tf.expand_dims(a, 1) - tf.expand_dims(b, 0)
                return tf.sqrt(tf.reduce_sum(tf.square(differences), axis=-1))  # <- TF341
            """
        ),
        Good(
            """
            import tensorflow as tf

            def distances(x):
                squares = tf.reduce_sum(x * x, axis=1, keepdims=True)
                products = tf.matmul(x, x, transpose_b=True)
                return tf.sqrt(tf.maximum(squares - 2 * products + tf.transpose(squares), 0.0))
            """,
            why="a matrix product, and no tensor of differences",
        ),
        Good(
            """
            import tensorflow as tf

            def distances(x):
                return tf.reduce_sum(tf.abs(x[:, tf.newaxis] - x[tf.newaxis]), axis=-1)
            """,
            why="this distance has no form as a matrix product",
        ),
    )

    @call("tensorflow.norm", "tensorflow.linalg.norm", "tensorflow.reduce_sum")
    def summed(self, site: Site) -> Iterator[Finding]:
        """Report a sum of squares, or a norm, over the last axis of all pairwise differences."""
        operand = site.node.args[0] if site.node.args else None
        if operand is None or not _over_last_axis(site):
            return
        if (site.name or "").endswith("norm"):
            found = _difference(operand, site) if site.argument("ord") is None else None
        else:
            found = _squared(operand, site)
        if found is None or _is_used_again(found.node, site):
            return
        place = site.source.place(found.node, "the differences of all pairs")
        yield self.found(
            site,
            f"`{site.spelled}` sums over the differences of all pairs: they fill N x N x D numbers",
            advice="Use a matrix product: |a|^2 - 2 a.b + |b|^2. It is less exact for vectors that nearly coincide.",
            because=(place,),
            related=(place,),
            confidence=Confidence.MEDIUM,
        )


class _Pairs(NamedTuple):
    """A difference of two views of tensors, each with an axis that the other lacks."""

    node: ast.expr
    left: ast.expr
    right: ast.expr


def _over_last_axis(site: Site) -> bool:
    axis = site.argument("axis")
    value = site.project.inference.one(axis, site.scope) if axis is not None else None
    return isinstance(value, Const) and value.value in (-1, 2)


def _squared(node: ast.expr, site: Site) -> _Pairs | None:
    """Return the differences that an expression squares."""
    node = _named(node, site)
    if isinstance(node, ast.Call) and node.args:
        name = site.project.inference.api(node.func, site.scope)
        if name in _SQUARES:
            return _difference(node.args[0], site)
        if name in _DIFFERENCES and len(node.args) == 2:
            return _pairs(node, node.args[0], node.args[1], site)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        return (
            _difference(node.left, site)
            if isinstance(node.right, ast.Constant) and node.right.value == 2
            else None
        )
    return None


def _difference(node: ast.expr, site: Site) -> _Pairs | None:
    node = _named(node, site)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Sub):
        return _pairs(node, node.left, node.right, site)
    return None


def _named(node: ast.expr, site: Site) -> ast.expr:
    """Return what a local name stands for, where it has one value."""
    if not isinstance(node, ast.Name):
        return node
    definitions = site.module.definitions(node, site.scope)
    only = definitions[0] if len(definitions) == 1 else None
    return (
        only.value
        if only is not None and only.kind == "assign" and only.value is not None and not only.path
        else node
    )


def _pairs(node: ast.expr, left: ast.expr, right: ast.expr, site: Site) -> _Pairs | None:
    axes = _new_axis(_named(left, site), site), _new_axis(_named(right, site), site)
    return _Pairs(node, left, right) if sorted(axes, key=str) in ([0, 1], [0, -2], [-2, 0]) else None


def _new_axis(node: ast.expr, site: Site) -> int | None:
    """Return at which place a view has a new axis: `x[None]`, `x[:, None]`, `tf.expand_dims(x, 1)`."""
    if isinstance(node, ast.Call) and len(node.args) + len(node.keywords) == 2:
        if site.project.inference.api(node.func, site.scope) != "tensorflow.expand_dims":
            return None
        axis = node.args[1] if len(node.args) == 2 else node.keywords[0].value
        value = site.project.inference.one(axis, site.scope)
        return value.value if isinstance(value, Const) and isinstance(value.value, int) else None
    if not isinstance(node, ast.Subscript):
        return None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    new = [place for place, part in enumerate(parts) if _is_new_axis(part, site)]
    return (
        new[0]
        if len(new) == 1 and all(_is_whole(part) for part in parts if parts.index(part) != new[0])
        else None
    )


def _is_new_axis(node: ast.expr, site: Site) -> bool:
    if isinstance(node, ast.Constant):
        return node.value is None
    return site.project.inference.api(node, site.scope) in ("tensorflow.newaxis", "numpy.newaxis")


def _is_whole(node: ast.expr) -> bool:
    return isinstance(node, ast.Slice) and node.lower is node.upper is node.step is None


def _is_used_again(node: ast.expr, site: Site) -> bool:
    """Tell whether the differences have a name that is used a second time: then they are needed anyway."""
    parent = site.module.parents(site.located.statement).get(node)
    if parent is not None:
        return False
    uses = [
        name
        for name, definitions in site.module.flow(site.scope).uses.items()
        if isinstance(name, ast.Name) and any(definition.value is node for definition in definitions)
    ]
    return len(uses) > 1
