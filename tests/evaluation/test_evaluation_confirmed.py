"""The comparison of findings with the verdicts of a place's authors."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

import pytest

from evaluation.confirmed import Answer, judge, lines_of_statement, table, tree_of
from evaluation.corpus import CorpusError, Found, Report, check

ENTRY = {"project": "a/b", "path": "m.py", "line": 3, "code": "TF202", "verdict": "real", "commit": "0" * 40}
SHOWN = Found("TF202", "m.py", 3, "medium", "high", "serial map")
LOW = Found("TF202", "m.py", 3, "low", "high", "serial map")


@pytest.mark.parametrize(
    ("verdict", "default", "pedantic", "reported", "passed"),
    [
        ("real", [SHOWN], [SHOWN], "default", True),
        ("real", [], [LOW], "pedantic", True),
        ("real", [], [SHOWN], "pedantic", False),
        ("real", [], [], "silent", False),
        ("rejected", [], [LOW], "pedantic", True),
        ("not-a-problem", [SHOWN], [SHOWN], "default", False),
        ("not-a-problem", [], [], "silent", True),
    ],
)
def test_judge(
    verdict: str, default: list[Found], pedantic: list[Found], reported: str, passed: bool
) -> None:
    entry = {**ENTRY, "verdict": verdict}
    answer = judge(entry, range(3, 4), Report(default, {}), Report(pedantic, {}))
    assert (answer.reported, answer.passed) == (reported, passed)


def test_other_places_and_codes_do_not_count() -> None:
    others = Report(
        [
            Found("TF202", "m.py", 4, "medium", "high", ""),
            Found("TF201", "m.py", 3, "medium", "high", ""),
            Found("TF202", "n.py", 3, "medium", "high", ""),
        ],
        {},
    )
    assert judge(ENTRY, range(3, 4), others, others).reported == "silent"


def test_a_statement_over_several_lines_is_one_place() -> None:
    text = "if x:\n    d = (a\n        .map(f)\n        .batch(2))\n    e = 1\n"
    assert lines_of_statement(text, 2) == range(2, 5)
    assert lines_of_statement(text, 1) == range(1, 2)
    assert lines_of_statement("print 1\n", 1) == range(1, 2)


def test_tree_and_table() -> None:
    assert tree_of(ENTRY, Path("c")) == Path("c/repos/a__b__000000000000")
    page = table("Places", [Answer(ENTRY, "silent", False)])
    assert "0 of 1 pass" in page
    assert "| a/b | m.py | 3 | TF202 | real | silent | **fail** |" in page


def test_check_reads_the_report_and_says_what_went_wrong(tmp_path: Path) -> None:
    error = {"path": "n.py", "kind": "internal", "message": "rule failed"}
    syntax = {"path": "o.py", "kind": "syntax", "message": "invalid syntax"}
    finding = {**asdict(SHOWN), "name": "serial-dataset-map"}
    report = json.dumps({"findings": [finding], "errors": [error, syntax]})
    fake = tmp_path / "fake.py"
    fake.write_text(f"print({report!r}); raise SystemExit(1)")
    assert check(tmp_path, ["."], command=[sys.executable, str(fake)]) == Report(
        [SHOWN], {"n.py": "rule failed"}
    )
    fake.write_text("raise SystemExit(2)")
    with pytest.raises(CorpusError, match="ended with 2"):
        check(tmp_path, ["."], command=[sys.executable, str(fake)])
    fake.write_text("1 / 0")
    with pytest.raises(CorpusError, match=r"ended with 1 .* ZeroDivisionError"):
        check(tmp_path, ["."], command=[sys.executable, str(fake)])
    with pytest.raises(CorpusError, match="no such tree"):
        check(tmp_path / "none", ["."])


def test_silence_is_no_answer_where_deepperf_crashed() -> None:
    crashed = Report([], {"m.py": "rule failed"})
    answer = judge({**ENTRY, "verdict": "not-a-problem"}, range(3, 4), crashed, crashed)
    assert (answer.reported, answer.passed) == ("crashed: rule failed", False)
