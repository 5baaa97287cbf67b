"""TF301: a map runs a function row by row that has a form for all rows."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.loops import FEW
from deepperf.facts.project.row_functions import Form, RowWork
from deepperf.facts.scopes import CallSite
from deepperf.facts.values import Const, Made, Sequence
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Edit,
    Effort,
    Finding,
    Fix,
    Good,
    Impact,
    Rule,
    Safety,
    Site,
    call,
)

_CURES = {
    Form.SAME: "Call the function once on the whole tensor: each of its ops takes many rows.",
    Form.OPS: "Write it for the whole tensor, with axis arguments and broadcasting, or use tf.vectorized_map.",
    Form.GATHER: "Gather once for all rows with batch_dims=1; for a scatter put the row's number into the indices.",
    Form.CHOICE: "Compute both branches for the whole tensor and choose with tf.where.",
    Form.MASK: "Make the mask with one comparison, tf.range(width) < lengths[:, None], or with tf.sequence_mask.",
    Form.EXTREME: "Put the largest (or smallest) value where the mask is false and use one argmin or argmax along an axis.",
    Form.RANDOM: "Draw floats for the whole shape, scale them by the bounds and round down.",
}
_MAPS = ("tensorflow.map_fn", "keras.backend.map_fn", "keras.ops.map")
# With fewer iterations at a time the map is there to save memory.
_MEANT_SERIAL = 4


class MapFnOverVectorisableFunction(Rule):
    """`tf.map_fn` runs a function row by row that could work on all rows at once.

    ## Why it is slow
    The map is a loop: for each row it takes the row out of the tensor, starts every op of the function anew on a small tensor,
    and writes the result back. In eager code the rows also run one after the other.

    ## What to do
    Write the function for the whole tensor: broadcasting, `axis=-1`, `tf.matmul`, `tf.gather(..., batch_dims=1)`, `tf.where`.
    Where that is hard, `tf.vectorized_map` does it for you. For a map inside of a map insert axes: `a[:, None]` and `b[None]`.

    ## When it is fine
    Rows come out with different shapes. The map is there to save memory (`parallel_iterations=1`, `swap_memory=True`). The
    function decodes images, calls Python or draws random numbers that depend on more than their bounds. There are a few rows.
    """

    code, slug = "TF301", "map-fn-over-vectorisable-function"
    impact = Impact.MEDIUM
    effort = Effort.MEDIUM
    root_cause = "not-using-efficient-api"
    symptoms = ("slow-execution-time", "abnormal-gpu-utilization")
    stages = ("model-building", "training")
    frameworks = {"tensorflow": ">=1.0", "keras": ">=2.0"}
    evidence = (
        "https://www.tensorflow.org/api_docs/python/tf/vectorized_map",
        "https://stackoverflow.com/questions/60586279",
        "https://stackoverflow.com/questions/59395593",
        "https://stackoverflow.com/questions/62430366",
        "https://stackoverflow.com/questions/54808519",
    )
    since = "0.1"
    cost = Cost(
        "Each row costs a pass of a loop and a start of every op, whatever its size.",
        None,
        "benches/rules/tf301.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def scores(rows, weights):
                return tf.map_fn(lambda row: tf.linalg.matvec(weights, row), rows)  # <- TF301
            """,
            fixed="""
            import tensorflow as tf

            def scores(rows, weights):
                return tf.vectorized_map(lambda row: tf.linalg.matvec(weights, row), rows)  # <- TF301
            """,
        ),
        Bad(
            """
            import tensorflow as tf

            def picked(rows, places):
                return tf.map_fn(lambda pair: tf.gather(pair[0], pair[1]), (rows, places), dtype=tf.float32)  # <- TF301
            """
        ),
        Good(
            """
            import tensorflow as tf

            def picked(rows, places):
                return tf.gather(rows, places, batch_dims=1)
            """,
            why="one op for all rows",
        ),
        Good(
            """
            import tensorflow as tf

            def images(files):
                return tf.map_fn(lambda file: tf.io.decode_jpeg(file), files, dtype=tf.uint8)
            """,
            why="an image is decoded by itself",
        ),
    )

    @call(*_MAPS)
    def mapped(self, site: Site) -> Iterator[Finding]:
        """Report a map whose function has a form for all rows."""
        function = (
            site.argument("fn") or site.argument("f") or (site.node.args[0] if site.node.args else None)
        )
        if function is None or _saves_memory(site) or _is_inner(site) or _has_few_rows(site):
            return
        work = site.project.row_functions.of(function, site.scope)
        if work is not None:
            yield self._finding(site, work)

    @call("tensorflow.vectorized_map", "keras.ops.vectorized_map")
    def vectorized(self, site: Site) -> Iterator[Finding]:
        """Report, for the curious, a vectorised map around what takes all rows anyway."""
        function = site.node.args[0] if site.node.args else None
        work = site.project.row_functions.of(function, site.scope) if function is not None else None
        if work is not None and work.form is Form.SAME and not _is_inner(site):
            yield self._finding(site, work, impact=Impact.LOW)

    def _finding(self, site: Site, work: RowWork, impact: Impact | None = None) -> Finding:
        place = site.project.mapped.place(work.operations[0], "what is done with each row")
        inner = tuple(site.project.mapped.place(found, "a map inside of the map") for found in work.maps)
        if inner:
            message = f"`{site.spelled}` runs another map for each row ({site.line_of(inner[0])}): rows times rows passes"
            advice = (
                "Insert axes, a[:, None] and b[None], and let the ops broadcast, or use a matrix product."
            )
        else:
            message = f"`{site.spelled}` runs its function row by row: {work.form.value}"
            advice = _cure(site, work)
        return self.found(
            site,
            message,
            advice=advice,
            because=inner or (place,),
            related=inner,
            confidence=Confidence.HIGH if work.form in (Form.SAME, Form.GATHER) else Confidence.MEDIUM,
            impact=impact or (Impact.HIGH if inner else None),
            fix=_fix(site, work),
        )


def _cure(site: Site, work: RowWork) -> str:
    if work.form is Form.GATHER and site.name == "keras.ops.map":
        return "Gather once for all rows: keras.ops.take_along_axis with the indices given an axis more."
    cure = _CURES[work.form]
    return (
        cure.replace("tf.vectorized_map", "keras.ops.vectorized_map")
        if site.name == "keras.ops.map"
        else cure
    )


def _saves_memory(site: Site) -> bool:
    """Tell whether the call's own settings speak of memory, or of rows that come out with different shapes."""
    for keyword in site.node.keywords:
        value = site.project.inference.one(keyword.value, site.scope)
        number = value.value if isinstance(value, Const) else None
        if keyword.arg == "parallel_iterations" and isinstance(number, int) and number <= _MEANT_SERIAL:
            return True
        if keyword.arg == "swap_memory" and number is not False:
            return True
        if keyword.arg in ("fn_output_signature", "dtype") and "Ragged" in ast.unparse(keyword.value):
            return True
    return site.has_unpacking


def _is_inner(site: Site) -> bool:
    """Tell whether a map is part of the function of another one, which is reported with it."""
    for taker in _takers(site):
        name = site.project.inference.api(taker.node.func, taker.scope) or ""
        if name in _MAPS and taker.node.args:
            return site.project.row_functions.of(taker.node.args[0], taker.scope) is not None
    return False


def _takers(site: Site) -> Iterator[CallSite]:
    """Yield the calls that get the lambdas around a place, and the function it stands in."""
    for step in site.located.context.within_function():
        taker = site.project.regions.taker(step) if step.kind == "lambda" else None
        if taker is not None:
            yield taker
    if site.function is not None:
        yield from site.project.calls.callers(site.function).handed_on


def _has_few_rows(site: Site) -> bool:
    elems = site.argument("elems") or (site.node.args[1] if len(site.node.args) > 1 else None)
    value = site.project.inference.one(elems, site.scope) if elems is not None else None
    if isinstance(value, Made) and isinstance(value.node, ast.Call) and value.node.args:
        if value.api == "tensorflow.range" and len(value.node.args) == 1:
            count = site.project.inference.one(value.node.args[0], site.scope)
            return isinstance(count, Const) and isinstance(count.value, int) and count.value <= FEW
        if value.api in ("tensorflow.constant", "tensorflow.convert_to_tensor"):
            value = site.project.inference.one(value.node.args[0], site.scope)
    # A list may also be several tensors that are gone through side by side.
    if not isinstance(value, Sequence) or value.kind != "list" or value.elements is None:
        return False
    return len(value.elements) <= FEW and all(isinstance(element, ast.Constant) for element in value.elements)


def _fix(site: Site, work: RowWork) -> Fix | None:
    """`tf.vectorized_map` takes the same two arguments; what it cannot convert it runs as a loop, with a warning."""
    callee = site.node.func
    is_plain = len(site.node.args) == 2 and not site.node.keywords and isinstance(callee, ast.Attribute)
    if not is_plain or work.form not in (Form.SAME, Form.OPS) or site.name != "tensorflow.map_fn":
        return None
    if not site.range("tensorflow").holds(">=2"):
        return None
    end = site.source.bounds(callee)[1]
    return Fix(
        "Use tf.vectorized_map",
        (Edit(end - len("map_fn"), end, "vectorized_map"),),
        Safety.UNSAFE,
        "All rows are in memory at the same time, and an op without a form for many rows still runs as a loop.",
    )
