"""GN105: a Python loop does to a tensor row by row what ops do for all rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.project.row_loops import Outcome, RowLoop
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

_COMPILERS = ("jax.jit", "jax.vmap", "jax.pmap", "jax.checkpoint", "torch.compile", "torch.jit.script")


class PythonLoopOverBatch(Rule):
    """A Python loop goes through a tensor row by row, where the ops take all rows at once.

    ## Why it is slow
    Each pass starts its ops anew on one small row, and a GPU has nothing to do meanwhile. In a `tf.function` the loop becomes as
    many copies of its body.

    ## What to do
    Call the ops on the whole tensor, with an axis or broadcasting: a batched matrix product, `einsum`, `where`, a sum over an
    axis. Give a model the whole batch. `jax.vmap`, `torch.vmap` and `tf.vectorized_map` do it for a function of one row.

    ## When it is fine
    A pass needs what the one before it gave. Rows have different sizes. The loop runs over a few heads or layers. The loop is
    compiled as a whole.
    """

    code, slug = "GN105", "python-loop-over-batch"
    impact = Impact.MEDIUM
    effort = Effort.MEDIUM
    root_cause = "not-using-batch-api"
    symptoms = ("slow-execution-time", "abnormal-gpu-utilization")
    stages = ("model-building", "training", "evaluation")
    frameworks = {"torch": ">=0.4", "tensorflow": ">=1.0", "keras": ">=2.0", "jax": ">=0.1"}
    evidence = (
        "https://docs.jax.dev/en/latest/automatic-vectorization.html",
        "https://www.tensorflow.org/guide/gpu_performance_analysis",
        "https://stackoverflow.com/questions/58906142",
        "https://stackoverflow.com/questions/57354698",
    )
    since = "0.1"
    yields_to = ("TF301", "KR103")
    cost = Cost(
        "Each row starts every op of the body once, on very little data.",
        None,
        "benches/rules/gn105.py",
    )

    examples = (
        Bad(
            """
            import torch

            def similarity(a, b):
                scores = []
                for i in range(a.size(0)):  # <- GN105
                    scores.append(torch.dot(a[i], a[i]))
                return torch.stack(scores)
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def loss(values):
                total = 0.0
                for row in tf.unstack(tf.convert_to_tensor(values)):  # <- GN105
                    total += tf.reduce_max(tf.square(row))
                return total
            """
        ),
        Good(
            """
            import torch

            def similarity(a, b):
                return (a * b).sum(dim=1)
            """,
            why="one product and one sum for all rows",
        ),
        Good(
            """
            import torch

            def walk(x, state):
                states = []
                for t in range(x.size(0)):
                    state = torch.tanh(x[t] + state)
                    states.append(state)
                return torch.stack(states)
            """,
            why="each pass needs the state of the one before",
        ),
    )

    @loop()
    def by_rows(self, site: LoopSpot) -> Iterator[Finding]:
        """Report a loop whose passes do not need each other and only use ops that take all rows."""
        found = site.project.row_loops.of(site.loop)
        if found is None or _is_compiled(site):
            return
        rows = found.rows.tensor
        work = site.source.place(found.work[0], "what is done with each row")
        what = (
            "a model or layer is called"
            if found.asks_model
            else f"`{ast.unparse(found.work[0])[:40]}` is computed"
        )
        yield self.found(
            site,
            f"{what} for one row of `{rows}` at a time in a Python loop, and the results {found.outcome.value}",
            advice=_advice(found),
            because=(work,),
            related=(work,),
            confidence=Confidence.MEDIUM if found.sure else Confidence.LOW,
            hot=Hot.PER_EXAMPLE,
        )


def _advice(found: RowLoop) -> str:
    if found.asks_model:
        return "Call the model once on the whole batch."
    if found.chooses:
        return "Compute both sides for the whole tensor and choose with where."
    if found.outcome is Outcome.SUMMED:
        return "Apply the ops to the whole tensor and sum over the axis."
    return "Apply the ops to the whole tensor, with an axis or broadcasting, or use vmap."


def _is_compiled(site: LoopSpot) -> bool:
    """Tell whether the function is compiled by JAX or torch: what a loop costs there is another question."""
    for step in site.located.context:
        decorators = getattr(step.node, "decorator_list", ()) if step.kind == "function" else ()
        for decorator in decorators:
            parts = [decorator.func, *decorator.args] if isinstance(decorator, ast.Call) else [decorator]
            if any(site.project.inference.api(part, site.module.index.scope) in _COMPILERS for part in parts):
                return True
    return False
