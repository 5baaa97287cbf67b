"""The precision of each rule from verdicts."""

from __future__ import annotations

import json

import pytest

from evaluation.corpus import Found
from evaluation.ecosystem import Key, sample, table, unjudged, verdicts, wilson


def keys(count: int, code: str = "TF202") -> list[Key]:
    return [Key("p", "1", "m.py", line, code) for line in range(1, count + 1)]


def test_wilson_against_known_values() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(8, 10) == pytest.approx((0.490, 0.943), abs=1e-3)
    assert wilson(10, 10)[1] == pytest.approx(1.0)


def test_the_sample_takes_all_up_to_its_size() -> None:
    assert sample(keys(40))["TF202"] == keys(40)
    assert len(sample(keys(100))["TF202"]) == 40


def test_the_sample_hardly_changes_when_a_finding_goes_away() -> None:
    before = set(sample(keys(100))["TF202"])
    gone = next(iter(sorted(before)))
    after = set(sample(key for key in keys(100) if key != gone)["TF202"])
    assert before - after == {gone}


def test_table_counts_only_real_ones_as_right() -> None:
    line = {"package": "p", "version": "1", "path": "m.py", "code": "TF202"}
    judged = ("real", "real-but-badly-said", "minor", "wrong")
    known = verdicts({**line, "line": number, "verdict": word} for number, word in enumerate(judged, 1))
    assert "| TF202 | 5 | 4 | 2 | 50% |" in table({"TF202": keys(5)}, {"TF202": 5}, known)


def test_a_verdict_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match="looks fine"):
        verdicts([{"path": "m.py", "line": 1, "verdict": "looks fine"}])


def test_findings_without_a_verdict_are_listed_ready_to_fill_in() -> None:
    first, second = keys(2)
    found = {second: Found("TF202", "m.py", 2, "medium", "high", "serial map")}
    (line,) = unjudged({"TF202": [first, second]}, {first: "real"}, found)
    assert json.loads(line) == {**second._asdict(), "verdict": "", "why": "", "message": "serial map"}
