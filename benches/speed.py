"""How fast deepperf is, next to bare parsing of the same files, and how fast it starts, next to bare Python.

    python benches/speed.py PATH...             prints the figures
    python benches/speed.py --json PATH...      prints them as one JSON object

Every figure comes from a process of its own that runs alone; the kinds of process take turns, so that a busy machine slows
all of them down alike. Seconds differ between machines and days, the ratios of one run hardly do. Needs a POSIX system.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

SOURCE = Path(__file__).parents[1] / "src"
# What deepperf runs at least: its own code, found without the environment and the user's folders.
_DEEPPERF = (
    f"import sys; sys.path.insert(0, {str(SOURCE)!r}); from deepperf.cli.main import main; sys.exit(main())"
)
# The yardstick reads what a check reads, by the same code; the clock runs while it parses, and at no other time.
_PARSE = f"""
import sys; sys.path.insert(0, {str(SOURCE)!r})
import ast, gc, time, warnings
from pathlib import Path
from deepperf.source import SourceError, discover, read_source
texts = []
for file, _ in discover([Path(path) for path in sys.argv[1:]]):
    try:
        texts.append(read_source(file, file.name).text)
    except SourceError:
        pass
warnings.simplefilter("ignore"); sys.setrecursionlimit(10_000); gc.disable()
start = time.process_time()
for text in texts:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        pass
print(time.process_time() - start)
"""
_TINY = "import tensorflow as tf\n\nprint(tf.zeros([2, 3]))\n"
_HOW = (
    "Each figure is of a fresh process that runs alone, one at a time; the kinds of process take turns. No cache of deepperf is "
    "used; its compiled modules are there, and the files are in the system's memory after the first run. The processor time of "
    "parsing is that of ast.parse alone, without the garbage collector."
)


class Cost(NamedTuple):
    """What one process took: seconds of the clock and of the processor, and its largest memory in MiB."""

    wall: float
    cpu: float
    memory: float
    output: str


def cost(*arguments: str) -> Cost:
    """Run Python with these arguments and return what that took.

    Raises:
        RuntimeError: the process failed.
    """
    start = time.perf_counter()
    process = subprocess.Popen([sys.executable, "-I", *arguments], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    with process.stdout as stream:
        output = stream.read()
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(arguments[-3:])} ended with {process.returncode}")
    unit = 2**20 if sys.platform == "darwin" else 2**10
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / unit, output)


def of_check(paths: Sequence[str], runs: int) -> dict[str, Any]:
    """Return what a check of these paths costs, and how that compares with parsing them."""
    options = ("--isolated", "--no-cache", "--exit-zero", "--output-format", "json", *paths)
    checks, parses = [], []
    for _ in range(runs):
        checks.append(cost("-c", _DEEPPERF, "check", *options))
        parses.append(float(cost("-c", _PARSE, *paths).output))
    summary = json.loads(checks[0].output)["summary"]
    wall = _spread([check.wall for check in checks])
    cpu, parsing = _spread([check.cpu for check in checks]), _spread(parses)
    return {
        "files": summary["files"],
        "files_analysed": summary["files_analysed"],
        "lines": summary["lines"],
        "lines_per_second": round(summary["lines"] / wall["min"]),
        "wall_seconds": wall,
        "cpu_seconds": cpu,
        "memory_mib": round(max(check.memory for check in checks)),
        "parse_cpu_seconds": parsing,
        "ratio_to_parsing": _ratios(cpu, parsing),
    }


def of_start(runs: int) -> dict[str, Any]:
    """Return how long deepperf takes to say its version and to check one tiny file, and how that compares with bare Python."""
    with tempfile.TemporaryDirectory() as folder:
        tiny = Path(folder) / "tiny.py"
        tiny.write_text(_TINY, encoding="utf-8")
        commands = {
            "python": ("-c", "pass"),
            "version": ("-c", _DEEPPERF, "--version"),
            "tiny_file": ("-c", _DEEPPERF, "check", "--isolated", "--no-cache", str(tiny)),
        }
        for command in commands.values():
            cost(*command)
        walls: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(runs):
            for name, command in commands.items():
                walls[name].append(cost(*command).wall)
    found = {name: _spread(seconds) for name, seconds in walls.items()}
    return {
        **{f"{name}_wall_seconds": seconds for name, seconds in found.items()},
        "version_ratio_to_python": _ratios(found["version"], found["python"]),
        "tiny_file_ratio_to_python": _ratios(found["tiny_file"], found["python"]),
    }


def _spread(seconds: Sequence[float]) -> dict[str, float]:
    return {"min": round(min(seconds), 4), "median": round(statistics.median(seconds), 4)}


def _ratios(one: dict[str, float], other: dict[str, float]) -> dict[str, float]:
    return {key: round(one[key] / max(other[key], 1e-4), 2) for key in one}


def measure(paths: Sequence[str], runs: int) -> dict[str, Any]:
    """Return all figures, with how they were measured."""
    load = os.getloadavg()[0]
    start = of_start(max(runs, 5))
    return {
        "how": _HOW,
        "python": platform.python_version(),
        "cpus": os.cpu_count(),
        "load_before": round(load, 2),
        "runs": runs,
        "check": of_check(paths, runs),
        "start": start,
    }


def as_text(figures: dict[str, Any]) -> str:
    """Return the figures for people."""
    where = f"Python {figures['python']}, {figures['cpus']} CPUs, load before {figures['load_before']}, runs: {figures['runs']}"
    lines = [figures["how"], "", where]
    for part in ("check", "start"):
        lines += ["", part]
        for name, value in figures[part].items():
            shown = (
                f"{value['min']:>10} at best, {value['median']} in the middle"
                if isinstance(value, dict)
                else f"{value:>10,}"
            )
            lines.append(f"  {name.replace('_', ' '):<28}{shown}")
    return "\n".join(lines)


def main() -> None:
    """Measure, and print what was found."""
    parser = argparse.ArgumentParser(
        description="Measure how fast deepperf is, next to parsing the same files."
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="files and folders to check")
    parser.add_argument("--runs", type=int, default=3, help="how often each is measured (default: 3)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    options = parser.parse_args()
    figures = measure(options.paths, max(options.runs, 1))
    print(json.dumps(figures, indent=2) if options.json else as_text(figures))


if __name__ == "__main__":
    main()
