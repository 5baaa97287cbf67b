"""Reading `[tool.deepperf]` of `pyproject.toml`, or `deepperf.toml`: the nearest one above the working directory."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from deepperf.config.schema import FRAMEWORKS, Settings
from deepperf.model import Confidence, Impact

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class ConfigError(ValueError):
    """A configuration that cannot be used; the message names the file, the line and the nearest valid key."""


def load_settings(start: Path, *, isolated: bool = False, overrides: Mapping[str, Any] | None = None) -> Settings:
    """Return the settings for a run from `start`: defaults, then the nearest file's, then `overrides`.

    `overrides` are fields of `Settings`, and `extend_exclude`. With `isolated` no file is read.

    Raises:
        ConfigError: the file has an unknown key or a bad value.
    """
    settings = Settings()
    found = None if isolated else _nearest(start)
    if found is not None:
        settings = _from_table(settings, *found)
    given = dict(overrides or {})
    extended = tuple(given.pop("extend_exclude", ()))
    settings = replace(settings, **given)
    return replace(settings, exclude=(*settings.exclude, *extended))


def _nearest(start: Path) -> tuple[Path, str, dict[str, Any]] | None:
    for folder in [start, *start.parents]:
        for name in ("deepperf.toml", "pyproject.toml"):
            file = folder / name
            if not file.is_file():
                continue
            text = file.read_text(encoding="utf-8-sig", errors="replace")
            if name == "pyproject.toml" and "tool.deepperf" not in text:
                continue
            try:
                data = tomllib.loads(text)
            except tomllib.TOMLDecodeError as error:
                raise ConfigError(f"{file}: {error}") from None
            table = data if name == "deepperf.toml" else data.get("tool", {}).get("deepperf")
            if isinstance(table, dict):
                return file, text, table
    return None


def _from_table(settings: Settings, file: Path, text: str, table: dict[str, Any]) -> Settings:
    changes: dict[str, Any] = {}
    configured: dict[str, str] = {}
    for key, value in table.items():
        where = f"{file}:{_line_of(text, key)}: {key}"
        if key in FRAMEWORKS:
            configured[key] = _string(value, where)
        elif key == "extend-exclude":
            changes["exclude"] = (*changes.get("exclude", settings.exclude), *_strings(value, where))
        elif key in _KEYS:
            changes[key.replace("-", "_")] = _KEYS[key](value, where)
        else:
            raise ConfigError(f"{where}: there is no such key{_nearest_key(key)}")
    return replace(settings, configured=configured, **changes)


def _nearest_key(key: str) -> str:
    import difflib

    near = difflib.get_close_matches(key, [*_KEYS, "extend-exclude", *FRAMEWORKS], n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else ""


def _line_of(text: str, key: str) -> int:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip().strip('"').startswith(key):
            return number
    return 1


def _string(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{where}: give a string, such as \"2.15\"")
    return value


def _strings(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ConfigError(f"{where}: give a list of strings")
    return tuple(value)


def _boolean(value: Any, where: str) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{where}: give true or false")
    return value


def _confidence(value: Any, where: str) -> Confidence:
    try:
        return Confidence.parse(_string(value, where))
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


def _impact(value: Any, where: str) -> Impact:
    try:
        return Impact.parse(_string(value, where))
    except ValueError as error:
        raise ConfigError(f"{where}: {error}") from None


_KEYS: dict[str, Callable[[Any, str], Any]] = {
    "select": _strings,
    "ignore": _strings,
    "exclude": _strings,
    "respect-gitignore": _boolean,
    "pedantic": _boolean,
    "min-confidence": _confidence,
    "fail-on": _impact,
}
