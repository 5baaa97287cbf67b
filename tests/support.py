"""What tests of rules share: programs with markers, and a run of the checks over them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from deepperf.cli.check import settings_for
from deepperf.cli.options import parser
from deepperf.config import Settings
from deepperf.engine.report import Report
from deepperf.engine.run import check
from deepperf.rules.registry import ENTRIES

_MARKER = re.compile(r"# <- ([A-Z]{2}\d+(?:, *[A-Z]{2}\d+)*)")
_CELL = re.compile(r"^# %%.*\n", re.MULTILINE)


class Mark(NamedTuple):
    """A line on which a rule must speak. `cell` is that of a notebook, else 0."""

    path: str
    cell: int
    line: int
    code: str


def settings(folder: Path, *options: str) -> Settings:
    """Return the settings that options of the command line stand for."""
    return settings_for(parser().parse_args(list(options)), folder)


def only(code: str) -> tuple[str, ...]:
    """Return the options that leave a rule on its own, under the law of what is shown by default."""
    if code.startswith("DP"):  # They judge the other rules' comments.
        return ()
    others = [other for other in ENTRIES if other != code]
    return ("--ignore", ",".join(others)) if others else ()


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write a program; the cells of notebooks are separated by lines that start with `# %%`."""
    for name, text in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        content = notebook(text) if file.suffix == ".ipynb" else text
        file.write_text(content, encoding="utf-8", newline="")


def cells(text: str) -> list[str]:
    """Return the cells that a text with `# %%` lines stands for."""
    parts = _CELL.split(text)
    return [part.rstrip("\n") for part in parts if part.strip()]


def notebook(text: str) -> str:
    """Return a notebook: a heading, then the cells of `text`."""
    code: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": cell.splitlines(True),
        }
        for cell in cells(text)
    ]
    heading = {"cell_type": "markdown", "metadata": {}, "source": ["# A notebook"]}
    content = {"cells": [heading, *code], "metadata": {}, "nbformat": 4, "nbformat_minor": 4}
    return json.dumps(content, indent=1) + "\n"


def marks(files: Mapping[str, str]) -> set[Mark]:
    """Return the lines of a program that are marked with `# <- CODE`."""
    found: set[Mark] = set()
    for path, text in files.items():
        is_notebook = path.endswith(".ipynb")
        # The heading is the first cell of a notebook.
        parts = enumerate(cells(text), start=2) if is_notebook else [(0, text)]
        for cell, part in parts:
            found |= set(_marks(path, cell, part))
    return found


def _marks(path: str, cell: int, text: str) -> Iterable[Mark]:
    for number, line in enumerate(text.split("\n"), start=1):
        match = _MARKER.search(line)
        for code in match.group(1).split(",") if match else ():
            yield Mark(path, cell, number, code.strip())


def run(folder: Path, files: Mapping[str, str], options: Sequence[str]) -> Report:
    """Write a program into a folder and check it. Only a file called `broken…` may fail to parse."""
    write(folder, files)
    report = check(["."], settings(folder, *options), folder)
    assert [problem for problem in report.problems if not Path(problem.path).name.startswith("broken")] == []
    return report


def reported(report: Report) -> set[Mark]:
    """Return the lines on which a report speaks."""
    return {Mark(f.place.path, f.place.cell or 0, f.place.span.line, f.code) for f in report.findings}
