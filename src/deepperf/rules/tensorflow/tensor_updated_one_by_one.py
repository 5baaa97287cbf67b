"""TF330: single entries of a tensor are set one after the other, each by an op that copies the tensor."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import Trips
from deepperf.facts.syntax import target_names
from deepperf.facts.values import Sequence
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Good,
    Hot,
    Impact,
    Loop,
    Rule,
    Site,
    call,
    method,
)

_UPDATES = tuple(f"tensorflow.tensor_scatter_nd_{kind}" for kind in ("update", "add", "sub", "min", "max"))
_EQUAL = ("tensorflow.equal", "tensorflow.math.equal")


class TensorUpdatedOneByOne(Rule):
    """A loop sets one part of a tensor on each pass, by an op that copies all of it.

    ## Why it is slow
    A tensor cannot be changed: each update makes a new one. For N updates of N entries that is N times N numbers, and N starts of
    an op. An update of one slice of a variable is an op of its own too.

    ## What to do
    Collect the indices and the values, and call `tf.scatter_nd` or `tf.tensor_scatter_nd_update` once for all of them. Where the
    values are computed for all places, write the whole tensor at once. Inside of a `tf.while_loop` use a `tf.TensorArray`.

    ## When it is fine
    The next index or value depends on what was written. There are a few passes only.
    """

    code, slug = "TF330", "tensor-updated-one-by-one"
    impact = Impact.MEDIUM
    root_cause = "not-using-efficient-api"
    symptoms = ("slow-execution-time",)
    stages = ("model-building", "data-preparation", "training")
    frameworks = {"tensorflow": ">=1.0"}
    evidence = (
        "https://stackoverflow.com/questions/64246466",
        "https://www.tensorflow.org/api_docs/python/tf/tensor_scatter_nd_update",
    )
    since = "0.1"
    cost = Cost(
        "Each update copies the whole tensor and starts an op.",
        None,
        "benches/rules/tf330.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def fill(values, size):
                out = tf.zeros([size])
                for i, value in enumerate(values):
                    out = tf.tensor_scatter_nd_update(out, [[i]], [value])  # <- TF330
                return out
            """
        ),
        Bad(
            """
            import tensorflow as tf

            def fill(rows, size):
                table = tf.Variable(tf.zeros([size, 8]))
                for i in range(size):
                    table[i].assign(rows[i])  # <- TF330
                return table
            """
        ),
        Good(
            """
            import tensorflow as tf

            def fill(values, size):
                return tf.scatter_nd(tf.range(size)[:, None], values, [size])
            """,
            why="one op writes all values",
        ),
        Good(
            """
            import tensorflow as tf

            def write(model, words, length):
                for i in range(length):
                    words = tf.tensor_scatter_nd_update(words, [[i]], [model(words)])
                return words
            """,
            why="each value depends on those written before",
        ),
    )

    @call(*_UPDATES)
    def scattered(self, site: Site) -> Iterator[Finding]:
        """Report a scatter into what an earlier pass has made."""
        yield from self._copied(site, list(site.node.args), None if _writes_one_place(site) else Impact.LOW)

    @call("tensorflow.where")
    def chosen(self, site: Site) -> Iterator[Finding]:
        """Report `out = tf.where(tf.range(n) == i, value, out)`."""
        if len(site.node.args) == 3 and site.loops and _picks_one(site, site.loops[0]):
            yield from self._copied(site, site.node.args[1:])

    @method("assign", on="tensor")
    def assigned(self, site: Site) -> Iterator[Finding]:
        """Report `variable[i].assign(value)` with the number of a loop."""
        part = site.node.func.value if isinstance(site.node.func, ast.Attribute) else None
        loop = site.loops[0] if site.loops else None
        if not isinstance(part, ast.Subscript) or loop is None or loop.trips in (Trips.ONCE, Trips.FEW):
            return
        tensor = ast.unparse(part.value)
        is_place = isinstance(part.slice, ast.Name) and part.slice.id in _counters(loop)
        reads = any(ast.unparse(node) == tensor for value in site.node.args for node in ast.walk(value))
        if is_place and not reads:
            yield self._finding(site, loop, f"`{tensor}` gets one part on each pass", Confidence.MEDIUM)

    def _copied(self, site: Site, parts: list[ast.expr], impact: Impact | None = None) -> Iterator[Finding]:
        grown = site.project.growth.of(site.located, parts)
        if grown is None or grown.feeds_next:
            return
        said = f"`{site.spelled}` copies all of `{grown.path}` to change one part of it on each pass"
        yield self._finding(site, grown.around.loop, said, Confidence.HIGH, impact)

    def _finding(
        self, site: Site, loop: Loop, said: str, confidence: Confidence, impact: Impact | None = None
    ) -> Finding:
        place = loop.place("the loop")
        return self.found(
            site,
            f"{said} of the loop on {site.line_of(place)}",
            advice="Collect the indices and values and write them with one scatter after the loop.",
            because=(place,),
            related=(place,),
            confidence=confidence,
            impact=impact,
            hot=Hot.PER_EXAMPLE,
        )


def _writes_one_place(site: Site) -> bool:
    """Tell whether the indices of a scatter are one place, written out: other scatters write many with each copy."""
    indices = site.argument("indices")
    values = site.project.inference.values(indices, site.scope) if indices is not None else ()
    return bool(values) and all(
        isinstance(value, Sequence) and value.elements is not None and len(value.elements) == 1
        for value in values
    )


def _counters(loop: Loop) -> set[str]:
    return set() if isinstance(loop.node, ast.While) else set(target_names(loop.node.target))


def _picks_one(site: Site, loop: Loop) -> bool:
    """Tell whether a condition compares with the loop's variable for equality: it holds for one entry."""
    condition = site.node.args[0]
    if isinstance(condition, ast.Compare) and isinstance(condition.ops[0], ast.Eq):
        sides = [condition.left, *condition.comparators]
    elif isinstance(condition, ast.Call) and site.project.inference.api(condition.func, site.scope) in _EQUAL:
        sides = condition.args
    else:
        return False
    counters = _counters(loop)
    others = [side for side in sides if not (isinstance(side, ast.Name) and side.id in counters)]
    is_range = len(others) == 1 and isinstance(others[0], ast.Call)
    return is_range and site.project.inference.api(others[0].func, site.scope) == "tensorflow.range"  # type: ignore[attr-defined]
