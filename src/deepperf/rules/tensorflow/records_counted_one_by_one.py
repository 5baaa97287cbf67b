"""TF230: the elements of a dataset are counted one by one in Python."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.values import Pipeline
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Good,
    Hot,
    Impact,
    LoopSpot,
    Rule,
    Site,
    Spot,
    call,
    loop,
)
from deepperf.rules.tensorflow import pipeline

_ADVICE = (
    "Count inside the pipeline: dataset.batch(10_000).reduce(0, lambda n, b: n + tf.shape(b)[0]) for records, "
    "or store the number beside the files."
)


class RecordsCountedOneByOne(Rule):
    """The elements of a dataset are counted one by one in Python.

    ## Why it is slow
    Each pass asks the iterator for one element and makes a tensor of it, only to throw it away. A pipeline that counts whole
    batches stays in C++.

    ## What to do
    Count in the pipeline: `dataset.batch(10_000).reduce(0, lambda n, b: n + tf.shape(b)[0])`. Where the number is known when the
    files are written, store it there. A dataset made from memory knows its size: `dataset.cardinality()`.

    ## When it is fine
    The loop does something else with the elements too. There are only a few elements.
    """

    code, slug = "TF230", "records-counted-one-by-one"
    impact = Impact.MEDIUM
    root_cause = "not-using-efficient-api"
    symptoms = ("slow-initialization-time", "slow-execution-time")
    stages = ("data-preparation", "initialization")
    frameworks = {"tensorflow": ">=1.4"}
    evidence = ("55598516", "https://www.tensorflow.org/api_docs/python/tf/data/Dataset#reduce")
    since = "0.1"
    cost = Cost(
        "Every element is fetched into Python and thrown away. Measured: counting 100,000 small records took 15 times as long as "
        "counting them in batches (2 CPU cores, TensorFlow 2.21).",
        14.97,
        "benches/rules/tf230.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def size(files):
                return sum(1 for _ in tf.data.TFRecordDataset(files))  # <- TF230
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def size(files):
                count = 0
                for record in tf.data.TFRecordDataset(files):  # <- TF230
                    count += 1
                return count
            """
        ),
        Good(
            """
            import tensorflow as tf

            def size(files):
                batches = tf.data.TFRecordDataset(files).batch(10_000)
                return batches.reduce(0, lambda count, batch: count + tf.shape(batch)[0])
            """,
            why="the pipeline counts whole batches",
        ),
        Good(
            """
            import tensorflow as tf

            def size(files, write):
                count = 0
                for record in tf.data.TFRecordDataset(files):
                    write(record)
                    count += 1
                return count
            """,
            why="the elements are needed anyway",
        ),
    )

    @loop()
    def counted_by_a_loop(self, site: LoopSpot) -> Iterator[Finding]:
        """Report a loop over a dataset whose body only counts, as a statement or inside of `sum`."""
        if _only_counts(site):
            yield from self._finding(site, site.node)

    @call("builtins.len")
    def counted_by_a_list(self, site: Site) -> Iterator[Finding]:
        """Report `len(list(dataset))`."""
        inner = site.node.args[0] if len(site.node.args) == 1 else None
        if isinstance(inner, ast.Call) and len(inner.args) == 1 and not inner.keywords:
            name = site.project.inference.api(inner.func, site.scope)
            if name in ("builtins.list", "builtins.tuple"):
                yield from self._finding(site, inner.args[0])

    def _finding(self, site: Spot, counted: ast.expr) -> Iterator[Finding]:
        found = _dataset(counted, site)
        if found is None or all(
            pipeline.is_small(step, site) for path in found.step.paths() for step in path[:1]
        ):
            return
        place = site.source.place(counted, "the dataset")
        yield self.found(
            site,
            f"the elements of `{_short(counted)}` are counted one by one in Python",
            advice=_ADVICE,
            because=(place,),
            confidence=Confidence.HIGH,
            hot=Hot.ONCE,
        )


def _short(node: ast.expr) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 50 else text[:47] + "..."


def _dataset(node: ast.expr, site: Spot) -> Pipeline | None:
    """Return the dataset that an expression surely is, also as numpy elements."""
    if (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "as_numpy_iterator"
    ):
        node = node.func.value
    value = site.project.inference.one(node, site.scope)
    return value if isinstance(value, Pipeline) else None


def _only_counts(site: LoopSpot) -> bool:
    """Tell whether a loop's body adds a constant to a name and does nothing else, or a comprehension gives one to `sum`."""
    node = site.loop.node
    if isinstance(node, ast.For):
        added = node.body[0] if len(node.body) == 1 and not node.orelse else None
        return (
            isinstance(added, ast.AugAssign)
            and isinstance(added.op, ast.Add)
            and isinstance(added.target, ast.Name)
            and isinstance(added.value, ast.Constant)
        )
    owner = site.loop.owner
    if not isinstance(owner, ast.GeneratorExp | ast.ListComp) or not isinstance(owner.elt, ast.Constant):
        return False
    parent = site.module.parents(site.located.statement).get(owner)
    callee = site.project.inference.api(parent.func, site.scope) if isinstance(parent, ast.Call) else None
    return (
        len(owner.generators) == 1
        and not owner.generators[0].ifs
        and callee in ("builtins.sum", "builtins.len")
    )
