"""The configuration files: where they are, what they hold, and on which line."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any, NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_NAMES = (("deepperf.toml", ()), ("pyproject.toml", ("tool", "deepperf")))


class ConfigError(ValueError):
    """A configuration that cannot be used.

    `path` is relative to the working directory, or `--target`; `line` is None where it is not known.
    """

    def __init__(self, path: str, line: int | None, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.path = path
        self.line = line


class ConfigFile(NamedTuple):
    """A configuration file. `path` is how messages name it; `header` names the table with the settings, "" is the whole file."""

    file: Path
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


def nearest(start: Path) -> ConfigFile | None:
    """Return the nearest file at or above a folder that holds settings.

    Raises:
        ConfigError: a file on the way cannot be read, or its TOML is broken.
    """
    for folder in (start, *start.parents):
        for name, keys in _NAMES:
            found = _open(folder / name, keys, start)
            if found is not None:
                return found
    return None


def extended(child: ConfigFile, name: str, start: Path) -> ConfigFile:
    """Return the file that `extend` of another one names, relative to its folder.

    Raises:
        ConfigError: there is no such file, or it holds no settings.
    """
    file = child.file.parent / name
    keys = () if file.name != "pyproject.toml" else ("tool", "deepperf")
    found = _open(file, keys, start)
    if found is None:
        raise ConfigError(child.path, child.line_of("extend"), f"extend: {name} is no file with settings")
    return found


def _open(file: Path, keys: tuple[str, ...], start: Path) -> ConfigFile | None:
    path = _display(file, start)
    text = _read(file, path)
    if text is None or (keys and "deepperf" not in text):
        return None
    found = _table(text, path, keys)
    return None if found is None else ConfigFile(file, path, text, ".".join(keys), found)


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
