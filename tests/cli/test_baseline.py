"""Baselines, from the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from deepperf.cli.main import main

PROGRAM = """\
import tensorflow as tf

def parse(x):
    return tf.io.decode_jpeg(x)

def load(files):
    return tf.data.TFRecordDataset(files).map(parse)
"""
FILE = "deepperf-baseline.json"


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "deepperf.toml").write_text('tensorflow = "2.4"\n', encoding="utf-8")
    (tmp_path / "data.py").write_text(PROGRAM, encoding="utf-8")
    assert main(["baseline", "write"]) == 0
    return tmp_path


def shown(capsys: pytest.CaptureFixture[str], *options: str) -> list[str]:
    capsys.readouterr()
    main(["baseline", "check", "--output-format", "json", *options])
    found = json.loads(capsys.readouterr().out)["findings"]
    return [f"{finding['path']}:{finding['line']}" for finding in found]


def test_what_is_noted_does_not_count(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check"]) == 1
    assert main(["baseline", "check"]) == 0
    assert "1 finding noted in the baseline." in capsys.readouterr().out
    assert shown(capsys) == []


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "# a comment\n\n" + text,
        lambda text: text.replace(".map(parse)", ".map(\n        parse,\n    )"),
        lambda text: text + "\n\nother = 1\n",
    ],
)
def test_moved_and_reformatted_code_stays_known(
    change: Callable[[str], str], project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "data.py").write_text(change(PROGRAM), encoding="utf-8")
    assert shown(capsys) == []


def test_a_renamed_file_stays_known_and_a_copy_does_not(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (project / "sub").mkdir()
    (project / "sub" / "copy.py").write_text(PROGRAM, encoding="utf-8")
    assert shown(capsys) == ["sub/copy.py:7"]
    (project / "data.py").unlink()
    assert shown(capsys) == []


def test_a_second_one_like_it_is_new(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    more = PROGRAM + "\ndef again(files):\n    return tf.data.TFRecordDataset(files).map(parse)\n"
    (project / "data.py").write_text(more, encoding="utf-8")
    assert shown(capsys) == ["data.py:10"]
    assert main(["baseline", "check"]) == 1


def test_shrink_takes_out_what_is_mended(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "data.py").write_text("import tensorflow as tf\n", encoding="utf-8")
    (project / "other.py").write_text("", encoding="utf-8")
    assert main(["baseline", "shrink", "other.py"]) == 0
    assert len(json.loads((project / FILE).read_text(encoding="utf-8"))["findings"]) == 1
    main(["baseline", "check"])
    assert "1 of the noted findings are gone" in capsys.readouterr().err
    assert main(["baseline", "shrink"]) == 0
    assert json.loads((project / FILE).read_text(encoding="utf-8")) == {"version": 1, "findings": []}


def test_the_settings_may_name_the_file(project: Path) -> None:
    (project / FILE).rename(project / "known.json")
    (project / "deepperf.toml").write_text('tensorflow = "2.4"\nbaseline = "known.json"\n', encoding="utf-8")
    assert main(["check"]) == 0
    assert main(["check", "--fix"]) == 0
    assert (project / "data.py").read_text(encoding="utf-8") == PROGRAM


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (None, "there is no baseline; make one with `deepperf baseline write`"),
        ("{", "is no baseline"),
        ('{"version": 1}', "is no baseline"),
        ('{"version": 9, "findings": []}', "of version 9"),
        ('{"version": 1, "findings": [{"path": 3}]}', "is no baseline"),
    ],
)
def test_a_bad_file_is_named(
    content: str | None, words: str, project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if content is None:
        (project / FILE).unlink()
    else:
        (project / FILE).write_text(content, encoding="utf-8")
    assert main(["baseline", "check"]) == 2
    message = capsys.readouterr().err
    assert FILE in message
    assert words in message


def test_wrong_use(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["baseline", "wirte"]) == 2
    assert "give write, check or shrink" in capsys.readouterr().err
