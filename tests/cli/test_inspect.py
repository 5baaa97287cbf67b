"""`deepperf inspect`, on the shipped example."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deepperf.cli.main import main
from deepperf.engine.inspect import KINDS

EXAMPLE = Path(__file__).parents[2] / "examples" / "flowers"


@pytest.fixture(autouse=True)
def example(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE)


def shown(what: str, capsys: pytest.CaptureFixture[str], *paths: str) -> list[str]:
    assert main(["inspect", what, *paths]) == 0
    return capsys.readouterr().out.splitlines()


def test_pipelines_are_shown_step_by_step(capsys: pytest.CaptureFixture[str]) -> None:
    lines = shown("pipelines", capsys, "pipeline.py")
    assert "pipeline.py:20:12: from_tensor_slices > shuffle > map > batch > prefetch" in lines
    assert not any(line.endswith("> shuffle") for line in lines)


def test_loops_say_what_they_run_over(capsys: pytest.CaptureFixture[str]) -> None:
    assert "legacy_score.py:13:22: other loop over batches: passes: unknown" in shown(
        "loops", capsys, "legacy_score.py"
    )
    assert any("over range(50): passes: many" in line for line in shown("loops", capsys, "attention.py"))


def test_regions_say_where_code_runs(capsys: pytest.CaptureFixture[str]) -> None:
    assert any(": tf.function (attention.py:" in line for line in shown("regions", capsys, "attention.py"))


def test_calls_lead_to_functions_of_other_files(capsys: pytest.CaptureFixture[str]) -> None:
    assert any("(pipeline.py:" in line for line in shown("calls", capsys, "train.py"))


@pytest.mark.parametrize("what", KINDS)
def test_json_has_a_place_for_each_record(what: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", what, "--output-format", "json", "."]) == 0
    records = json.loads(capsys.readouterr().out)
    assert records
    assert all(record["path"] and record["line"] > 0 for record in records)


def test_a_broken_file_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "broken.py").write_text("def f(:\n", encoding="utf-8")
    assert main(["inspect", "loops", str(tmp_path)]) == 3
    assert "broken.py: error: is not valid Python" in capsys.readouterr().err
