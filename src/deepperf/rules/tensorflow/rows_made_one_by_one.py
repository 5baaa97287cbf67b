"""TF334: masks or random numbers are made row by row in Python and stacked."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import FEW
from deepperf.facts.project.row_functions import Form
from deepperf.facts.values import Const, Sequence
from deepperf.rules.api import Bad, Confidence, Cost, Finding, Good, Hot, Impact, Rule, Site, call

_CURES = {
    Form.MASK: ("a mask", "Make it with one comparison: tf.sequence_mask(lengths, width)."),
    Form.RANDOM: (
        "a random number",
        "Draw floats for the whole shape, multiply them by the bounds and round down with tf.floor or tf.cast.",
    ),
    Form.EXTREME: (
        "the place of one extreme",
        "Put the largest (or smallest) value where the mask is false and use one argmin or argmax along an axis.",
    ),
}


class RowsMadeOneByOne(Rule):
    """Masks or random numbers are made one row after the other in Python and stacked.

    ## Why it is slow
    Each row starts several ops for a few numbers, and the stack copies all of them. One op makes the whole tensor.

    ## What to do
    A mask from lengths is `tf.sequence_mask(lengths, width)`, or `tf.range(width) < lengths[:, None]`. Random integers with a
    bound for each element are floats times the bounds: `tf.cast(tf.random.uniform(tf.shape(bounds)) * bounds, tf.int32)`.

    ## When it is fine
    There are a few rows. Rows are made of more than constant stretches.
    """

    code, slug = "TF334", "rows-made-one-by-one"
    impact = Impact.MEDIUM
    root_cause = "not-using-batch-api"
    symptoms = ("slow-execution-time",)
    stages = ("data-preparation", "model-building")
    frameworks = {"tensorflow": ">=1.0"}
    evidence = (
        "https://stackoverflow.com/questions/63105788",
        "https://stackoverflow.com/questions/62034179",
        "https://www.tensorflow.org/api_docs/python/tf/sequence_mask",
    )
    since = "0.1"
    cost = Cost("Each row starts several ops for a few numbers.", None, "benches/rules/tf334.py")

    examples = (
        Bad(
            """
            import tensorflow as tf

            def masks(lengths, width):
                return tf.stack([tf.concat([tf.ones([n]), tf.zeros([width - n])], 0) for n in lengths])  # <- TF334
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def places(bounds):
                return tf.stack([tf.random.uniform([], maxval=b, dtype=tf.int32) for b in bounds])  # <- TF334
            """
        ),
        Good(
            """
            import tensorflow as tf

            def masks(lengths, width):
                return tf.sequence_mask(lengths, width, dtype=tf.float32)
            """,
            why="one op makes all rows",
        ),
        Good(
            """
            import tensorflow as tf

            def rows(parts, width):
                return tf.stack([tf.concat([part, tf.zeros([width - len(part)])], 0) for part in parts])
            """,
            why="rows of different lengths are filled up",
        ),
    )

    @call("tensorflow.stack", "tensorflow.convert_to_tensor", "tensorflow.concat")
    def stacked(self, site: Site) -> Iterator[Finding]:
        """Report a stack of rows that one op makes."""
        made = site.node.args[0] if site.node.args else None
        if not isinstance(made, ast.ListComp) or len(made.generators) > 1 or made.generators[0].ifs:
            return
        if _is_short(made.generators[0].iter, site):
            return
        work = site.project.row_functions.of_element(made, site.scope)
        if work is None or work.form not in _CURES:
            return
        what, cure = _CURES[work.form]
        place = site.source.place(made.generators[0].iter, "for each of these")
        yield self.found(
            site,
            f"`{site.spelled}` joins rows that are made one by one in Python: {what} for each of "
            f"`{ast.unparse(made.generators[0].iter)[:40]}`",
            advice=cure,
            because=(place,),
            confidence=Confidence.MEDIUM,
            hot=Hot.PER_EXAMPLE,
        )


def _is_short(node: ast.expr, site: Site) -> bool:
    """Tell whether a comprehension surely runs over a few things."""
    if isinstance(node, ast.Call) and site.project.inference.api(node.func, site.scope) == "builtins.range":
        count = site.project.inference.one(node.args[-1], site.scope) if node.args else None
        return isinstance(count, Const) and isinstance(count.value, int) and count.value <= FEW
    value = site.project.inference.one(node, site.scope)
    return isinstance(value, Sequence) and value.elements is not None and len(value.elements) <= FEW
