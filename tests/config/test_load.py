"""Settings: where they come from, what wins, and what is said of mistakes."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from deepperf.config import ConfigError, Settings, load_settings
from deepperf.config.load import load
from deepperf.config.schema import KEYS, json_schema
from deepperf.model import Confidence, Impact, Target
from deepperf.source import DEFAULT_EXCLUDE

EVERYTHING = """\
select = ["TF2"]
ignore = ["TF202", "map-before-batch"]
exclude = ["old"]
extend-exclude = ["new"]
respect-gitignore = false
pedantic = true
min-confidence = "high"
fail-on = "medium"
tensorflow = "2.15"
torch = ">=2,<2.4"
"""


def write(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        file = root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def test_nothing_set_gives_the_defaults(tmp_path: Path) -> None:
    assert load_settings(tmp_path, isolated=False) == Settings()
    assert Settings().exclude == DEFAULT_EXCLUDE


@pytest.mark.parametrize(("name", "header"), [("pyproject.toml", "[tool.deepperf]\n"), ("deepperf.toml", "")])
def test_all_keys(tmp_path: Path, name: str, header: str) -> None:
    write(tmp_path, {name: header + EVERYTHING})
    first = header.count("\n")
    assert load_settings(tmp_path) == Settings(
        select=("TF2",),
        ignore=("TF202", "map-before-batch"),
        exclude=("old", "new"),
        respect_gitignore=False,
        pedantic=True,
        min_confidence=Confidence.HIGH,
        fail_on=Impact.MEDIUM,
        configured={
            "tensorflow": Target("tensorflow", "2.15", name, first + 9),
            "torch": Target("torch", ">=2,<2.4", name, first + 10),
        },
    )


def test_the_nearest_file_wins_whole(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "pyproject.toml": '[tool.deepperf]\npedantic = true\nselect = ["TF1"]\n',
            "a/pyproject.toml": "[tool.ruff]\n[project]\ndependencies = ['deepperf']\n",
            "b/pyproject.toml": '[tool.deepperf]\nselect = ["TF2"]\n',
            "b/c/deepperf.toml": "keras = '3'",
            "b/c/pyproject.toml": "[tool.deepperf]\npedantic = true\n",
        },
    )
    (tmp_path / "b/c/d").mkdir()
    assert load_settings(tmp_path / "a").select == ("TF1",)
    assert load_settings(tmp_path / "b") == Settings(select=("TF2",))
    found = load_settings(tmp_path / "b/c/d")
    assert found == Settings(configured={"keras": Target("keras", "3", "../deepperf.toml", 1)})


def test_isolated_reads_no_file(tmp_path: Path) -> None:
    write(tmp_path, {"deepperf.toml": "not toml"})
    found = load_settings(tmp_path, isolated=True, overrides={"pedantic": True})
    assert found == Settings(pedantic=True, isolated=True)


def test_overrides_win_and_excludes_add_up(tmp_path: Path) -> None:
    write(tmp_path, {"deepperf.toml": 'pedantic = true\nextend-exclude = ["a"]\nselect = ["TF1"]\n'})
    found = load_settings(tmp_path, overrides={"select": ("TF2",), "extend_exclude": ("b",)})
    assert (found.select, found.pedantic) == (("TF2",), True)
    assert found.exclude == (*DEFAULT_EXCLUDE, "a", "b")
    found = load_settings(tmp_path, overrides={"exclude": ("c",)})
    assert found.exclude == ("c", "a")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[tool.deepperf]\n\npedantics = true\n", 3, "there is no key pedantics; did you mean pedantic?"),
        ("[tool.deepperf]\nmin_confidence = 'low'\n", 2, "did you mean min-confidence?"),
        ("[tool.deepperf]\ntensorflw = '2.4'\n", 2, "did you mean tensorflow?"),
        ("[tool.deepperf]\nzzz = 1\n", 2, "the keys are extend, select, "),
        (
            "[tool.x]\npedantic = 1\n[ tool . 'deepperf' ] # here\n'pedantic' = 1\n",
            4,
            "pedantic: give true or false",
        ),
        ("[tool.deepperf]\nselect = 'TF1'\n", 2, "select: give a list of strings"),
        ("[tool.deepperf]\nexclude = ['a', 1]\n", 2, "exclude: give a list of strings"),
        ("[tool.deepperf]\nfail-on = 'huge'\n", 2, "fail-on: 'huge' is not one of low, medium, high"),
        ("[tool.deepperf]\nmin-confidence = 3\n", 2, "min-confidence: '3' is not one of low, medium, high"),
        ("[tool.deepperf]\ntensorflow = 2.15\n", 2, 'tensorflow: give a version in quotes, such as "2.15"'),
        ("[tool.deepperf]\ntensorflow = '2.x'\n", 2, "tensorflow: '2.x' is no version"),
        ("[tool.deepperf.select]\nTF1 = true\n", 1, "select: give a list of strings"),
        ("[tool]\ndeepperf = {pedantic = 1}\n", None, "pedantic: give true or false"),
        ("[tool]\ndeepperf = 1\n", None, "tool.deepperf must be a table"),
        ("[tool.deepperf\n", None, "is not valid TOML"),
        ("[tool.deepperf]\nselect = " + "[" * 5000, None, "is not valid TOML"),
    ],
)
def test_mistakes(tmp_path: Path, text: str, line: int | None, words: str) -> None:
    write(tmp_path, {"pyproject.toml": text})
    (tmp_path / "src").mkdir()
    with pytest.raises(ConfigError) as caught:
        load_settings(tmp_path / "src")
    assert (caught.value.path, caught.value.line) == ("../pyproject.toml", line)
    where = "../pyproject.toml" if line is None else f"../pyproject.toml:{line}"
    assert str(caught.value).startswith(f"{where}: ")
    assert words in str(caught.value)


def test_a_broken_file_of_others_is_left_to_them(tmp_path: Path) -> None:
    write(tmp_path, {"pyproject.toml": "[tool.black\n"})
    assert load_settings(tmp_path) == Settings()


@pytest.mark.parametrize("key", ["select", "ignore"])
def test_rules_of_the_file_are_checked_by_those_who_know_them(tmp_path: Path, key: str) -> None:
    def check_rule(word: str) -> None:
        if word not in ("ALL", "TF2"):
            raise ValueError(f"there is no rule {word}")

    write(tmp_path, {"deepperf.toml": f'pedantic = true\n{key} = ["TF2", "ALL"]\n'})
    found: Any = load_settings(tmp_path, check_rule=check_rule)
    assert getattr(found, key) == ("TF2", "ALL")
    write(tmp_path, {"deepperf.toml": f'pedantic = true\n{key} = ["TF2", "TF9"]\n'})
    with pytest.raises(ConfigError, match=rf"^deepperf\.toml:2: {key}: there is no rule TF9$"):
        load_settings(tmp_path, check_rule=check_rule)


def test_targets_must_be_versions(tmp_path: Path) -> None:
    assert load_settings(tmp_path, overrides={"targets": {"jax": "0.4"}}).targets == {"jax": "0.4"}
    with pytest.raises(ConfigError, match=r"^--target: jax: '0\.x' is no version"):
        load_settings(tmp_path, overrides={"targets": {"jax": "0.x"}})


def test_a_file_extends_another(tmp_path: Path) -> None:
    write(
        tmp_path,
        {
            "base/deepperf.toml": 'select = ["TF1"]\nextend-exclude = ["a"]\nfail-on = "high"\n'
            '[per-file-ignores]\n"x.py" = ["TF101"]\n',
            "pyproject.toml": '[tool.deepperf]\nextend = "base/deepperf.toml"\nselect = ["TF2"]\nextend-exclude = ["b"]\n'
            '[tool.deepperf.per-file-ignores]\n"tests/*" = ["TF2"]\n',
        },
    )
    settings = load_settings(tmp_path)
    assert (settings.select, settings.fail_on) == (("TF2",), Impact.HIGH)
    assert settings.exclude == (*DEFAULT_EXCLUDE, "a", "b")
    assert [(one.pattern, one.ignore, one.base) for one in settings.per_file_ignores] == [
        ("x.py", ("TF101",), tmp_path / "base"),
        ("tests/*", ("TF2",), tmp_path),
    ]


@pytest.mark.parametrize(
    ("files", "words"),
    [
        (
            {"deepperf.toml": 'extend = "none.toml"'},
            "deepperf.toml:1: extend: none.toml is no file with settings",
        ),
        (
            {"deepperf.toml": 'extend = "b.toml"', "b.toml": '\nextend = "deepperf.toml"'},
            "b.toml:2: extend: deepperf.toml leads back",
        ),
        ({"deepperf.toml": "extend = 3"}, "deepperf.toml:1: extend: give a string"),
        ({"deepperf.toml": 'per-file-ignores = ["a"]'}, "per-file-ignores: give a table"),
        ({"deepperf.toml": '[per-file-ignores]\n"a" = "TF1"'}, "per-file-ignores: give a list of strings"),
    ],
)
def test_mistakes_of_extend_and_tables(files: dict[str, str], words: str, tmp_path: Path) -> None:
    write(tmp_path, files)
    with pytest.raises(ConfigError, match=words):
        load_settings(tmp_path)


def test_each_value_knows_where_it_was_set(tmp_path: Path) -> None:
    write(tmp_path, {"deepperf.toml": '# a\npedantic = true\ntensorflow = "2.15"\n'})
    loaded = load(tmp_path, overrides={"fail_on": Impact.HIGH, "targets": {"torch": "2.1"}})
    assert loaded.origins == {
        "pedantic": "deepperf.toml:2",
        "tensorflow": "deepperf.toml:3",
        "fail-on": "the command line",
        "torch": "the command line",
    }


def test_the_schema_knows_every_key() -> None:
    import fastjsonschema

    validate = fastjsonschema.compile(json_schema())
    validate({"select": ["TF2"], "per-file-ignores": {"a": ["TF1"]}, "fail-on": "high", "tensorflow": "2.1"})
    assert set(json_schema()["properties"]) == set(KEYS)
    with pytest.raises(fastjsonschema.JsonSchemaException):
        validate({"fail-on": "worst"})
