"""TF332: nested Python loops set, pick or compute the elements of a tensor or an array one by one."""

from __future__ import annotations

from collections.abc import Iterator

from deepperf.facts.project.nested_loops import Cell
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Effort,
    Finding,
    Good,
    Hot,
    Impact,
    LoopSpot,
    Rule,
    loop,
)

_CURES = {
    Cell.SET: "Write all elements with one indexed assignment, mask[np.arange(n)[:, None], indices] = 1, or tf.scatter_nd; "
    "for rows of different lengths keep the outer loop.",
    Cell.PICKED: "Use tf.gather(x, indices, batch_dims=1) or tf.gather_nd.",
    Cell.DISTANCE: "Use a matrix product: |a|^2 - 2 a.b + |b|^2, and take the root. It is less exact for vectors that nearly "
    "coincide.",
}


class ElementsByNestedLoops(Rule):
    """Nested Python loops go through the elements of a tensor or an array one by one.

    ## Why it is slow
    Each element costs a pass of the interpreter, and with tensors a start of several ops, for one number. Rows times columns
    passes are needed where one op does it all.

    ## What to do
    Set elements with one indexed assignment or `tf.scatter_nd`, pick them with `tf.gather(..., batch_dims=1)` or `tf.gather_nd`,
    and compute all distances with a matrix product.

    ## When it is fine
    An element depends on those before it. There are a few rows or columns.
    """

    code, slug = "TF332", "elements-by-nested-loops"
    impact = Impact.MEDIUM
    effort = Effort.MEDIUM
    root_cause = "not-using-batch-api"
    symptoms = ("slow-execution-time",)
    stages = ("data-preparation", "model-building")
    frameworks = {"tensorflow": ">=1.0"}
    evidence = (
        "https://stackoverflow.com/questions/64885890",
        "https://stackoverflow.com/questions/61330532",
        "https://stackoverflow.com/questions/58906142",
    )
    since = "0.1"
    cost = Cost(
        "Rows times columns passes of the interpreter, each for one number.",
        None,
        "benches/rules/tf332.py",
    )

    examples = (
        Bad(
            """
            import numpy as np
            import tensorflow as tf

            def masks(indices, width):
                mask = np.zeros((len(indices), width))
                for i, row in enumerate(indices):
                    for j in row:  # <- TF332
                        mask[i, j] = 1
                return tf.constant(mask)
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def distances(points, centres):
                return tf.stack([[tf.norm(p - c) for c in centres] for p in points])  # <- TF332
            """
        ),
        Good(
            """
            import numpy as np
            import tensorflow as tf

            def masks(indices, width):
                mask = np.zeros((len(indices), width))
                mask[np.arange(len(indices))[:, None], indices] = 1
                return tf.constant(mask)
            """,
            why="one assignment for all elements",
        ),
        Good(
            """
            import numpy as np
            import tensorflow as tf

            def ways(rows, columns):
                table = np.ones((rows, columns))
                for i in range(1, rows):
                    for j in range(1, columns):
                        table[i, j] = table[i - 1, j] + table[i, j - 1]
                return tf.constant(table)
            """,
            why="each element needs those before it",
        ),
    )

    @loop()
    def nested(self, site: LoopSpot) -> Iterator[Finding]:
        """Report an inner loop that does one thing for one element on each pass."""
        found = site.project.nested_loops.of(site.loop)
        if found is None:
            return
        outer = found.outer.place("the outer loop")
        yield self.found(
            site,
            f"each pass of two nested loops {found.cell.value}: `{found.what[:40]}` (outer loop on {site.line_of(outer)})",
            advice=_CURES[found.cell],
            because=(outer,),
            related=(outer,),
            confidence=Confidence.MEDIUM,
            hot=Hot.PER_EXAMPLE,
        )
