"""GN102: an array is made longer by a copy of itself on each pass of a loop."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import LoopKind
from deepperf.facts.project.growth import Grown
from deepperf.facts.project.regions import Mode
from deepperf.facts.syntax import arguments_of
from deepperf.facts.values import Const, Plain
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Good,
    Impact,
    Loop,
    LoopSpot,
    Rule,
    Site,
    Spot,
    call,
    loop,
    method,
)

_ARRAYS_FIRST = ("numpy.append", "numpy.insert", "jax.numpy.append", "keras.ops.append")
_JOINS = (
    "tensorflow.concat",
    "keras.backend.concatenate",
    *(f"keras.ops.{name}" for name in ("concatenate", "vstack", "hstack")),
    *(f"numpy.{name}" for name in ("concatenate", "vstack", "hstack", "dstack", "column_stack", "row_stack")),
    *(f"jax.numpy.{name}" for name in ("concatenate", "vstack", "hstack", "dstack", "column_stack")),
    *(f"torch.{name}" for name in ("cat", "concat", "concatenate", "vstack", "hstack", "dstack")),
    *(f"torch.{name}" for name in ("column_stack", "row_stack")),
    "pandas.concat",
)


_BUILDING = (Mode.GRAPH, Mode.TRACED, Mode.DATASET, Mode.LOOP_BODY)


class ArrayGrownInLoop(Rule):
    """An array, tensor or table is made longer by a copy of itself on each pass of a loop.

    ## Why it is slow
    Each join copies all that was collected so far. The work grows with the square of the number of passes, and old and new copy
    are held at the same time. JAX compiles the join anew for each length.

    ## What to do
    Append to a Python list and join it once after the loop, or make the whole array first and fill it. Inside of a `tf.function`
    use a `tf.TensorArray`.

    ## When it is fine
    The loop needs the whole array on each pass, as a decoder does. It is cut back to one length, as a window is. There are a few
    passes only.
    """

    code, slug = "GN102", "array-grown-in-loop"
    impact = Impact.MEDIUM
    root_cause = "inefficient-api-usage"
    symptoms = ("slow-execution-time", "increasing-time-over-time", "out-of-memory")
    stages = ("data-preparation", "training", "evaluation")
    frameworks = {
        "numpy": ">=1.0",
        "pandas": ">=0.20",
        "tensorflow": ">=1.0",
        "keras": ">=2.0",
        "torch": ">=0.4",
        "jax": ">=0.1",
    }
    evidence = (
        "https://www.tensorflow.org/guide/function#accumulating_values_in_a_loop",
        "https://numpy.org/doc/stable/reference/generated/numpy.append.html",
        "https://stackoverflow.com/questions/62538267",
    )
    since = "0.1"
    cost = Cost(
        "Each pass copies all that the passes before it collected.",
        None,
        "benches/rules/gn102.py",
    )

    examples = (
        Bad(
            """
            import numpy as np
            import tensorflow as tf

            def label(model, batches):
                labels = np.empty([0, 10])
                for batch in batches:
                    labels = np.concatenate([labels, model(batch)])  # <- GN102
                return labels
            """
        ),
        Bad(
            """
            import tensorflow as tf

            class Scores:
                def __init__(self):
                    self.values = tf.zeros([0])

                def add(self, values):
                    self.values = tf.concat([self.values, values], axis=0)  # <- GN102

            def measure(model, batches):
                scores = Scores()
                for batch in batches:
                    scores.add(model(batch))
                return scores.values
            """
        ),
        Good(
            """
            import numpy as np
            import tensorflow as tf

            def label(model, batches):
                labels = []
                for batch in batches:
                    labels.append(model(batch))
                return np.concatenate(labels)
            """,
            why="one join, after the loop",
        ),
        Good(
            """
            import tensorflow as tf

            def write(model, words, length):
                for _ in range(length):
                    words = tf.concat([words, model(words)], axis=1)
                return words
            """,
            why="each pass needs all words so far",
        ),
    )

    @call(*_JOINS)
    def joined(self, site: Site) -> Iterator[Finding]:
        """Report a join of an array with more, assigned to the array."""
        lists = [part for part in arguments_of(site.node) if isinstance(part, ast.List | ast.Tuple)]
        if lists:
            yield from self._finding(site, lists[0].elts)

    @call(*_ARRAYS_FIRST)
    def appended(self, site: Site) -> Iterator[Finding]:
        """Report `np.append`, which copies the array it gets."""
        if len(site.node.args) >= 2:
            yield from self._finding(site, [site.node.args[0], site.node.args[-1]])

    @method("append", on="frame")
    def appended_rows(self, site: Site) -> Iterator[Finding]:
        """Report rows added to a table of pandas."""
        if isinstance(site.node.func, ast.Attribute) and site.node.args:
            yield from self._finding(site, [site.node.func.value, site.node.args[0]])

    @loop()
    def indexed(self, site: LoopSpot) -> Iterator[Finding]:
        """Report `rows = np.r_[rows, row]`, a join in the form of an index."""
        for join in site.project.growth.by_index(site.loop):
            given = join.node.slice
            if isinstance(given, ast.Tuple):
                yield from self._finding(Spot(join, site.project), given.elts)

    def _finding(self, site: Spot, parts: list[ast.expr]) -> Iterator[Finding]:
        grown = site.project.growth.of(site.located, parts)
        if grown is None:
            return
        loop = grown.around.loop.place("the loop")
        calls = tuple(
            entry.call.module.source.place(entry.call.node, f"{entry.function.name} is called in the loop")
            for entry in grown.around.chain
        )
        yield self.found(
            site,
            f"`{site.spelled}` copies all of `{grown.path}` on each pass of the loop on {site.line_of(loop)}",
            advice=_advice(site),
            because=(loop, *calls),
            confidence=Confidence.HIGH if not calls else Confidence.MEDIUM,
            impact=_impact(site, grown),
            related=(loop, *calls),
        )


def _advice(site: Spot) -> str:
    if site.region is not None and site.region.mode is Mode.TRACED:
        return "Write the parts into a tf.TensorArray and stack or concat it once after the loop."
    if not isinstance(site, Site):
        join = "np.concatenate"
    elif site.name is None:
        join = "pd.concat"
    else:
        join = site.spelled.replace("append", "concatenate").replace("insert", "concatenate")
    return f"Append the parts to a list and call {join} once after the loop."


def _impact(site: Spot, grown: Grown) -> Impact | None:
    loop = grown.around.loop
    # JAX compiles each join anew, which takes long beside any step.
    feeds_next = grown.feeds_next and not (getattr(site, "name", None) or "").startswith("jax")
    if loop.kind is LoopKind.EPOCHS or feeds_next or _runs_until_full(grown):
        return Impact.LOW
    if site.project.hotness.is_step_loop(loop) and all(_is_number(part, site) for part in grown.added):
        return Impact.LOW
    if _is_over_kinds(loop) or _trains_on_each_pass(grown):
        return Impact.LOW
    return Impact.LOW if _is_part_of_model(site) and not _runs_over_rows(loop) else None


def _is_part_of_model(site: Spot) -> bool:
    """Tell whether a place builds a graph, or is a method of a layer or a model: most loops there run over a few layers."""
    is_op = (getattr(site, "name", None) or "").startswith(("tensorflow.", "keras."))
    if is_op and (_names_variables(site) or (site.region is not None and site.region.mode in _BUILDING)):
        return True
    cls = site.function.cls if site.function is not None else None
    return cls is not None and any(
        isinstance(base, str) and base.rpartition(".")[2] in ("Module", "Layer", "Model")
        for base in site.project.classes.order(cls)
    )


def _names_variables(site: Spot) -> bool:
    """Tell whether a place stands in a `tf.variable_scope`, as the code of a TensorFlow 1 network does."""
    return any(
        isinstance(item.context_expr, ast.Call)
        and site.project.inference.api(item.context_expr.func, step.scope) == "tensorflow.variable_scope"
        for step in site.located.context.within_function()
        if isinstance(step.node, ast.With)
        for item in step.node.items
    )


def _runs_until_full(grown: Grown) -> bool:
    """Tell whether a `while` asks how much there is by now: such a loop mostly adds large parts, a few times."""
    loop = grown.around.loop
    return isinstance(loop.node, ast.While) and any(
        isinstance(node, ast.Name | ast.Attribute) and ast.unparse(node) == grown.path
        for node in ast.walk(loop.node.test)
    )


def _is_over_kinds(loop: Loop) -> bool:
    """Tell whether a loop runs over the different values of something: there are far fewer than values."""
    header = loop.header
    callee = header.func if isinstance(header, ast.Call) else None
    return getattr(callee, "attr", getattr(callee, "id", "")) in ("set", "unique", "keys")


def _trains_on_each_pass(grown: Grown) -> bool:
    """Tell whether a pass trains or tests a whole model: the copy weighs nothing beside that."""
    scope = grown.around.loop.scope
    return any(
        found.method_name in ("fit", "fit_generator", "evaluate") and grown.around.loop.runs(found.node)
        for found in scope.module.project.calls.of_scope(scope)
    )


def _runs_over_rows(loop: Loop) -> bool:
    """Tell whether the size of a tensor says how many passes a loop has: other loops of a model run over its few layers."""
    if loop.over_tensor:
        return True
    counted = loop.header if loop.kind is LoopKind.COUNTED else None
    return counted is not None and any(
        isinstance(node, ast.Attribute) and node.attr in ("shape", "size") for node in ast.walk(counted)
    )


def _is_number(node: ast.expr, site: Spot) -> bool:
    """Tell whether what is added is surely one number: its copy weighs nothing beside a step of training."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "item":
        return True
    return all(isinstance(value, Const | Plain) for value in site.project.inference.values(node, site.scope))
