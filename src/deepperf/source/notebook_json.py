"""Changing strings inside a JSON text without touching anything else in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from json.decoder import scanstring
from typing import NamedTuple

Path = tuple[str | int, ...]
_SPACE = re.compile(r"[ \t\r\n]*")
_ATOM = re.compile(r"[^\s,\]}]+")


class Value(NamedTuple):
    """Where a value stands in the text."""

    path: Path
    start: int
    end: int


def replace_sources(raw: str, changed: dict[Path, str]) -> str:
    """Return a notebook's JSON with the texts at these paths replaced; a list of lines stays a list of lines."""
    if not changed:
        return raw
    ascii_only = raw.isascii() and "\\u" in raw
    places = list(_values(raw, 0, ()))
    edits: list[tuple[int, int, str]] = []
    for path, text in changed.items():
        value = next(found for found in places if found.path == path)
        if raw[value.start] == "[":
            lines = [found for found in places if found.path[:-1] == path and len(found.path) == len(path) + 1]
            edits.append((value.start, value.end, _list(raw, value, lines, text, ascii_only)))
        else:
            edits.append((value.start, value.end, json.dumps(text, ensure_ascii=ascii_only)))
    for start, end, new in sorted(edits, reverse=True):
        raw = raw[:start] + new + raw[end:]
    return raw


def _list(raw: str, value: Value, lines: list[Value], text: str, ascii_only: bool) -> str:
    strings = [json.dumps(line, ensure_ascii=ascii_only) for line in text.splitlines(keepends=True)]
    old = [raw[line.start : line.end] for line in lines]
    # Unchanged lines keep their spelling.
    known = {json.loads(spelled): spelled for spelled in old}
    strings = [known.get(json.loads(spelled), spelled) for spelled in strings]
    if not lines:
        return "[" + ", ".join(strings) + "]"
    before = raw[value.start : lines[0].start]
    after = raw[lines[-1].end : value.end]
    between = raw[lines[0].end : lines[1].start] if len(lines) > 1 else "," + before[1:]
    return before + between.join(strings) + after


def _skip(raw: str, place: int) -> int:
    match = _SPACE.match(raw, place)
    return match.end() if match else place


def _values(raw: str, place: int, path: Path) -> Iterator[Value]:
    """Yield every value of a JSON text that is known to be valid, inner ones first."""
    place = _skip(raw, place)
    start = place
    sign = raw[place]
    if sign in "{[":
        place = _skip(raw, place + 1)
        index = 0
        while raw[place] not in "}]":
            key: str | int = index
            if sign == "{":
                key, place = scanstring(raw, place + 1, False)
                place = _skip(raw, place) + 1
            last = Value(path, place, place)
            for last in _values(raw, place, (*path, key)):
                yield last
            place = _skip(raw, last.end)
            if raw[place] == ",":
                place = _skip(raw, place + 1)
            index += 1
        place += 1
    elif sign == '"':
        _, place = scanstring(raw, place + 1, False)
    else:
        match = _ATOM.match(raw, place)
        place = match.end() if match else place + 1
    yield Value(path, start, place)
