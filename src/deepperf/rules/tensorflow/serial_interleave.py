"""TF203: files are read one after the other although interleave could read several at a time."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from deepperf.facts.pipelines import Step
from deepperf.facts.project.mapped import Mapped
from deepperf.facts.values import Const, Pipeline, Sequence, Value
from deepperf.rules.api import (
    Bad,
    Confidence,
    Cost,
    Finding,
    Fix,
    Good,
    Hot,
    Impact,
    Place,
    Rule,
    Safety,
    Site,
    call,
    method,
)
from deepperf.rules.tensorflow import autotune, pipeline

_READERS = frozenset(
    "tensorflow.data.TFRecordDataset tensorflow.data.TextLineDataset tensorflow.data.FixedLengthRecordDataset "
    "tensorflow.data.experimental.CsvDataset tensorflow.data.Dataset.from_generator tensorflow.io.read_file".split()
)

# Effects whose result depends on which call comes first.
_OF_ORDER = frozenset({"random", "stateful", "side-effect", "python", "writes"})


class SerialInterleave(Rule):
    """Files are read one after the other: the reading has no parallel calls.

    ## Why it is slow
    `interleave` without `num_parallel_calls` only mixes its sources. One file is opened and read at a time, and TensorFlow does
    not change that by itself. The same holds for `flat_map` over file names and for a reader that is given many files.

    ## What to do
    Pass `num_parallel_calls=tf.data.AUTOTUNE` to `interleave`; pass `num_parallel_reads` to a reader of many files. With a
    fixed `cycle_length` the elements keep their order unless `deterministic=False` is set.

    ## When it is fine
    There is one file. The sources are in memory. The order of the files must stay, as in evaluation or time series.
    """

    code, slug = "TF203", "serial-interleave"
    impact = Impact.MEDIUM
    root_cause = "inefficient-api-usage"
    symptoms = ("slow-execution-time", "abnormal-cpu-utilization")
    stages = ("data-preparation",)
    frameworks = {"tensorflow": ">=1.4"}
    evidence = (
        "https://www.tensorflow.org/guide/data_performance#parallelizing_data_extraction",
        "benches/rules/tf203.py",
    )
    since = "0.1"
    cost = Cost(
        "The pipeline waits for one file at a time. How much that is depends on the storage: it counts where reading waits, and "
        "files that were in memory already gained nothing in our measurement (2 CPU cores, TensorFlow 2.21).",
        None,
        "benches/rules/tf203.py",
    )

    examples = (
        Bad(
            """
            import tensorflow as tf

            def records(pattern):
                files = tf.data.Dataset.list_files(pattern)
                return files.interleave(tf.data.TFRecordDataset, cycle_length=4)  # <- TF203
            """,
            fixed="""
            import tensorflow as tf

            def records(pattern):
                files = tf.data.Dataset.list_files(pattern)
                return files.interleave(tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE)  # <- TF203
            """,
        ),
        Good(
            """
            import tensorflow as tf

            def records(pattern):
                files = tf.data.Dataset.list_files(pattern)
                return files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
            """,
            why="several files are read at a time",
        ),
        Good(
            """
            import tensorflow as tf

            def mixed(tables):
                sources = tf.data.Dataset.range(4)
                return sources.interleave(lambda i: tf.data.Dataset.from_tensors(i).repeat(10), cycle_length=4)
            """,
            why="nothing is read: the sources are in memory",
        ),
    )

    @method("interleave", on="dataset")
    def interleave(self, site: Site) -> Iterator[Finding]:
        """Report an interleave over file readers without parallel calls."""
        function = site.argument("map_func")
        calls = site.argument("num_parallel_calls")
        if function is None or site.has_unpacking or (calls is not None and not _is_none(calls)):
            return
        if pipeline.is_in_debug_mode(site):
            return
        if _is_one(site.argument("cycle_length"), site) or pipeline.has_few_elements(site):
            return
        if all(_is_one_file(path[0], site) for step in site.steps for path in step.paths()):
            return
        mapped = site.project.mapped.of(function, site.scope)
        readers = _readers(site, mapped)
        if not readers or _reads_in_parallel(mapped):
            return
        yield self.found(
            site,
            f"`{site.spelled}` reads one file at a time: it has no num_parallel_calls",
            advice=self._advice(site),
            because=readers,
            confidence=Confidence.HIGH,
            hot=Hot.PER_EXAMPLE,
            fix=self._fix(site, mapped),
        )

    @method("flat_map", on="dataset")
    def flat_map(self, site: Site) -> Iterator[Finding]:
        """Report a flat_map over file names whose order does not matter."""
        function = site.argument("map_func")
        if function is None or pipeline.has_few_elements(site) or pipeline.is_in_debug_mode(site):
            return
        readers = _readers(site, site.project.mapped.of(function, site.scope))
        if not readers:
            return
        mixed = _shuffled(site)
        yield self.found(
            site,
            f"`{site.spelled}` reads one file after the other",
            advice="Use interleave with num_parallel_calls=tf.data.AUTOTUNE instead. The order of the records changes.",
            because=(*readers, *mixed),
            confidence=Confidence.HIGH if mixed else Confidence.LOW,
            related=mixed,
            hot=Hot.PER_EXAMPLE,
        )

    @call("tensorflow.data.TFRecordDataset")
    def many_files(self, site: Site) -> Iterator[Finding]:
        """Report a reader that is given many files and reads them one after the other."""
        files = site.argument("filenames")
        if site.argument("num_parallel_reads") is not None or site.has_unpacking or files is None:
            return
        many = _many_files(files, site)
        if many is None or pipeline.is_nested_in_parallel(site) or pipeline.is_in_debug_mode(site):
            return
        mixed = _shuffled(site)
        yield self.found(
            site,
            f"`{site.spelled}` gets many files and reads one after the other",
            advice="Pass num_parallel_reads=tf.data.AUTOTUNE. Records of several files then come interleaved.",
            because=(many, *mixed),
            confidence=Confidence.MEDIUM if mixed else Confidence.LOW,
            related=mixed,
            hot=Hot.PER_EXAMPLE,
        )

    @staticmethod
    def _advice(site: Site) -> str:
        spelled = autotune.spelling(site)
        text = spelled[0] if spelled is not None else "<cycle_length>"
        if site.argument("cycle_length") is None:
            return f"Pass cycle_length and num_parallel_calls={text}. Without cycle_length the order of the elements changes."
        if pipeline.may_be_unordered(site):
            why = "deterministic=False stands in this project"
            return f"Pass num_parallel_calls={text}. The order of the elements may change: {why}."
        return f"Pass num_parallel_calls={text}. With this cycle_length the elements keep their order."

    @staticmethod
    def _fix(site: Site, mapped: tuple[Mapped, ...]) -> Fix | None:
        edits, imports = autotune.parallel_calls(site)
        if not edits:
            return None
        cycle = site.argument("cycle_length")
        is_fixed = isinstance(cycle, ast.Constant) and isinstance(cycle.value, int)
        is_ordered = is_fixed and not pipeline.may_be_unordered(site)
        if is_ordered and mapped and all(_only_reads(m) for m in mapped):
            safety, reason = Safety.SAFE, "With a fixed cycle_length the elements keep their order."
        elif is_ordered:
            safety = Safety.UNSAFE
            reason = (
                "The function may keep state or draw random numbers: several of its calls then run at a time."
            )
        else:
            safety, reason = Safety.UNSAFE, "The order of the elements may change."
        return Fix("Read several files at a time", edits, safety, reason, imports=imports)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_one(node: ast.expr | None, site: Site) -> bool:
    if node is None:
        return False
    value = site.project.inference.one(node, site.scope)
    return isinstance(value, Const) and value.value == 1


def _readers(site: Site, mapped: tuple[Mapped, ...]) -> tuple[Place, ...]:
    """Return the places at which a mapped function opens a file reader."""
    return tuple(
        site.project.mapped.place(operation, f"{operation.name.rpartition('.')[2]} opens a file")
        if hasattr(operation.call, "lineno")
        else site.place(f"{operation.name.rpartition('.')[2]} opens a file")
        for m in mapped
        for operation in m.operations
        if operation.name in _READERS
    )


def _only_reads(mapped: Mapped) -> bool:
    """Tell whether a function surely gives the same elements when several of its calls run at a time."""
    return mapped.resolved and not mapped.with_effect(_OF_ORDER) and not mapped.shuffles


def _reads_in_parallel(mapped: tuple[Mapped, ...]) -> bool:
    return any(
        keyword.arg == "num_parallel_reads"
        for m in mapped
        for o in m.operations
        for keyword in getattr(o.call, "keywords", ())
    )


def _shuffled(site: Site) -> tuple[Place, ...]:
    """Return where the data of this site is shuffled: then the order of the records cannot matter."""
    found = [step for step in pipeline.later_steps(site) if step.short == "shuffle"]
    before = [s for known in site.steps for path in known.paths() for s in path if s.short == "shuffle"]
    return tuple(_place(step, "the order is shuffled here anyway") for step in (*before, *found))[:1]


def _place(step: Step, message: str) -> Place:
    return step.scope.module.source.place(step.call, message)


def _many_files(files: ast.expr, site: Site) -> Place | None:
    """Return the place that shows a reader to get more than one file."""
    infer = site.project.inference
    definitions = site.module.definitions(files, site.scope) if isinstance(files, ast.Name) else ()
    for node in [
        files,
        *(d.value for d in definitions if d.value is not None and d.kind == "assign" and not d.path),
    ]:
        if isinstance(node, ast.Call) and infer.api(node.func, site.scope) in _GLOBS:
            is_one = bool(node.args) and _is_one_name(infer.one(node.args[0], site.scope))
            return None if is_one else site.source.place(files, "all files of a pattern")
    for value in infer.values(files, site.scope):
        if isinstance(value, Pipeline) and not all(
            _is_one_file(path[0], site) for path in value.step.paths()
        ):
            return site.source.place(files, "a dataset of file names")
        if isinstance(value, Sequence) and (
            len(value.elements) > 1 if value.elements is not None else value.kind == "listcomp"
        ):
            return site.source.place(files, "a list of files")
    return None


def _is_one_file(source: Step, site: Site) -> bool:
    """Tell whether a source of file names gives a single one: a name without a pattern."""
    if source.short != "list_files" or not isinstance(source.call, ast.Call) or not source.call.args:
        return False
    return _is_one_name(site.project.inference.one(source.call.args[0], source.scope, source.frame))


def _is_one_name(value: Value) -> bool:
    return isinstance(value, Const) and isinstance(value.value, str) and not set("*?[") & set(value.value)


_GLOBS = frozenset(
    {"glob.glob", "glob.iglob", "tensorflow.io.gfile.glob", "tensorflow.gfile.Glob", "tensorflow.gfile.glob"}
)
