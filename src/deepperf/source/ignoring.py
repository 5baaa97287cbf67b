"""Which files are left out: patterns of the configuration and of `.gitignore` files, in one language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_PLAIN_NAME = re.compile(r"[\w.-]+/?")


class Ignored(NamedTuple):
    """The patterns of one ignore file. `base` is its folder with a slash at the end, `/`-separated."""

    base: str
    spec: GitIgnoreSpec

    def decide(self, path: str) -> bool | None:
        """Tell whether a path (a folder's ends with a slash) is left out, None where no pattern knows it."""
        if not path.startswith(self.base):
            return None
        return self.spec.check_file(path[len(self.base) :]).include


def ignore_file(folder: Path) -> Ignored | None:
    """Return the patterns of a folder's `.gitignore`, None if it has none that can be read."""
    try:
        text = (folder / ".gitignore").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    return Ignored(folder_name(folder), spec(text.splitlines()))


def is_ignored(path: str, ignored: Iterable[Ignored]) -> bool:
    """Tell whether ignore files, outer ones first, leave a path out: the innermost that knows it decides."""
    decisions = [found for one in ignored if (found := one.decide(path)) is not None]
    return bool(decisions) and decisions[-1]


def folder_name(folder: Path) -> str:
    """Return a folder's path with one slash at the end, as ignore files need it."""
    return folder.as_posix().rstrip("/") + "/"


def spec(patterns: Iterable[str]) -> GitIgnoreSpec:
    """Return the patterns as one; those that make no sense count for nothing."""
    from pathspec import GitIgnoreSpec

    patterns = list(patterns)
    try:
        return GitIgnoreSpec.from_lines(patterns)
    except ValueError:
        if len(patterns) == 1:
            return GitIgnoreSpec.from_lines([])
    return GitIgnoreSpec([*(found for one in patterns for found in spec([one]).patterns)])


class Excluded:
    """The patterns of a configuration. Most are plain names, which need no matching."""

    def __init__(self, patterns: Sequence[str], base: Path) -> None:
        self._names = {pattern.rstrip("/") for pattern in patterns if _PLAIN_NAME.fullmatch(pattern)}
        others = [pattern for pattern in patterns if not _PLAIN_NAME.fullmatch(pattern)]
        self._ignored = Ignored(folder_name(base), spec(others)) if others else None

    def holds(self, path: str, name: str) -> bool:
        """Tell whether a path (that of a folder ends with a slash) or its last part, `name`, is left out."""
        return name in self._names or (self._ignored is not None and bool(self._ignored.decide(path)))
