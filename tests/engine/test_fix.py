"""Fixing: what is changed, what is left alone, and what is taken back."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from deepperf.engine.fix import Fixed, fix
from deepperf.model import Safety
from deepperf.source import write_source
from tests.support import settings, write

HEAD = "import tensorflow as tf\n"


def fixed(folder: Path, files: dict[str, str], *options: str, unsafe: bool = False) -> Fixed:
    write(folder, files)
    return fix(["."], settings(folder, *options), folder, Safety.UNSAFE if unsafe else Safety.SAFE)


def text(result: Fixed) -> str:
    [change] = result.changes
    return change.after.text


def test_safe_fixes_are_applied_in_rounds_where_they_overlap(tmp_path: Path) -> None:
    result = fixed(tmp_path, {"a.py": HEAD + "y = tf.identity(tf.identity(x)) + tf.identity(z)\n"})
    assert text(result) == HEAD + "y = x + z\n"
    assert result.changes[0].fixes == 3
    assert (len(result.before.findings), result.after.findings) == (3, ())
    assert (tmp_path / "a.py").read_text().endswith("tf.identity(z)\n")


def test_unsafe_fixes_need_to_be_asked_for(tmp_path: Path) -> None:
    files = {"a.py": HEAD + "y = tf.abs(x)\n"}
    assert fixed(tmp_path, files).changes == ()
    assert (
        text(fixed(tmp_path, files, unsafe=True))
        == "import tensorflow as tf\nimport math\ny = math.fabs(x)\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"""Doc."""\nfrom __future__ import annotations\nimport tensorflow as tf\n', None),
        ("import math\nimport tensorflow as tf\n", ""),
        ("# A comment.\nimport tensorflow as tf  # why\n\n\ndef f():\n    pass\n\n\nimport os\n", None),
        ("import tensorflow as tf; import os\n", None),
        ("import tensorflow as tf\r\n", None),
        ("from tensorflow import (\n    abs,\n)\nimport tensorflow as tf\n", None),
    ],
)
def test_an_import_that_a_fix_needs_is_added_once_after_the_others(
    before: str, after: str | None, tmp_path: Path
) -> None:
    newline = "\r\n" if "\r\n" in before else "\n"
    code = f"tf.abs(x){newline}tf.abs(y){newline}"
    result = text(fixed(tmp_path, {"a.py": before + code}, unsafe=True))
    imports, _, rest = result.partition("math.fabs(x)")
    assert rest == f"{newline}math.fabs(y){newline}"
    assert imports.count("import math") == 1
    without = imports if after is not None else imports.replace(f"import math{newline}", "")
    assert without == before
    if after is None:
        lines = imports.splitlines()
        assert lines[lines.index("import math") - 1].startswith("import tensorflow as tf")


def test_an_import_goes_below_the_docstring_where_there_are_no_imports_at_the_top(tmp_path: Path) -> None:
    code = "try:\n    import tensorflow as tf\nexcept ImportError:\n    raise SystemExit\ntf.abs(x)\n"
    for head in ('"""Doc."""\n', "#!/bin/python\n"):
        result = text(fixed(tmp_path, {"a.py": head + code}, unsafe=True))
        assert result.startswith(head + "import math\ntry:")


@pytest.mark.parametrize("call", ["tf.cast(x)", "tf.tile(x)"])
def test_a_fix_that_does_not_work_is_taken_back(call: str, tmp_path: Path) -> None:
    files = {"bad.py": HEAD + call + "\n", "good.py": HEAD + "y = tf.identity(x)\n"}
    result = fixed(tmp_path, files)
    assert result.refused == ("bad.py",)
    assert [change.after.path for change in result.changes] == ["good.py"]
    assert [finding.place.path for finding in result.after.findings] == ["bad.py"]


def test_hidden_and_silenced_findings_are_not_fixed(tmp_path: Path) -> None:
    files = {"a.py": HEAD + "y = tf.identity(x)  # deepperf: ignore\n"}
    assert fixed(tmp_path, files).changes == ()
    high = {"a.py": HEAD + "y = tf.identity(tf.zeros(3))\n"}
    assert text(fixed(tmp_path, high)) == HEAD + "y = tf.zeros(3)\n"


def test_python_2_is_never_changed(tmp_path: Path) -> None:
    result = fixed(tmp_path, {"a.py": HEAD + "print tf.identity(x)\n"})
    assert len(result.before.findings) == 1
    assert (result.changes, result.refused) == ((), ())


def test_notebooks_keep_everything_but_the_cell(tmp_path: Path) -> None:
    result = fixed(
        tmp_path, {"a.ipynb": "# %%\nimport tensorflow as tf\n# %%\n%time y = 1\nz = tf.identity(x)\n"}
    )
    before = json.loads((tmp_path / "a.ipynb").read_text())
    write_source(result.changes[0].after)
    after = json.loads((tmp_path / "a.ipynb").read_text())
    assert after["cells"][2].pop("source") == ["%time y = 1\n", "z = x"]
    del before["cells"][2]["source"]
    assert after == before


def test_nothing_to_fix(tmp_path: Path) -> None:
    result = fixed(tmp_path, {"a.py": HEAD + "tf.constant(1)\n"})
    assert (result.changes, result.refused, result.before.findings) == ((), (), ())
