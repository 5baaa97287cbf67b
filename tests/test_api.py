"""The public interface is what the documentation says it is."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import deepperf

PAGE = (Path(__file__).parent.parent / "docs" / "api.md").read_text(encoding="utf-8")


def test_the_page_names_what_is_public() -> None:
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == set(deepperf.__all__)


@pytest.mark.parametrize("name", deepperf.__all__)
def test_each_name_is_there(name: str) -> None:
    assert getattr(deepperf, name) is not None


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        deepperf.nothing  # noqa: B018


def test_the_program_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "train.py").write_text(
        "import tensorflow as tf\n\ndef load(files):\n    ds = tf.data.TFRecordDataset(files)\n"
        "    return ds.map(lambda x: tf.io.parse_single_example(x, {})).batch(32)\n"
    )
    monkeypatch.chdir(tmp_path)
    program = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[0]
    exec(program.replace(', "train.ipynb"', ""), {})
    assert capsys.readouterr().out.startswith("TF201 src/train.py 5 ")


def test_importing_deepperf_loads_nothing_else_of_it() -> None:
    code = "import sys, deepperf; print([name for name in sys.modules if name.startswith('deepperf.')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
