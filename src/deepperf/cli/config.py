"""`deepperf config show` and `deepperf config schema`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from deepperf.cli.errors import UsageError
from deepperf.config import ConfigError, Settings
from deepperf.config.load import Loaded, load
from deepperf.config.schema import FRAMEWORKS, KEYS, json_schema
from deepperf.engine.select import select


def run(arguments: Sequence[str]) -> int:
    """Show the settings, or their JSON schema, and return the exit code.

    Raises:
        UsageError: the command was called in a wrong way, or the settings cannot be used.
    """
    options = _parser().parse_args(arguments)
    if options.action == "schema":
        sys.stdout.write(json.dumps(json_schema(), indent=2) + "\n")
        return 0
    try:
        loaded = load(Path.cwd(), check_rule=lambda word: select((word,), ()))
    except ConfigError as error:
        raise UsageError(str(error)) from None
    if options.output_format == "json":
        shown = {key: {"value": _plain(value), "origin": origin} for key, value, origin in _rows(loaded)}
        sys.stdout.write(json.dumps(shown, indent=2) + "\n")
    else:
        sys.stdout.writelines(
            f"{key} = {json.dumps(_plain(value))}  # {origin}\n" for key, value, origin in _rows(loaded)
        )
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="deepperf config",
        description="Show the settings that hold in this folder, each with where it comes from, or their JSON schema.",
        allow_abbrev=False,
    )
    parser.add_argument("action", choices=("show", "schema"))
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    return parser


def _rows(loaded: Loaded) -> Iterator[tuple[str, Any, str]]:
    """Yield each key with its value and origin; frameworks and lists that only add where they are set."""
    settings: Settings = loaded.settings
    for key in KEYS:
        origin = loaded.origins.get(key, "default")
        if key in FRAMEWORKS:
            if key in settings.configured:
                yield key, settings.configured[key].version, origin
        elif key == "per-file-ignores":
            yield key, {one.pattern: one.ignore for one in settings.per_file_ignores}, origin
        elif key not in ("extend", "extend-exclude"):
            yield key, getattr(settings, key.replace("-", "_")), origin


def _plain(value: Any) -> Any:
    if isinstance(value, Enum | Path):
        return str(value)
    if isinstance(value, Mapping):
        return {name: list(words) for name, words in value.items()}
    return list(value) if isinstance(value, tuple) else value
