"""The real code that deepperf is judged by, and how deepperf is run on it.

The corpus is a folder with `repos/<owner>__<name>__<first 12 digits of the commit>/` and
`packages/<name>-<version>/`.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import deepperf

HERE = Path(__file__).parent
_SOURCE = str(Path(deepperf.__file__).parents[1])
# Not with -m: Python must not look for modules in the tree that is judged.
_START = (
    "import sys; sys.path.insert(0, sys.argv.pop(1)); from deepperf.cli.main import main; sys.exit(main())"
)
_FINISHED = (0, 1, 3, 4)


class CorpusError(Exception):
    """The corpus cannot be read, or deepperf did not finish on it."""


@dataclass(frozen=True)
class Found:
    """What the evaluation needs of a finding; `related` are the lines in its own file that it points to."""

    code: str
    path: str
    line: int
    impact: str
    confidence: str
    message: str
    cell: int | None = None
    related: tuple[int, ...] = ()


@dataclass(frozen=True)
class Report:
    """What deepperf says of a tree; `crashes` maps a path to what went wrong inside deepperf there."""

    findings: list[Found]
    crashes: dict[str, str]


def check(
    tree: Path, paths: Sequence[str], *, options: Sequence[str] = (), command: Sequence[str] = ()
) -> Report:
    """Run deepperf in a tree and return its report.

    Arguments: `paths` are relative to `tree`; `command` starts deepperf (default: the one imported here).
    Raises CorpusError if the tree is not there or deepperf ends in any other way than with a report.
    """
    if not tree.is_dir():
        raise CorpusError(f"no such tree: {tree}")
    start = list(command) or [sys.executable, "-I", "-c", _START, _SOURCE]
    call = [*start, "check", "--output-format", "json", "--isolated", "--no-cache", *options, *paths]
    done = subprocess.run(call, cwd=tree, capture_output=True, text=True, check=False)
    # Python itself ends with 1 too, when a program dies of an exception.
    if done.returncode not in _FINISHED or not done.stdout:
        reason = done.stderr.strip().rpartition("\n")[2]
        raise CorpusError(f"deepperf ended with {done.returncode} in {tree.name}: {reason}")
    report = json.loads(done.stdout)
    crashes = {error["path"]: error["message"] for error in report["errors"] if error["kind"] == "internal"}
    return Report([_found(item) for item in report["findings"]], crashes)


def _found(item: dict[str, Any]) -> Found:
    names = [name for name in Found.__dataclass_fields__ if name != "related"]
    related = tuple(place["line"] for place in item["related"] if place["path"] == item["path"])
    return Found(**{name: item[name] for name in names}, related=related)


def read_lines(path: Path) -> list[dict[str, Any]]:
    """Return the objects of a file that holds one JSON object a line."""
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def arguments(description: str) -> argparse.ArgumentParser:
    """Return a parser with the options that all evaluations share."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument(
        "--corpus",
        type=Path,
        default=os.environ.get("DEEPPERF_CORPUS"),
        required="DEEPPERF_CORPUS" not in os.environ,
        help="folder with repos/ and packages/ (default: the environment variable DEEPPERF_CORPUS)",
    )
    parser.add_argument("--command", nargs="+", default=[], help="what starts deepperf")
    return parser
