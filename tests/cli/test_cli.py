"""The command line, from the arguments to the exit code."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import deepperf
from deepperf import __version__
from deepperf.cli.main import main

SLOW = """\
import tensorflow as tf

def parse(x):
    return tf.io.decode_jpeg(x)

def load(files):
    return tf.data.TFRecordDataset(files).map(parse).batch(32)
"""
OPTIONS = ("--isolated", "--target", "tensorflow=2.4", "--select", "TF202")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with one file that has one problem."""
    (tmp_path / "train.py").write_text(SLOW)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_text_is_the_default(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *OPTIONS]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("train.py\n\n  TF202 serial-dataset-map: high impact")
    assert "1 problem found" in out
    assert err == ""


def test_json(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *OPTIONS, "--output-format", "json"]) == 1
    content = json.loads(capsys.readouterr().out)
    assert [finding["line"] for finding in content["findings"]] == [7]
    assert content["findings"][0]["targets"]["tensorflow"]["version"] == "2.4"


def test_reports_to_files(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    targets = ["--output", "json=out.json", "--output", "concise=out.txt"]
    assert main(["check", *OPTIONS, *targets, "--output-format", "concise"]) == 1
    assert json.loads((project / "out.json").read_text())["summary"]["findings"] == 1
    assert (project / "out.txt").read_text() == capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--exit-zero"], 0),
        (["--fail-on", "high"], 1),
        (["--ignore", "TF202"], 0),
        (["--extend-exclude", "train.py"], 0),
        (["--exclude", "other", "--no-cache"], 1),
        (["--min-confidence", "high"], 1),
    ],
)
def test_exit_codes(arguments: list[str], code: int, project: Path) -> None:
    assert main(["check", *OPTIONS, *arguments]) == code


def test_a_file_that_cannot_be_read_gives_3_and_findings_go_before(project: Path) -> None:
    (project / "bad.py").write_text("import tensorflow\ndef (:\n")
    assert main(["check", *OPTIONS, "bad.py"]) == 3
    assert main(["check", *OPTIONS, "bad.py", "--exit-zero"]) == 0
    assert main(["check", *OPTIONS]) == 1


def test_an_error_in_a_rule_gives_4(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from deepperf.engine.dispatch import Dispatcher

    def broken(*_: object) -> None:
        raise KeyError("a bug")

    monkeypatch.setattr(Dispatcher, "sites", broken)
    assert main(["check", *OPTIONS, "--exit-zero"]) == 4
    assert "train.py: the analysis failed with KeyError" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "nothing.py"], "nothing.py: no such file or folder"),
        (["check", "--select", "serial-dataset-mop"], "did you mean serial-dataset-map?"),
        (["check", "--ignore", "TF999"], "no rule 'TF999'"),
        (["check", "--target", "tensorflow"], "such as tensorflow=2.4"),
        (["check", "--target", "caffe=1"], "NAME one of tensorflow"),
        (["check", "--output", "json"], "give NAME=FILE"),
        (["check", "--output", "yaml=x"], "one of text, concise, grouped, json"),
        (["check", "--output", "json=no/such/folder/x"], "cannot write no/such/folder/x"),
        (["check", "--unsafe-fixes"], "--unsafe-fixes needs --fix or --diff"),
        (["check", "--fix", "-"], "use --diff"),
        (["explain", "TF999"], "no rule 'TF999'"),
        (["chekc"], "did you mean `deepperf check`?"),
        (["train.py"], "did you mean `deepperf check train.py`?"),
        (["frobnicate"], "there is no command"),
    ],
)
def test_wrong_use_says_what_to_do(
    arguments: list[str], words: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.startswith("deepperf: ")


def test_a_broken_configuration_is_wrong_use(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "pyproject.toml").write_text("[tool.deepperf]\npedantics = true\n")
    assert main(["check"]) == 2
    assert "pedantic" in capsys.readouterr().err
    assert main(["check", "--isolated", "--exit-zero"]) == 0


def test_diff_shows_the_fix_and_writes_nothing(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", *OPTIONS, "--diff"]) == 1
    out, err = capsys.readouterr()
    assert out.startswith("--- train.py\n+++ train.py\n@@")
    assert ".map(parse, num_parallel_calls=tf.data.AUTOTUNE).batch(32)\n" in out
    assert err == "1 problem would be fixed in 1 file\n"
    assert (project / "train.py").read_text() == SLOW


def test_fix_writes_and_what_is_left_decides(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "train.py").chmod(0o640)
    assert main(["check", *OPTIONS, "--fix"]) == 0
    out, err = capsys.readouterr()
    assert err == "1 problem fixed in 1 file\n"
    assert "No problems found" in out
    assert "map(parse, num_parallel_calls=tf.data.AUTOTUNE)" in (project / "train.py").read_text()
    assert (project / "train.py").stat().st_mode & 0o777 == 0o640
    assert main(["check", *OPTIONS, "--fix"]) == 0
    assert capsys.readouterr().err == "0 problems fixed in 0 files\n"


def test_statistics_and_timings_go_to_standard_error(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["check", *OPTIONS, "--output-format", "json", "--statistics", "--timings"])
    out, err = capsys.readouterr()
    assert json.loads(out)["summary"]["findings"] == 1
    assert err.splitlines()[0].split() == ["1", "TF202", "serial-dataset-map"]
    assert err.splitlines()[-1].endswith("in all")


def test_rules_lists_them_all(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules"]) == 0
    assert "TF202  serial-dataset-map" in capsys.readouterr().out
    assert main(["rules", "--output-format", "json"]) == 0
    records = json.loads(capsys.readouterr().out)
    assert [record["code"] for record in records] == sorted(record["code"] for record in records)
    assert {record["name"]: record["fix"] for record in records}["serial-dataset-map"] is True


@pytest.mark.parametrize("word", ["TF202", "tf202", "serial-dataset-map"])
def test_explain_shows_the_whole_rule(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", word]) == 0
    out = capsys.readouterr().out
    for heading in (
        "Why it is slow",
        "What to do",
        "When it is fine",
        "What it costs",
        "Slow",
        "After the fix",
    ):
        assert f"\n{heading}\n" in out
    assert out.startswith("TF202 serial-dataset-map\n")
    assert (
        "# <- TF202"
        not in out.partition("\nAfter the fix\n")[2].partition("\nFine: ")[0].partition("\nSlow\n")[0]
    )
    assert max(map(len, out.split("\nSlow\n")[0].splitlines())) <= 80


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"deepperf {__version__}\n"
    assert main(["--help"]) == 0
    assert "deepperf check" in capsys.readouterr().out
    assert main([]) == 2


# The rest needs a process of its own.

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(deepperf.__file__).parents[1])}


def process(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run deepperf."""
    return subprocess.run(
        [sys.executable, "-m", "deepperf", *arguments],
        input=stdin,
        env={**ENVIRONMENT, **environment},
        text=True,
        capture_output=True,
        timeout=60,
        check=False,
    )


def test_standard_input(project: Path) -> None:
    found = process(
        "check", "-", "--stdin-filename", "lib/a.py", *OPTIONS, "--output-format", "concise", stdin=SLOW
    )
    assert found.stdout.startswith("lib/a.py:7:")
    assert found.returncode == 1
    assert process("check", "-", *OPTIONS, "--diff", stdin=SLOW).stdout.startswith("--- -\n")


def test_the_version_needs_none_of_the_analysis() -> None:
    code = (
        "import sys; from deepperf.cli.main import main; main(['--version']);"
        "print(sorted(m for m in sys.modules if m.startswith('deepperf') and 'cli' not in m))"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], env=ENVIRONMENT, text=True, capture_output=True, check=True
    )
    assert found.stdout.splitlines()[-1] == "['deepperf']"


def test_a_reader_that_goes_away_is_no_error(project: Path) -> None:
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "deepperf", "check", *OPTIONS]
    try:
        found = subprocess.run(command, env=ENVIRONMENT, stdout=write, stderr=subprocess.PIPE, check=False)
    finally:
        os.close(write)
    assert (found.returncode, found.stderr) == (141, b"")


def test_an_interrupt_is_clean(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from deepperf.engine.run import Run

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Run, "check", interrupted)
    assert main(["check"]) == 130
    assert capsys.readouterr().err == "\ndeepperf: interrupted\n"


def test_output_that_the_encoding_lacks_is_escaped(project: Path) -> None:
    (project / "träin.py").write_text(SLOW, encoding="utf-8")
    found = process("check", "träin.py", *OPTIONS, "--output-format", "concise", PYTHONIOENCODING="ascii")
    assert found.stdout.startswith(r"tr\xe4in.py:7:")


def test_config_show_names_the_origin(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "deepperf.toml").write_text('fail-on = "high"\n', encoding="utf-8")
    assert main(["config", "show"]) == 0
    out = capsys.readouterr().out
    assert 'fail-on = "high"  # deepperf.toml:1\n' in out
    assert "pedantic = false  # default\n" in out


def test_config_schema_is_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["config", "schema"]) == 0
    assert "per-file-ignores" in json.loads(capsys.readouterr().out)["properties"]


def test_options_may_stand_between_paths(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "a.py").write_text("", encoding="utf-8")
    (project / "b.py").write_text("", encoding="utf-8")
    assert main(["check", "a.py", "--pedantic", "b.py"]) == 0
    assert "2 files checked" in capsys.readouterr().out
