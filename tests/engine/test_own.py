"""Findings about comments that silence findings. The rules are the stand-ins: ZZ107 speaks of `tf.abs`."""

from __future__ import annotations

from pathlib import Path

import pytest

from deepperf.engine.fix import fix
from deepperf.engine.run import check
from deepperf.model import Safety
from deepperf.rules.own.unknown_suppression import UnknownSuppression
from deepperf.rules.own.unused_suppression import UnusedSuppression
from deepperf.rules.registry import ENTRIES, Entry
from tests.support import settings, write

HEAD = "import tensorflow as tf\n"


@pytest.fixture(autouse=True)
def own_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    for rule in (UnusedSuppression, UnknownSuppression):
        entry = Entry(rule.code, rule.slug, rule.__module__, rule.__name__, ())
        monkeypatch.setitem(ENTRIES, rule.code, entry)


def said(folder: Path, line: str, *options: str) -> list[tuple[str, str]]:
    write(folder, {"a.py": HEAD + line + "\n"})
    report = check(["a.py"], settings(folder, *options), folder)
    return [(finding.code, finding.message) for finding in report.findings]


@pytest.mark.parametrize(
    "comment",
    ["ignore[ZZ107]", "ignore", "ignore[slow-abs] a reason", "ignore-file[ZZ107]", "ignore[ZZ107] # noqa"],
)
def test_a_comment_that_is_needed_is_fine(comment: str, tmp_path: Path) -> None:
    assert said(tmp_path, f"tf.abs(x)  # deepperf: {comment}") == []


def test_a_comment_that_silences_nothing_is_named(tmp_path: Path) -> None:
    assert said(tmp_path, "x = 1  # deepperf: ignore[ZZ107]") == [("DP101", "`ZZ107` silences nothing here")]
    assert said(tmp_path, "x = 1  # deepperf: ignore") == [("DP101", "`# deepperf: ignore` silences nothing")]


def test_a_name_that_is_no_rule_is_named(tmp_path: Path) -> None:
    assert said(tmp_path, "tf.abs(x)  # deepperf: ignore[ZZ107, ZZ9]") == [
        ("DP102", "there is no rule `zz9`")
    ]


@pytest.mark.parametrize("options", [("--select", "ZZ1"), ("--ignore", "DP"), ("--ignore", "ZZ107")])
def test_rules_that_are_off_are_not_judged(options: tuple[str, str], tmp_path: Path) -> None:
    assert said(tmp_path, "x = 1  # deepperf: ignore[ZZ107]", *options) == []


def test_a_comment_may_silence_these_findings_too(tmp_path: Path) -> None:
    line = "x = 1  # deepperf: ignore[ZZ107]  # deepperf: ignore[DP101]"
    assert said(tmp_path, line) == []


@pytest.mark.parametrize(
    ("line", "fixed"),
    [
        ("x = 1  # deepperf: ignore[ZZ107] old reason #3", "x = 1"),
        ("x = 1  # deepperf: ignore[ZZ107]  # noqa: E1", "x = 1  # noqa: E1"),
        ("tf.abs(x)  # deepperf: ignore[ZZ107, ZZ201] why", "tf.abs(x)  # deepperf: ignore[ZZ107] why"),
        ("# deepperf: ignore-file[ZZ107]", ""),
    ],
)
def test_the_fix_takes_out_what_silences_nothing(line: str, fixed: str, tmp_path: Path) -> None:
    write(tmp_path, {"a.py": HEAD + line + "\n"})
    done = fix(["a.py"], settings(tmp_path), tmp_path, Safety.SAFE)
    assert [change.after.text for change in done.changes] == [HEAD + fixed + "\n"]
    assert done.after.findings == ()
