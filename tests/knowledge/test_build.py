"""The generated tables match the data, and wrong data is refused."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from deepperf.knowledge.build import HERE, DataError, generate

ABOUT = (
    '[framework]\nname = "toy"\nrelease = "1.0"\nas_of = "2026-01-01"\nmarkers = ["toy"]\nroots = ["toy"]\n'
)
GROUP = '[[group]]\nreturns = "tensor"\neffects = "node"\n[group.apis]\n"toy.add" = "x y"\n'


def test_tables_are_fresh() -> None:
    files = {path.name: path.read_text(encoding="utf-8") for path in (HERE / "_tables").glob("*.py")}
    assert files == generate(), "run: python -m deepperf.knowledge.build"


def _data(tmp_path: Path, *texts: str) -> Path:
    folder = tmp_path / "toy"
    folder.mkdir()
    for number, text in enumerate(texts):
        (folder / f"{number}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_files_of_a_framework_are_joined(tmp_path: Path) -> None:
    more = GROUP.replace("toy.add", "toy.sub")
    text = generate(_data(tmp_path, ABOUT, GROUP, more))["toy.py"]
    assert "'toy.add': (0, 'x y')" in text
    assert "'toy.sub': (0, 'x y')" in text


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        ((ABOUT, GROUP, GROUP), "toy.add stands twice"),
        ((ABOUT, GROUP.replace("node", "nodes")), "unknown words: nodes"),
        ((ABOUT, GROUP.replace('"tensor"', '"tensors"')), "unknown words: tensors"),
        ((ABOUT, GROUP, '[aliases]\n"toy.add" = "toy.sum"\n'), "toy.add is an alias and an API"),
        ((ABOUT, '[since]\na = "1"\n', '[since]\na = "2"\n'), "since.a stands twice"),
    ],
)
def test_wrong_data_is_refused(tmp_path: Path, texts: tuple[str, ...], message: str) -> None:
    with pytest.raises(DataError, match=message):
        generate(_data(tmp_path, *texts))


def test_only_the_tables_that_are_asked_for_are_loaded() -> None:
    code = (
        "import sys; from deepperf.knowledge import lookup, canonical;"
        "lookup('torch.zeros'); canonical('os.path');"
        "print(*[m.rpartition('.')[2] for m in sys.modules if m.startswith('deepperf.knowledge._tables.')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["torch"]
