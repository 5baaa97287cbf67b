"""The formats that services and other tools read."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from deepperf.engine.report import Report
from deepperf.engine.run import check
from deepperf.model import Impact, Place, Problem, Span
from deepperf.output import FORMATS, render
from deepperf.output.style import Style
from tests.output.reports import finding, report
from tests.support import settings

ODD = Place("dir with space/träin|`x`\udcff.py", Span(5, 10, 6, 2))
BROKEN = Problem("b.py", "syntax", "is not valid Python: 100% <broken>\x00", 3)


def as_text(name: str, *args: Any, **kwargs: Any) -> str:
    return render(name, report(*args, **kwargs), Style())


@cache
def sarif_schema() -> Callable[[Any], Any]:
    import fastjsonschema

    text = (Path(__file__).parent / "schemas" / "sarif-2.1.0.json").read_text(encoding="utf-8")
    schema = json.loads(text)
    # The validator knows no formats of its own for these.
    return fastjsonschema.compile(schema, formats={"uri-reference": r"^[^\s]*$", "uri": r"^[^\s]*$"})


@pytest.mark.parametrize("name", FORMATS)
def test_each_format_takes_any_report(name: str) -> None:
    for given in (report(), report(finding(place=ODD, fix=None), problems=(BROKEN,))):
        text = render(name, given, Style())
        assert text == "" or text.endswith("\n")


@pytest.mark.parametrize("findings", [(), (finding(),), (finding(place=ODD, fix=None, related=()),)])
def test_sarif_is_valid(findings: tuple[Any, ...]) -> None:
    log = json.loads(as_text("sarif", *findings, problems=(BROKEN,)))
    sarif_schema()(log)
    assert len(log["runs"][0]["results"]) == len(findings)


def test_sarif_holds_the_rule_the_flow_and_the_fix() -> None:
    [run] = json.loads(as_text("sarif", finding()))["runs"]
    [result] = run["results"]
    rule = run["tool"]["driver"]["rules"][result["ruleIndex"]]
    assert (rule["id"], rule["name"]) == ("TF202", "SerialDatasetMap")
    assert "Why it is slow" in rule["help"]["text"]
    steps = result["codeFlows"][0]["threadFlows"][0]["locations"]
    paths = [step["location"]["physicalLocation"]["artifactLocation"]["uri"] for step in steps]
    assert paths == ["data.py", "train.py"]
    [change] = result["fixes"][0]["artifactChanges"]
    [replacement] = change["replacements"]
    assert replacement["deletedRegion"] == {"startLine": 5, "startColumn": 22, "endLine": 5, "endColumn": 22}
    assert replacement["insertedContent"]["text"] == ", num_parallel_calls=tf.data.AUTOTUNE"
    assert result["partialFingerprints"] == {"deepperf/v1": "0123456789abcdef"}


def test_sarif_says_which_files_could_not_be_checked() -> None:
    [run] = json.loads(as_text("sarif", problems=(BROKEN,)))["runs"]
    [note] = run["invocations"][0]["toolExecutionNotifications"]
    assert note["descriptor"]["id"] == "syntax"
    assert run["invocations"][0]["executionSuccessful"] is True


def test_github_escapes_what_would_end_the_command() -> None:
    [line] = as_text("github", finding(message="50% of\nit", place=ODD, cost=None, advice="")).splitlines()
    assert line.startswith("::error file=dir with space/träin|`x`\udcff.py,line=5,")
    assert line.endswith("::50%25 of%0Ait")
    assert "title=TF202 serial-dataset-map" in line


@pytest.mark.parametrize(
    ("impact", "level"), [(Impact.HIGH, "error"), (Impact.MEDIUM, "warning"), (Impact.LOW, "notice")]
)
def test_github_levels_follow_the_impact(impact: Impact, level: str) -> None:
    assert as_text("github", finding(impact=impact)).startswith(f"::{level} ")


def test_gitlab_fingerprints_tell_copies_apart() -> None:
    copies = [finding(place=Place(path, Span(1, 1, 1, 5))) for path in ("a.py", "b.py")]
    entries = json.loads(as_text("gitlab", *copies, problems=(BROKEN,)))
    assert [entry["location"]["path"] for entry in entries] == ["a.py", "b.py", "b.py"]
    assert len({entry["fingerprint"] for entry in entries}) == 3
    assert {entry["severity"] for entry in entries} == {"critical", "info"}


def test_junit_counts_failures_and_errors() -> None:
    root = ET.fromstring(as_text("junit", finding(), finding(place=ODD), problems=(BROKEN,)))
    assert {name: root.get(name) for name in ("tests", "failures", "errors")} == {
        "tests": "3",
        "failures": "2",
        "errors": "1",
    }
    assert [case.get("name") for case in root.iter("testcase")] == ["TF202:5:10", "TF202:5:10", "syntax"]
    empty = ET.fromstring(as_text("junit"))
    assert [case.get("name") for case in empty.iter("testcase")] == ["no problems found"]


def test_markdown_escapes_outside_of_code() -> None:
    text = as_text("markdown", finding(message="`a*b` and *c*", place=ODD))
    assert "`a*b` and \\*c\\*." in text
    assert "| **high** | TF202 serial-dataset-map |" in text
    assert as_text("markdown").startswith("## deepperf: no performance problems found")


def test_json_lines_say_what_they_are() -> None:
    records = [json.loads(line) for line in as_text("jsonl", finding(), problems=(BROKEN,)).splitlines()]
    assert [record["type"] for record in records] == ["finding", "error", "summary"]
    assert records[0]["code"] == "TF202"


def test_grouped_names_each_file_once() -> None:
    lines = as_text("grouped", finding(message="slow"), finding(message="slower")).splitlines()
    assert lines == ["train.py", "  5:10  TF202 slow", "  5:10  TF202 slower", ""]


def notebook(folder: Path, source: Any) -> Report:
    cells = [{"cell_type": "markdown", "source": "# x"}, {"cell_type": "code", "source": source}]
    text = json.dumps({"cells": cells, "nbformat": 4}, indent=1)
    (folder / "n.ipynb").write_text(text, encoding="utf-8")
    return check(["n.ipynb"], settings(folder), folder)


CELL = (
    "import tensorflow as tf\nspec = {'x': tf.io.FixedLenFeature([3], tf.float32)}\n"
    "ds = tf.data.TFRecordDataset('f')\n"
    "ds = ds.map(lambda r: tf.io.parse_single_example(r, spec)).batch(9)"
)


@pytest.mark.parametrize("as_list", [True, False])
def test_services_get_the_line_of_a_notebooks_file(as_list: bool, tmp_path: Path) -> None:
    found = notebook(tmp_path, CELL.splitlines(keepends=True) if as_list else CELL)
    lines = (tmp_path / "n.ipynb").read_text(encoding="utf-8").splitlines()
    [given] = [number for number, line in enumerate(lines, 1) if "parse_single_example" in line]
    match = re.search(r"line=(\d+)", render("github", found, Style()))
    assert match is not None
    assert int(match[1]) == given
    assert json.loads(render("gitlab", found, Style()))[0]["location"]["lines"]["begin"] == given
    [result] = json.loads(render("sarif", found, Style()))["runs"][0]["results"]
    assert result["locations"][0]["physicalLocation"]["region"] == {"startLine": given}
    assert "fixes" not in result
