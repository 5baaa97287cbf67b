"""What can be set, and what each value must be."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from deepperf.model import Confidence, Impact, Target
from deepperf.source import DEFAULT_EXCLUDE

FRAMEWORKS = ("tensorflow", "keras", "torch", "lightning", "transformers", "datasets", "accelerate", "jax")


@dataclass(frozen=True)
class FileIgnores:
    """Rules that are off in some files. `pattern` is one as in a `.gitignore`, relative to the folder `base`."""

    pattern: str
    ignore: tuple[str, ...]
    base: Path


@dataclass(frozen=True)
class Settings:
    """The settings of a run.

    `extend_select` names rules whose hidden findings are shown too. `exclude` are the patterns of `exclude` and
    `extend-exclude` together; with `force_exclude` they count for files given by name too. `targets` are framework
    versions from the command line, `configured` those of the configuration file, each with its place there.
    `baseline` is the file of findings that are known. Only what changed since the revision `since` is reported,
    with `changed_lines` only where a line of the finding did. `isolated` tells that configuration files were not looked at.
    """

    select: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[FileIgnores, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    force_exclude: bool = False
    respect_gitignore: bool = True
    pedantic: bool = False
    min_confidence: Confidence | None = None
    fail_on: Impact = Impact.LOW
    targets: Mapping[str, str] = field(default_factory=dict)
    configured: Mapping[str, Target] = field(default_factory=dict)
    baseline: Path | None = None
    since: str | None = None
    changed_lines: bool = False
    isolated: bool = False


def strings(value: Any) -> tuple[str, ...]:
    """Return a list of strings as a tuple.

    Raises:
        ValueError: `value` is something else.
    """
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise ValueError("give a list of strings")
    return tuple(value)


def lists(value: Any) -> dict[str, tuple[str, ...]]:
    """Return a table of lists of strings.

    Raises:
        ValueError: `value` is something else.
    """
    if not isinstance(value, dict):
        raise ValueError('give a table, such as {"tests/*" = ["TF2"]}')
    return {name: strings(words) for name, words in value.items()}


def string(value: Any) -> str:
    """Return a string as it is.

    Raises:
        ValueError: `value` is something else.
    """
    if not isinstance(value, str):
        raise ValueError("give a string")
    return value


def boolean(value: Any) -> bool:
    """Return a truth value as it is.

    Raises:
        ValueError: `value` is something else.
    """
    if not isinstance(value, bool):
        raise ValueError("give true or false")
    return value


def confidence(value: Any) -> Confidence:
    """Return the confidence with that name.

    Raises:
        ValueError: there is none.
    """
    return Confidence.parse(str(value))


def impact(value: Any) -> Impact:
    """Return the impact with that name.

    Raises:
        ValueError: there is none.
    """
    return Impact.parse(str(value))


def version(value: Any) -> str:
    """Return a version such as `2.15`, or a specifier such as `>=2.4,<2.8`.

    Raises:
        ValueError: `value` is neither.
    """
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    if not isinstance(value, str):
        raise ValueError('give a version in quotes, such as "2.15"')
    try:
        SpecifierSet(value if value[:1] in "<>=!~" else f"=={value}")
    except InvalidSpecifier:
        raise ValueError(f'{value!r} is no version; give one such as "2.15" or ">=2.4,<2.8"') from None
    return value


# What turns a value of the file into one of the settings, by key.
KEYS: dict[str, Callable[[Any], Any]] = {
    "extend": string,
    "select": strings,
    "extend-select": strings,
    "ignore": strings,
    "per-file-ignores": lists,
    "exclude": strings,
    "extend-exclude": strings,
    "force-exclude": boolean,
    "respect-gitignore": boolean,
    "pedantic": boolean,
    "min-confidence": confidence,
    "fail-on": impact,
    "baseline": string,
    **dict.fromkeys(FRAMEWORKS, version),
}

_LEVELS = {"type": "string", "enum": ["low", "medium", "high"]}
_STRINGS = {"type": "array", "items": {"type": "string"}}
_SHAPES: dict[Callable[[Any], Any], dict[str, Any]] = {
    strings: _STRINGS,
    lists: {"type": "object", "additionalProperties": _STRINGS},
    string: {"type": "string"},
    boolean: {"type": "boolean"},
    confidence: _LEVELS,
    impact: _LEVELS,
    version: {"type": "string", "examples": ["2.15", ">=2.4,<2.8"]},
}


def json_schema() -> dict[str, Any]:
    """Return the JSON schema of `deepperf.toml` and of the table `tool.deepperf`, for editors."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "Settings of deepperf",
        "type": "object",
        "additionalProperties": False,
        "properties": {key: _SHAPES[convert] for key, convert in KEYS.items()},
    }
