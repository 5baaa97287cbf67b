"""TF333: a tensor is sorted and only its first or last element is used."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.values import Const
from deepperf.rules.api import Bad, Confidence, Cost, Finding, Good, Impact, Rule, Site, call

_INSTEAD = {
    "tensorflow.sort": ("tf.reduce_min", "tf.reduce_max"),
    "tensorflow.argsort": ("tf.argmin", "tf.argmax"),
}


class SortedForOneElement(Rule):
    """A tensor is sorted, and only the first or the last element is used.

    ## Why it is slow
    A sort looks at the elements many times and moves all of them. The smallest or largest is found in one pass.

    ## What to do
    Use `tf.reduce_min`, `tf.reduce_max`, `tf.argmin` or `tf.argmax`. To leave elements out, give those the largest (or smallest)
    value first: `tf.argmin(tf.where(x == 0, x.dtype.max, x))`.

    ## When it is fine
    Other elements of the sorted tensor are used too. The tensor has a few elements.
    """

    code, slug = "TF333", "sorted-for-one-element"
    impact = Impact.MEDIUM
    root_cause = "not-using-efficient-api"
    symptoms = ("slow-execution-time",)
    stages = ("model-building", "data-preparation")
    frameworks = {"tensorflow": ">=1.13"}
    evidence = (
        "https://stackoverflow.com/questions/56206571",
        "https://www.tensorflow.org/api_docs/python/tf/math/argmin",
    )
    since = "0.1"
    cost = Cost("All elements are put in order, for one of them.", None, "benches/rules/tf333.py")

    examples = (
        Bad(
            """
            import tensorflow as tf

            def nearest(distances):
                return tf.argsort(distances)[0]  # <- TF333
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def best(scores):
                ordered = tf.sort(scores, axis=-1, direction="DESCENDING")  # <- TF333
                return ordered[..., 0]
            """
        ),
        Good(
            """
            import tensorflow as tf

            def nearest(distances):
                return tf.argmin(distances)
            """,
            why="one pass over the elements",
        ),
        Good(
            """
            import tensorflow as tf

            def nearest(distances):
                order = tf.argsort(distances)
                return order[0], order[1]
            """,
            why="two of them are used",
        ),
    )

    @call(*_INSTEAD)
    def ordered(self, site: Site) -> Iterator[Finding]:
        """Report a sort of which one end is taken."""
        used = _only_use(site)
        end = _end(used, site) if used is not None else None
        axis = _constant(site.argument("axis"), site, -1)
        direction = _constant(site.argument("direction"), site, "ASCENDING")
        if (
            used is None
            or end is None
            or direction not in ("ASCENDING", "DESCENDING")
            or not _is_cut(used, axis)
        ):
            return
        smallest, largest = _INSTEAD[site.name or ""]
        instead = smallest if (end == 0) == (direction == "ASCENDING") else largest
        place = site.source.place(used, "all that is used of it")
        yield self.found(
            site,
            f"`{site.spelled}` sorts all elements, and only the {'first' if end == 0 else 'last'} is used",
            advice=f"Use {instead} with the same axis: one pass over the elements.",
            because=(place,),
            related=(place,),
            confidence=Confidence.HIGH,
        )


def _only_use(site: Site) -> ast.Subscript | None:
    """Return the index that is the only use of what a call gives, by itself or by a local name."""
    parent = site.module.parents(site.located.statement).get(site.node)
    if isinstance(parent, ast.Subscript) and parent.value is site.node:
        return parent
    statement = site.located.statement
    if not isinstance(statement, ast.Assign) or statement.value is not site.node or site.function is None:
        return None
    if len(statement.targets) != 1 or not isinstance(statement.targets[0], ast.Name):
        return None
    uses = [
        node
        for node, definitions in site.module.flow(site.scope).uses.items()
        if any(definition.value is site.node for definition in definitions)
    ]
    indices = [
        node
        for node in ast.walk(site.function.node)
        if isinstance(node, ast.Subscript) and node.value in uses
    ]
    return indices[0] if len(uses) == len(indices) == 1 else None


def _end(used: ast.Subscript, site: Site) -> int | None:
    """Return the end that an index takes: 0 for the first, -1 for the last."""
    last = used.slice.elts[-1] if isinstance(used.slice, ast.Tuple) else used.slice
    value = site.project.inference.one(last, site.scope)
    return (
        value.value
        if isinstance(value, Const) and value.value in (0, -1) and type(value.value) is int
        else None
    )


def _is_cut(used: ast.Subscript, axis: object) -> bool:
    """Tell whether an index cuts the axis that was sorted: `[0]` the first one, `[..., 0]` or `[:, 0]` the last one."""
    if not isinstance(used.slice, ast.Tuple):
        return axis in (0, -1)
    before = used.slice.elts[:-1]
    if any(isinstance(part, ast.Constant) and part.value is Ellipsis for part in before):
        return axis == -1
    wholes = [part for part in before if isinstance(part, ast.Slice) and part.lower is part.upper is None]
    return len(wholes) == len(before) and axis in (-1, len(before))


def _constant(node: ast.expr | None, site: Site, default: object) -> object:
    if node is None:
        return default
    value = site.project.inference.one(node, site.scope)
    return value.value if isinstance(value, Const) else None
