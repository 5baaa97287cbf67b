"""Settings: the defaults, then the nearest configuration file and what it extends, then the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from deepperf.config.files import ConfigError, ConfigFile, extended, nearest
from deepperf.config.schema import FRAMEWORKS, KEYS, FileIgnores, Settings, version
from deepperf.model import Target

# Each file and the command line add to these; of all other keys the last one wins.
_GROWING = ("extend_select", "extend_exclude", "per_file_ignores")


class Loaded(NamedTuple):
    """Settings, and where each key that is not at its default was set: `deepperf.toml:3`, or `the command line`."""

    settings: Settings
    origins: dict[str, str]


def load_settings(
    start: Path,
    *,
    isolated: bool = False,
    overrides: Mapping[str, Any] | None = None,
    check_rule: Callable[[str], object] = lambda word: None,
) -> Settings:
    """Return the settings for a run from the folder `start`: the defaults, the nearest file's, `overrides`.

    What comes later wins. `overrides` are fields of `Settings`, and `extend_exclude`. With `isolated` no file
    is read. `check_rule` is called with each word of the file that must name a rule; it raises ValueError for
    one that names none.

    Raises:
        ConfigError: a file or a target cannot be used: an unknown key, a bad value, broken TOML.
    """
    return load(start, isolated=isolated, overrides=overrides, check_rule=check_rule).settings


def load(
    start: Path,
    *,
    isolated: bool = False,
    overrides: Mapping[str, Any] | None = None,
    check_rule: Callable[[str], object] = lambda word: None,
) -> Loaded:
    """Return what `load_settings` returns, with the origin of each value. Raises as it does."""
    values: dict[str, Any] = {"configured": {}}
    origins: dict[str, str] = {}
    for file in [] if isolated else reversed(list(_files(start))):
        for key, line, value in _values(file, check_rule):
            origins[key] = f"{file.path}:{line}" if line else file.path
            _set(values, key, value, Target(key, value, file.path, line) if key in FRAMEWORKS else None)
    for field, value in (overrides or {}).items():
        origins.update(
            dict.fromkeys(value if field == "targets" else [field.replace("_", "-")], "the command line")
        )
        _set(values, field.replace("_", "-"), value, None)
    for framework, word in values.get("targets", {}).items():
        _check_target(framework, word)
    added = values.pop("extend_exclude", ())
    settings = replace(Settings(isolated=isolated), **values)
    return Loaded(replace(settings, exclude=(*settings.exclude, *added)), origins)


def _set(values: dict[str, Any], key: str, value: Any, target: Target | None) -> None:
    field = key.replace("-", "_")
    if target is not None:
        values["configured"][key] = target
    elif field in _GROWING:
        values[field] = (*values.get(field, ()), *value)
    else:
        values[field] = value


def _check_target(framework: str, word: str) -> None:
    try:
        version(word)
    except ValueError as error:
        raise ConfigError("--target", None, f"{framework}: {error}") from None


def _files(start: Path) -> Iterator[ConfigFile]:
    """Yield the nearest file, the one that it extends, and so on."""
    seen: set[Path] = set()
    file = nearest(start)
    while file is not None:
        yield file
        seen.add(file.file.resolve())
        name = file.table.get("extend")
        if not isinstance(name, str):
            return
        parent = extended(file, name, start)
        if parent.file.resolve() in seen:
            raise ConfigError(
                file.path, file.line_of("extend"), f"extend: {name} leads back to where it came from"
            )
        file = parent


def _values(file: ConfigFile, check_rule: Callable[[str], object]) -> Iterator[tuple[str, int | None, Any]]:
    """Yield the keys of a file with their lines and values."""
    for key, given in file.table.items():
        line = file.line_of(key)
        if key not in KEYS:
            raise ConfigError(file.path, line, f"there is no key {key}{_hint(key)}")
        try:
            value = KEYS[key](given)
            for word in _rule_words(key, value):
                check_rule(word)
        except ValueError as error:
            raise ConfigError(file.path, line, f"{key}: {error}") from None
        if key == "per-file-ignores":
            value = tuple(FileIgnores(pattern, words, file.file.parent) for pattern, words in value.items())
        if key == "baseline":
            value = file.file.parent / value
        if key != "extend":
            yield key, line, value


def _rule_words(key: str, value: Any) -> tuple[str, ...]:
    """Return the words of a value that must name rules."""
    if key == "per-file-ignores":
        return tuple(word for words in value.values() for word in words)
    return tuple(value) if key in ("select", "extend-select", "ignore") else ()


def _hint(key: str) -> str:
    """Return the nearest key in words; all of them if none is near."""
    import difflib

    near = difflib.get_close_matches(key.replace("_", "-").lower(), KEYS, n=1, cutoff=0.5)
    return f"; did you mean {near[0]}?" if near else f"; the keys are {', '.join(KEYS)}"
