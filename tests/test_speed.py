"""The measurement of speed runs and gives its figures; how large they are is no business of a test."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


@pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")
def test_figures_of_the_examples() -> None:
    command = [sys.executable, "benches/speed.py", "--json", "--runs", "1", "examples"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    figures = json.loads(done.stdout)
    assert figures["runs"] == 1
    assert {"how", "python", "cpus", "load_before"} < figures.keys()
    check, start = figures["check"], figures["start"]
    assert check["files"] == check["files_analysed"] == 6
    assert check["lines"] > 100
    for name in ("wall_seconds", "cpu_seconds", "parse_cpu_seconds", "ratio_to_parsing"):
        assert check[name]["min"] > 0, name
        assert check[name]["median"] >= check[name]["min"] or name.startswith("ratio"), name
    assert check["memory_mib"] > 1
    assert start["version_ratio_to_python"]["min"] > 0
    assert start["tiny_file_ratio_to_python"]["min"] > 0
