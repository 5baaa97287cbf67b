"""Reports made by hand, for the tests of the formats."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from deepperf.engine.report import Report, Summary, is_fixable
from deepperf.model import (
    Confidence,
    Cost,
    Edit,
    Effort,
    Finding,
    Fix,
    Hot,
    Impact,
    Place,
    Problem,
    Safety,
    Span,
    Target,
)
from deepperf.source import Source, read_source

TEXT = """\
import tensorflow as tf

def load(files):
    ds = tf.data.TFRecordDataset(files)
    ds = ds.map(parse)
    return ds.batch(32)
"""
CALL = Span(5, 10, 5, 23)
PARALLEL = Fix(
    "Run the map in parallel",
    (Edit(TEXT.index("parse)") + 5, TEXT.index("parse)") + 5, ", num_parallel_calls=tf.data.AUTOTUNE"),),
    Safety.SAFE,
    "The order stays.",
)


def finding(**changes: Any) -> Finding:
    """Return a finding about the map of `TEXT`, with some of its parts changed."""
    parts: dict[str, Any] = {
        "code": "TF202",
        "name": "serial-dataset-map",
        "message": "`ds.map` runs `parse` on one element at a time",
        "impact": Impact.HIGH,
        "confidence": Confidence.MEDIUM,
        "place": Place("train.py", CALL),
        "root_cause": "inefficient-api-usage",
        "symptoms": ("slow-execution-time",),
        "stages": ("data-preparation",),
        "related": (Place("data.py", Span(1, 1, 1, 15), "the mapped function"),),
        "because": (Place("train.py", CALL, "no num_parallel_calls"),),
        "hot": Hot.PER_EXAMPLE,
        "cost": Cost("One core works, the others wait.", 3.5, "benches/rules/tf202.py"),
        "advice": "Pass num_parallel_calls=tf.data.AUTOTUNE.",
        "effort": Effort.LOW,
        "targets": (Target("tensorflow", "2.4", "requirements.txt", 3),),
        "fix": PARALLEL,
        "fingerprint": "0123456789abcdef",
    }
    return Finding(**{**parts, **changes})


def report(*findings: Finding, problems: tuple[Problem, ...] = (), **counts: int) -> Report:
    """Return the report of a run over two files, `train.py` and `data.py`."""
    texts: Mapping[str, str] = {"train.py": TEXT, "data.py": "def parse(x):\n    return x\n"}

    def source(path: str) -> Source:
        return read_source(Path(path), path, data=texts[path].encode() if path in texts else None)

    numbers = {"files": 2, "files_analysed": 1, "lines": 8, **counts}
    summary = Summary(findings=len(findings), fixable=sum(map(is_fixable, findings)), **numbers)
    return Report(findings, problems, summary, source)
