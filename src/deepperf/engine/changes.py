"""What changed since a revision, as git tells it: files, and lines in them."""

from __future__ import annotations

import os
import re
from functools import cache
from pathlib import Path

_HUNK = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)


class ChangesError(ValueError):
    """git cannot say what changed; the message says why."""


class Changes:
    """The files and lines of the working tree that differ from where its branch left a revision's."""

    def __init__(self, revision: str, folder: Path) -> None:
        """Ask git about the repository around a folder.

        Raises:
            ChangesError: there is no git, no repository, or no such revision.
        """
        if revision.startswith("-"):
            raise ChangesError(f"--since: {revision!r} is no revision")
        self.top = Path(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel")).strip())
        commit = _git(
            folder, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}", "--", what=revision
        )
        base = _try(folder, "merge-base", "HEAD", commit.split()[0].decode())
        self.base = (base or commit).split()[0].decode()
        changed = _git(self.top, "diff", "--name-only", "-z", "--no-renames", self.base, "--")
        self.untracked = self._paths(_git(self.top, "ls-files", "--others", "--exclude-standard", "-z"))
        self.files = self._paths(changed) | self.untracked
        self.lines = cache(self._lines)

    def _paths(self, listed: bytes) -> frozenset[Path]:
        return frozenset((self.top / os.fsdecode(name)).resolve() for name in listed.split(b"\0") if name)

    def _lines(self, file: Path) -> tuple[range, ...]:
        """Return the changed lines of a file; all of them where git does not know it."""
        if file in self.untracked:
            return (range(1, 1 << 30),)
        if file not in self.files:
            return ()
        patch = _git(
            self.top, "diff", "--unified=0", "--no-color", "--no-ext-diff", self.base, "--", str(file)
        )
        hunks = [(int(start), int(count) if count else 1) for start, count in _HUNK.findall(patch)]
        return tuple(range(start, start + count) for start, count in hunks)

    def touches(self, file: Path, first: int, last: int) -> bool:
        """Tell whether one of the lines `first` to `last` of a file changed."""
        return any(lines.start <= last and first < lines.stop for lines in self.lines(file))


def _git(folder: Path, *arguments: str, what: str = "") -> bytes:
    import subprocess

    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, check=False)
    except OSError as error:
        raise ChangesError(f"--since needs git: {error.strerror}") from None
    if done.returncode:
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ").split("\n")[0]
        raise ChangesError(f"--since: {said or f'git knows no revision {what!r}'}")
    return done.stdout


def _try(folder: Path, *arguments: str) -> bytes | None:
    try:
        return _git(folder, *arguments)
    except ChangesError:
        return None
