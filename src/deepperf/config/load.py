"""Reading `[tool.deepperf]` of `pyproject.toml`, or `deepperf.toml`: the nearest above the working folder."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from deepperf.config.schema import FRAMEWORKS, KEYS, Settings, version
from deepperf.model import Target

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class ConfigError(ValueError):
    """A configuration that cannot be used.

    `path` is relative to the working directory, or `--target`; `line` is None where it is not known.
    """

    def __init__(self, path: str, line: int | None, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.path = path
        self.line = line


def load_settings(
    start: Path,
    *,
    isolated: bool = False,
    overrides: Mapping[str, Any] | None = None,
    check_rule: Callable[[str], object] = lambda word: None,
) -> Settings:
    """Return the settings for a run from the folder `start`: the defaults, the nearest file's, `overrides`.

    What comes later wins. `overrides` are fields of `Settings`, and `extend_exclude`. With `isolated` no file
    is read. `check_rule` is called with each word of the file's `select` and `ignore`; it raises ValueError
    for one that names no rule.

    Raises:
        ConfigError: the file or a target cannot be used: an unknown key, a bad value, broken TOML.
    """
    file = None if isolated else _nearest(start)
    values = _values(file, check_rule) if file is not None else {}
    extended = values.pop("extend_exclude", ())
    values.update(overrides or {})
    if overrides and "extend_exclude" in overrides:
        extended += tuple(values.pop("extend_exclude"))
    for framework, word in values.get("targets", {}).items():
        _check_target(framework, word)
    settings = replace(Settings(isolated=isolated), **values)
    return replace(settings, exclude=(*settings.exclude, *extended))


def _check_target(framework: str, word: str) -> None:
    try:
        version(word)
    except ValueError as error:
        raise ConfigError("--target", None, f"{framework}: {error}") from None


class _File(NamedTuple):
    """A configuration file. `header` names the table that holds the settings; "" is the whole file."""

    path: str
    text: str
    header: str
    table: dict[str, Any]

    def line_of(self, key: str) -> int | None:
        """Return the line on which a key of the table stands, None if it is written in an unusual way."""
        header = ""
        for number, line in enumerate(self.text.split("\n"), 1):
            if match := re.match(r"\s*\[\s*([^\[\]]+?)\s*\]", line):
                header = re.sub(r"[\s\"']", "", match[1])
                if header == f"{self.header}.{key}".lstrip("."):
                    return number
            elif header == self.header and re.match(rf"\s*[\"']?{re.escape(key)}[\"']?\s*[=.]", line):
                return number
        return None


def _nearest(start: Path) -> _File | None:
    """Return the nearest file that holds settings."""
    for folder in (start, *start.parents):
        for name, keys in (("deepperf.toml", ()), ("pyproject.toml", ("tool", "deepperf"))):
            file = folder / name
            path = _display(file, start)
            text = _read(file, path)
            if text is None or (keys and "deepperf" not in text):
                continue
            found = _table(text, path, keys)
            if found is not None:
                return _File(path, text, ".".join(keys), found)
    return None


def _display(file: Path, start: Path) -> str:
    try:
        return Path(os.path.relpath(file, start)).as_posix()
    except ValueError:  # On Windows, another drive.
        return file.as_posix()


def _read(file: Path, path: str) -> str | None:
    """Return the text of a file, None if there is none."""
    try:
        data = file.read_bytes() if file.is_file() else None
    except OSError as error:
        raise ConfigError(path, None, f"cannot be read: {error.strerror}") from None
    return None if data is None else data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _table(text: str, path: str, keys: tuple[str, ...]) -> dict[str, Any] | None:
    """Return the table under `keys`, None if there is none."""
    try:
        found: Any = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigError(path, None, f"is not valid TOML: {error}") from None
    for key in keys:
        if not isinstance(found, dict):
            return None
        found = found.get(key)
    if found is not None and not isinstance(found, dict):
        raise ConfigError(path, None, f"{'.'.join(keys)} must be a table")
    return found


def _values(file: _File, check_rule: Callable[[str], object]) -> dict[str, Any]:
    """Return the fields of the settings that a file gives, `extend_exclude` among them."""
    values: dict[str, Any] = {}
    configured: dict[str, Target] = {}
    for key, given in file.table.items():
        line = file.line_of(key)
        if key not in KEYS:
            raise ConfigError(file.path, line, f"there is no key {key}{_hint(key)}")
        try:
            value = KEYS[key](given)
            for word in value if key in ("select", "ignore") else ():
                check_rule(word)
        except ValueError as error:
            raise ConfigError(file.path, line, f"{key}: {error}") from None
        if key in FRAMEWORKS:
            configured[key] = Target(key, value, file.path, line)
        else:
            values[key.replace("-", "_")] = value
    return {**values, "configured": configured}


def _hint(key: str) -> str:
    """Return the nearest key in words; all of them if none is near."""
    import difflib

    near = difflib.get_close_matches(key.replace("_", "-").lower(), KEYS, n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else f"; the keys are {', '.join(KEYS)}"
