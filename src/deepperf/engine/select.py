"""Which rules are enabled, and which of them can speak about a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from deepperf.config.schema import FileIgnores
from deepperf.knowledge import framework_markers
from deepperf.rules.registry import ENTRIES, REDIRECTS, codes_for
from deepperf.source.ignoring import Ignored, folder_name, spec


class UnknownRuleError(ValueError):
    """A selector that stands for no rule; the message names the nearest known one."""


class Selection(NamedTuple):
    """The codes of the enabled rules, and of those whose hidden findings are shown too."""

    codes: frozenset[str]
    named: frozenset[str]


def select(chosen: Iterable[str], ignored: Iterable[str], extended: Iterable[str] = ()) -> Selection:
    """Return the rules that `chosen` (all if it is empty) and `extended` stand for, without those that `ignored` stands for.

    They hold codes, slugs, prefixes such as `TF2`, or `ALL`. A rule that `chosen` or `extended` names by its own
    code or slug shows its hidden findings too.

    Raises:
        UnknownRuleError: a word stands for no rule.
    """
    chosen, extended = tuple(chosen), tuple(extended)
    wanted = _codes((*chosen, *extended)) if chosen else set(ENTRIES) | _codes(extended)
    codes = frozenset(wanted - _codes(ignored))
    named = frozenset(code for word in (*chosen, *extended) if (code := _named(word)) is not None)
    return Selection(codes, named & codes)


class FileRules:
    """Which rules are off in which files, as `per-file-ignores` says."""

    def __init__(self, ignores: Iterable[FileIgnores]) -> None:
        self._ignores = [
            (Ignored(folder_name(one.base.resolve()), spec([one.pattern])), frozenset(_codes(one.ignore)))
            for one in ignores
        ]

    def off(self, file: Path) -> frozenset[str]:
        """Return the codes that are off in a file."""
        path = file.as_posix()
        return frozenset().union(*(codes for ignored, codes in self._ignores if ignored.decide(path)))


def _codes(words: Iterable[str]) -> set[str]:
    found: set[str] = set()
    for word in words:
        codes = codes_for(word)
        if not codes and word.upper() != "ALL":
            raise UnknownRuleError(_unknown(word))
        found |= codes
    return found


def _named(word: str) -> str | None:
    """Return the code of the rule that a word names, None if it stands for a group."""
    codes = codes_for(word)
    code = next(iter(codes)) if len(codes) == 1 else None
    if code is None or REDIRECTS.get(word.upper(), word).lower() not in (code.lower(), ENTRIES[code].slug):
        return None
    return code


def _unknown(word: str) -> str:
    import difflib

    known = {name.lower(): name for entry in ENTRIES.values() for name in (entry.code, entry.slug)}
    near = difflib.get_close_matches(word.lower(), known, n=1, cutoff=0.5)
    hint = f"did you mean {known[near[0]]}?" if near else "`deepperf rules` lists those that there are"
    return f"there is no rule {word!r}; {hint}"


@cache
def rules_for(codes: frozenset[str], frameworks: frozenset[str]) -> frozenset[str]:
    """Return the codes of the rules that speak of one of the frameworks."""
    return frozenset(code for code in codes if not frameworks.isdisjoint(ENTRIES[code].frameworks))


def frameworks_in(data: bytes, codes: frozenset[str]) -> frozenset[str]:
    """Return the frameworks of the enabled rules that a file's bytes import, or speak of by a name that needs no import."""
    return frozenset(name for name in _frameworks_of(codes) if _is_marked(data, name))


@cache
def _frameworks_of(codes: frozenset[str]) -> frozenset[str]:
    return frozenset(framework for code in codes for framework in ENTRIES[code].frameworks)


def _is_marked(data: bytes, framework: str) -> bool:
    # Most files hold no marker at all, and looking for a fixed text is many times as fast as the pattern.
    return any(marker in data and _pattern(marker).search(data) for marker in framework_markers(framework))


@cache
def _pattern(marker: bytes) -> re.Pattern[bytes]:
    """Return what finds a marker as a word; the name of a package counts on a line that imports something only."""
    word = rb"\b" + re.escape(marker) + rb"\b"
    # Keras is used as a part of TensorFlow too, without an import of its own.
    is_package = marker.isalpha() and marker != b"keras"
    return re.compile(rb"(?:import|from)[^\n]*" + word if is_package else word)
