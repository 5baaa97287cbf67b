"""Each layer imports only layers below it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import deepperf

_ROOT = Path(deepperf.__file__).parent
_ALLOWED = {
    "model": "",
    "source": "model",
    "config": "model source",
    "knowledge": "model source",
    "facts": "model source knowledge",
    "rules": "model source knowledge facts",
    "engine": "model source knowledge facts rules config",
    "output": "model source knowledge facts rules engine config",
    "cli": "model source knowledge facts rules engine config output",
    "__main__": "cli",
    "__init__": "model source config engine",
}


def _imported(file: Path) -> Iterator[str]:
    """Yield the parts of deepperf that a file imports, also for type checking only."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}:{node.lineno}: relative import"
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        yield from (name.split(".")[1] for name in names if name.startswith("deepperf."))


@pytest.mark.parametrize(
    "file", sorted(_ROOT.rglob("*.py")), ids=lambda file: file.relative_to(_ROOT).as_posix()
)
def test_a_file_imports_only_layers_below_its_own(file: Path) -> None:
    layer = file.relative_to(_ROOT).with_suffix("").parts[0]
    allowed = {layer, "__version__", *_ALLOWED[layer].split()}
    assert set(_imported(file)) - allowed == set()


def test_no_framework_is_imported() -> None:
    frameworks = {"tensorflow", "torch", "keras", "jax", "numpy", "lightning", "transformers"}
    for file in sorted(_ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names.append(node.module or "")
            assert not frameworks & {name.split(".")[0] for name in names}, file
