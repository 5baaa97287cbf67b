"""Changing strings inside a JSON text without touching anything else in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import takewhile
from json.decoder import JSONDecoder
from typing import NamedTuple

_SPACE = re.compile(r"[ \t\r\n]*")
# One code point of a JSON string: a pair of surrogates, an escape, or itself.
_UNIT = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\.|[^\\]", re.DOTALL
)
# An escape that plain text would not need.
_ESCAPED = re.compile(r"\\u(?!00[0-7])")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


class Member(NamedTuple):
    """A value inside an object or an array, by key or index, and where its text starts and ends."""

    key: str | int
    start: int
    end: int


def replace_sources(raw: str, changed: dict[tuple[str | int, ...], str]) -> str:
    """Return a notebook's JSON with the texts at these paths replaced; a list of lines stays one."""
    members = cache(lambda place: list(_members(raw, place)))
    edits: list[tuple[int, int, str]] = []
    spell = _spelling(raw)
    for path, text in changed.items():
        start, end = _skip(raw, 0), len(raw)
        for step in path:
            # Of two values with the same key the last one counts.
            _, start, end = next(m for m in reversed(members(start)) if m.key == step)
        if raw[start] == "[":
            edits.append(_list(raw, members(start), start, end, text, spell))
        else:
            edits.append((start, end, _respelled(raw[start:end], text, spell)))
    for start, end, new in sorted(edits, reverse=True):
        raw = raw[:start] + new + raw[end:]
    return raw


def line_of(raw: str, path: tuple[str | int, ...], line: int) -> int:
    """Return the line of a notebook's JSON that holds a line of the cell text at a path; both count from 1."""
    start = _skip(raw, 0)
    for step in path:
        start = next(m for m in reversed(list(_members(raw, start))) if m.key == step).start
    if raw[start] == "[":
        ahead = line - 1
        for member in _members(raw, start):
            start = member.start
            ahead -= str(json.loads(raw[member.start : member.end], strict=False)).count("\n")
            if ahead < 0:
                break
    return raw.count("\n", 0, start) + 1


def _members(raw: str, place: int) -> Iterator[Member]:
    """Yield what is in the object or array at a place of a JSON text that is known to be valid."""
    decode = JSONDecoder(strict=False).raw_decode
    is_object = raw[place] == "{"
    place = _skip(raw, place + 1)
    index = 0
    while raw[place] not in "}]":
        key: str | int = index
        if is_object:
            key, place = decode(raw, place)
            place = _skip(raw, _skip(raw, place) + 1)
        _, end = decode(raw, place)
        yield Member(key, place, end)
        place = _skip(raw, end)
        if raw[place] == ",":
            place = _skip(raw, place + 1)
        index += 1


def _skip(raw: str, place: int) -> int:
    match = _SPACE.match(raw, place)
    return match.end() if match else place


def _spelling(raw: str) -> Callable[[str], str]:
    """Return how strings are written in a JSON text: which characters are escaped."""
    ascii_only = raw.isascii() and _ESCAPED.search(raw) is not None
    escapes = {sign: f"\\u{ord(sign):04x}" for sign in "<>&'" if f"\\u{ord(sign):04x}" in raw}

    def spell(text: str) -> str:
        spelled = json.dumps(text, ensure_ascii=ascii_only)
        for sign, escape in escapes.items():
            spelled = spelled.replace(sign, escape)
        return spelled

    return spell


def _list(
    raw: str, lines: list[Member], start: int, end: int, text: str, spell: Callable[[str], str]
) -> tuple[int, int, str]:
    """Return the edit that makes a list of lines of `text`; lines that stay keep their spelling."""
    spelled = [raw[line.start : line.end] for line in lines]
    old = [str(json.loads(line, strict=False)) for line in spelled]
    front, place = 0, 0
    while front < len(old) and old[front].endswith("\n") and text.startswith(old[front], place):
        place += len(old[front])
        front += 1
    back, stop = len(old), len(text)
    while back > front and text[place:stop].endswith("\n" + old[back - 1]):
        back -= 1
        stop -= len(old[back])
    known = dict(zip(old, spelled, strict=True))
    changed = [known.get(line) or spell(line) for line in _LINE.findall(text[place:stop])]
    strings = [*spelled[:front], *changed, *spelled[back:]]
    # Where the list itself does not show how its strings are set apart, what is ahead of it does.
    comma = ", " if raw[start - 1] == " " else ","
    if not strings or not lines:
        return start, end, f"[{comma.join(strings)}]"
    before = raw[start : lines[0].start]
    between = "," + before[1:] if len(before) > 1 else comma
    if len(lines) > 1:
        between = raw[lines[0].end : lines[1].start]
    return start, end, before + between.join(strings) + raw[lines[-1].end : end]


def _respelled(literal: str, text: str, spell: Callable[[str], str]) -> str:
    """Return a JSON string changed to `text`; what stays at both ends keeps its spelling."""
    units = _UNIT.findall(literal[1:-1])
    old = [unit if len(unit) == 1 else json.loads(f'"{unit}"') for unit in units]
    front = _alike(old, text)
    back = _alike(reversed(old[front:]), reversed(text[front:]))
    middle = spell(text[front : len(text) - back])[1:-1]
    return '"' + "".join(units[:front]) + middle + "".join(units[len(units) - back :]) + '"'


def _alike(old: Iterable[str], new: Iterable[str]) -> int:
    """Return how many characters are the same at the start."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(old, new, strict=False)))
