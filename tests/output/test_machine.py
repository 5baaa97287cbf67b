"""The formats for machines."""

import json
from typing import Any

from deepperf import __version__
from deepperf.model import Fix, Place, Problem, Safety, Span
from deepperf.output.concise import render as concise
from deepperf.output.json import render
from deepperf.output.style import Style
from tests.output.reports import PARALLEL, TEXT, finding, report


def loaded(*args: Any, **kwargs: Any) -> Any:
    return json.loads(render(report(*args, **kwargs), Style()))


def test_the_json_finding_has_the_fields_of_the_contract() -> None:
    content = loaded(finding(), hidden=2)
    assert list(content) == ["version", "deepperf", "findings", "errors", "summary"]
    assert (content["version"], content["deepperf"]) == (1, __version__)
    [record] = content["findings"]
    assert {key: record[key] for key in ("code", "name", "impact", "confidence", "hot", "effort", "url")} == {
        "code": "TF202",
        "name": "serial-dataset-map",
        "impact": "high",
        "confidence": "medium",
        "hot": "per-example",
        "effort": "low",
        "url": None,
    }
    assert record["path"] == "train.py"
    assert record["cell"] is None
    assert [record[key] for key in ("line", "column", "end_line", "end_column")] == [5, 10, 5, 23]
    assert record["related"] == [
        {
            "path": "data.py",
            "cell": None,
            "line": 1,
            "column": 1,
            "end_line": 1,
            "end_column": 15,
            "message": "the mapped function",
        }
    ]
    assert record["cost"] == {
        "text": "One core works, the others wait.",
        "factor": 3.5,
        "source": "benches/rules/tf202.py",
    }
    assert record["targets"] == {"tensorflow": {"version": "2.4", "path": "requirements.txt", "line": 3}}
    counts = "files files_analysed lines findings fixable seconds cached hidden suppressed baselined"
    assert set(content["summary"]) == set(counts.split())
    assert (content["summary"]["hidden"], content["summary"]["fixable"]) == (2, 1)


def test_the_json_fix_applies_to_the_text() -> None:
    [record] = loaded(finding())["findings"]
    [edit] = record["fix"]["edits"]
    assert (edit["path"], edit["line"], edit["column"], edit["end_line"], edit["end_column"]) == (
        "train.py",
        5,
        22,
        5,
        22,
    )
    line = TEXT.splitlines()[4]
    assert (
        line[:21] + edit["text"] + line[21:] == "    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)"
    )


def test_the_json_fix_holds_the_imports_it_needs() -> None:
    fix = Fix("t", PARALLEL.edits, Safety.SAFE, "", imports=("import os", "import tensorflow as tf"))
    [record] = loaded(finding(fix=fix))["findings"]
    added = [edit for edit in record["fix"]["edits"] if "import" in edit["text"]]
    assert [(edit["line"], edit["text"]) for edit in added] == [(1, "\nimport os")]


def test_json_errors() -> None:
    [error] = loaded(problems=(Problem("a.py", "syntax", "is broken", 3),))["errors"]
    assert error == {
        "path": "a.py",
        "cell": None,
        "line": 3,
        "column": None,
        "kind": "syntax",
        "message": "is broken",
    }


def test_json_is_ascii_whatever_the_path() -> None:
    text = render(report(finding(place=Place("träin\udcff.py", Span(1, 1, 1, 2)), fix=None)), Style())
    assert text.isascii()
    assert json.loads(text)["findings"][0]["path"] == "träin\udcff.py"


def test_concise_lines() -> None:
    cell = finding(place=Place("a.ipynb", Span(2, 3, 2, 9), "", 4), message="slow")
    text = concise(
        report(finding(message="slow"), cell, problems=(Problem("b.py", "encoding", "is UTF-16", 1),)),
        Style(),
    )
    assert text.splitlines() == [
        "train.py:5:10: TF202 slow [high impact, medium confidence]",
        "a.ipynb:cell 4:2:3: TF202 slow [high impact, medium confidence]",
        "b.py:1: error: is UTF-16 [encoding]",
    ]
