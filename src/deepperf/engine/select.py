"""Which rules are enabled, and which of them can speak about a file."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from deepperf.knowledge import framework_markers
from deepperf.rules.registry import ENTRIES, REDIRECTS, codes_for


class UnknownRuleError(ValueError):
    """A selector that stands for no rule; the message names the nearest known one."""


class Selection(NamedTuple):
    """The codes of the enabled rules, and of those whose hidden findings are shown too."""

    codes: frozenset[str]
    named: frozenset[str]


def select(chosen: Iterable[str], ignored: Iterable[str]) -> Selection:
    """Return the rules that `chosen` stands for (all if it is empty) without those that `ignored` stands for.

    Both hold codes, slugs, prefixes such as `TF2`, or `ALL`. A rule named by its own code or slug shows its
    hidden findings too.

    Raises:
        UnknownRuleError: a word stands for no rule.
    """
    chosen = tuple(chosen)
    wanted = _codes(chosen) if chosen else set(ENTRIES)
    codes = frozenset(wanted - _codes(ignored))
    named = frozenset(code for word in chosen if (code := _named(word)) is not None)
    return Selection(codes, named & codes)


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
    """Return the frameworks of the enabled rules whose name occurs in a file's bytes, as a word of its own."""
    wanted = {framework for code in codes for framework in ENTRIES[code].frameworks}
    return frozenset(name for name in wanted if _marker(name).search(data))


@cache
def _marker(framework: str) -> re.Pattern[bytes]:
    words = b"|".join(re.escape(marker) for marker in framework_markers(framework))
    return re.compile(rb"\b(?:" + words + rb")\b")
