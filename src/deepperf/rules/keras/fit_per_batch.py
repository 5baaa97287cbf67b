"""KR104: fit is called for one batch, or for one epoch, on each pass of a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import LoopKind
from deepperf.facts.project.hotness import Around
from deepperf.facts.scopes import Scope
from deepperf.facts.values import Const
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Effort,
    Finding,
    Good,
    Hot,
    Impact,
    Place,
    Rule,
    Site,
    method,
)
from deepperf.rules.keras import passes

_DEFAULT_BATCH = 32


class FitPerBatch(Rule):
    """`fit` is called for one batch, or for one epoch, on each pass of a loop.

    ## Why it is slow
    Each call of `fit` sets up a data pipeline, callbacks and a progress bar, and only then trains. It is made for a whole run of
    epochs; for one batch the set-up takes far longer than the step.

    ## What to do
    Give all the data to one `fit(…, epochs=…)`: arrays, a `tf.data.Dataset` or a `keras.utils.PyDataset`. To control each step
    yourself, call `train_on_batch`. What has to happen between epochs goes into a callback.

    ## When it is fine
    Each pass trains on a large piece of data. The loop alternates two models, or changes the data from epoch to epoch.
    """

    code, slug = "KR104", "fit-per-batch"
    impact = Impact.HIGH
    effort = Effort.MEDIUM
    root_cause = "inefficient-api-usage"
    symptoms = ("slow-execution-time", "increasing-time-over-time")
    stages = ("training",)
    frameworks = {"keras": ">=2.0", "tensorflow": ">=1.4"}
    evidence = (
        "https://keras.io/api/models/model_training_apis/#train_on_batch-method",
        "https://stackoverflow.com/questions/58785715",
        "benches/rules/kr104.py",
    )
    since = "0.1"
    cost = Cost("The set-up of each call takes far longer than one step.", None, "benches/rules/kr104.py")

    examples = (
        Bad(
            """
            import numpy as np
            import tensorflow as tf

            def train(samples):
                model = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])
                model.compile(optimizer="adam", loss="mse")
                for features, target in samples:
                    model.fit(features.reshape(1, -1), np.array([target]), verbose=0)  # <- KR104
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def train(x, y):
                model = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])
                model.compile(optimizer="adam", loss="mse")
                for start in range(0, len(x), 32):
                    model.fit(x[start : start + 32], y[start : start + 32])  # <- KR104
            """
        ),
        Good(
            """
            import tensorflow as tf

            def train(x, y):
                model = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])
                model.compile(optimizer="adam", loss="mse")
                model.fit(x, y, batch_size=32)
            """,
            why="one call goes through all batches",
        ),
        Good(
            """
            import tensorflow as tf

            def train(files, read):
                model = tf.keras.Sequential([tf.keras.layers.Dense(64), tf.keras.layers.Dense(1)])
                model.compile(optimizer="adam", loss="mse")
                for file in files:
                    x, y = read(file)
                    model.fit(x, y)
            """,
            why="a file may hold many batches",
        ),
    )

    @method("fit", on="keras-model")
    def fitted(self, site: Site) -> Iterator[Finding]:
        """Report a call for one batch or one epoch in a loop."""
        if not site.project.models.called(site.call) or site.has_unpacking or not _is_one_epoch(site):
            return
        data = passes.given(site.node, "x")
        if data is None:
            return
        for around in passes.repeating(site):
            batch = site.project.singles.proof(data, site.scope, around.chain) or self._one_batch(data, site)
            if batch is not None:
                yield self._per_batch(site, around, batch)
                return
            if self._only_repeats(site, around):
                yield self._per_epoch(site, around)
                return

    def _per_batch(self, site: Site, around: Around, batch: Place) -> Finding:
        loop = around.loop.place("the loop")
        return self.found(
            site,
            f"`{site.spelled}` is called for one batch on each pass of the loop on {site.line_of(loop)}",
            advice="Use train_on_batch, or give all the data to one fit(): arrays, a Dataset or a PyDataset.",
            because=(batch, loop),
            confidence=Confidence.HIGH if around.is_certain else Confidence.MEDIUM,
            impact=Impact.MEDIUM if passes.is_graph(site) else None,
            related=(loop, *passes.chain_places(around), batch),
            hot=Hot.PER_BATCH,
        )

    def _per_epoch(self, site: Site, around: Around) -> Finding:
        loop = around.loop.place("the loop")
        return self.found(
            site,
            f"`{site.spelled}` is called for one epoch on each pass of the loop on {site.line_of(loop)}, with the same data",
            advice="Call fit once, with epochs=… as often as the loop runs.",
            because=(loop,),
            impact=Impact.LOW,
            related=(loop,),
            hot=Hot.PER_EPOCH,
        )

    @staticmethod
    def _one_batch(data: ast.expr, site: Site) -> Place | None:
        """Return the place that shows the data to be a slice that is no longer than one batch."""
        piece, scope = _slice(data, site.scope)
        if piece is None:
            return None
        size = passes.given(site.node, "batch_size")
        width = _width(piece)
        if width is None:
            return None
        number = site.project.inference.one(width, scope)
        limit = site.project.inference.one(size, site.scope) if size is not None else Const(_DEFAULT_BATCH)
        fits = (
            isinstance(number, Const) and isinstance(limit, Const) and _not_above(number.value, limit.value)
        )
        same = size is not None and ast.unparse(size) == ast.unparse(width)
        return scope.module.source.place(piece, "no longer than a batch") if fits or same else None

    @staticmethod
    def _only_repeats(site: Site, around: Around) -> bool:
        """Tell whether a loop does nothing but train on the same data, and print."""
        loop = around.loop
        if around.chain or isinstance(loop.node, ast.While | ast.comprehension):
            return False
        if loop.kind not in (LoopKind.COUNTED, LoopKind.EPOCHS):
            return False
        others = [statement for statement in loop.node.body if statement is not site.located.statement]
        if not all(_prints(statement) for statement in others):
            return False
        arguments = [*site.node.args, *(keyword.value for keyword in site.node.keywords)]
        return all(passes.is_same_each_pass(argument, loop) for argument in arguments)


def _is_one_epoch(site: Site) -> bool:
    epochs = passes.given(site.node, "epochs") or next(
        (keyword.value for keyword in site.node.keywords if keyword.arg == "nb_epoch"), None
    )
    value = site.project.inference.one(epochs, site.scope) if epochs is not None else Const(1)
    return isinstance(value, Const) and value.value == 1


def _prints(statement: ast.stmt) -> bool:
    node = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"


def _slice(node: ast.expr, scope: Scope) -> tuple[ast.Subscript | None, Scope]:
    """Return the slice that an expression is, or that the only definition of its name is."""
    if isinstance(node, ast.Name):
        definitions = scope.module.definitions(node, scope)
        if len(definitions) == 1 and definitions[0].kind == "assign" and not definitions[0].path:
            return (
                _slice(definitions[0].value or node, definitions[0].scope)
                if definitions[0].value
                else (None, scope)
            )
        return None, scope
    is_slice = isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
    return (node if is_slice else None), scope  # type: ignore[return-value]


def _width(piece: ast.Subscript) -> ast.expr | None:
    """Return the length of a slice: `n` of `[i : i + n]` and of `[i * n : (i + 1) * n]`."""
    part = piece.slice
    if not isinstance(part, ast.Slice) or part.step is not None or part.upper is None:
        return None
    if part.lower is None:
        return part.upper if isinstance(part.upper, ast.Constant) else None
    lower = ast.unparse(part.lower)
    if not isinstance(part.upper, ast.BinOp):
        return None
    left, right = part.upper.left, part.upper.right
    if isinstance(part.upper.op, ast.Add) and ast.unparse(left) == lower:
        return right
    if isinstance(part.upper.op, ast.Mult) and isinstance(part.lower, ast.BinOp):
        same = ast.unparse(part.lower.right) == ast.unparse(right)
        return right if same and ast.unparse(left) == f"{ast.unparse(part.lower.left)} + 1" else None
    return None


def _not_above(number: object, limit: object) -> bool:
    return isinstance(number, int) and isinstance(limit, int) and number <= limit
