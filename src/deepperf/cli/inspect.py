"""`deepperf inspect pipelines|loops|regions|calls`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from deepperf.cli.errors import UsageError
from deepperf.config import ConfigError, load_settings
from deepperf.engine.inspect import KINDS, inspect
from deepperf.engine.run import Run
from deepperf.source import MissingPath, SourceError


def run(arguments: Sequence[str]) -> int:
    """Print what is known of a program and return the exit code.

    Raises:
        UsageError: the command was called in a wrong way.
    """
    options = _parser().parse_intermixed_args(arguments)
    cwd = Path.cwd()
    records: list[dict[str, Any]] = []
    failed = False
    try:
        runner = Run(load_settings(cwd), cwd)
        for given in runner.inputs(options.paths):
            try:
                records += inspect(runner, given, options.what)
            except SourceError as error:  # noqa: PERF203  (the other files are still shown)
                failed = True
                print(f"{given.path}: error: {error.problem.message}", file=sys.stderr)
    except (ConfigError, MissingPath) as error:
        raise UsageError(str(error)) from None
    if options.output_format == "json":
        sys.stdout.write(json.dumps(records, indent=2) + "\n")
    else:
        sys.stdout.writelines(_line(record) + "\n" for record in records)
    return 3 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="deepperf inspect",
        description="Show what deepperf knows of a program. This is information, never a finding.",
        allow_abbrev=False,
    )
    parser.add_argument("what", choices=tuple(KINDS))
    parser.add_argument(
        "paths", nargs="*", default=["."], metavar="PATH", help="files and folders (default: .)"
    )
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    return parser


def _line(record: dict[str, Any]) -> str:
    cell = "" if record["cell"] is None else f"cell {record['cell']}:"
    where = f"{record['path']}:{cell}{record['line']}:{record['column']}"
    if "pipelines" in record:
        start = "" if record["known_from_the_start"] else "... > "
        return "\n".join(f"{where}: {start}{' > '.join(path)}" for path in record["pipelines"])
    if "passes" in record:
        trains = ", trains a model" if record["trains"] else ""
        return f"{where}: {record['kind']} loop over {record['over']}: passes: {record['passes']}{trains}"
    if "region" in record:
        because = f" ({', '.join(record['because'])})" if record["because"] else ""
        return f"{where}: {record['function']}: {record['region']}{because}"
    return f"{where}: {record['calls']} runs {record['function']} ({record['defined']})"
