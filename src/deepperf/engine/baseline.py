"""Baselines: the findings that were there when a project took up deepperf, and that are not held against it."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from deepperf.model import Finding

DEFAULT_FILE = "deepperf-baseline.json"
_VERSION = 1


class BaselineError(ValueError):
    """A baseline that cannot be read; the message names the file and says what to do."""


class Entry(NamedTuple):
    """Findings that are alike in one file. `path` is relative to the baseline's folder."""

    path: str
    fingerprint: str


class Split(NamedTuple):
    """Findings told apart: new ones, and how many of each entry were found again."""

    new: list[Finding]
    known: Counter[Entry]


class Baseline:
    """The known findings of a project, counted by file and fingerprint.

    A fingerprint holds no line and no path: a finding is known in its own file, and in another one when the file
    it was known in is gone, as after a move.
    """

    def __init__(self, file: Path, cwd: Path, counts: Counter[Entry], codes: dict[Entry, str]) -> None:
        self.file = file
        self.cwd = cwd
        self.counts = counts
        self.codes = codes

    @classmethod
    def read(cls, file: Path, cwd: Path) -> Baseline:
        """Return the baseline that a file holds; reports name paths relative to `cwd`.

        Raises:
            BaselineError: the file cannot be read, or holds no baseline.
        """
        try:
            content = json.loads(file.read_text(encoding="utf-8"))
            if content["version"] != _VERSION:
                raise BaselineError(
                    f"{file}: is a baseline of version {content['version']}; write it again with `deepperf baseline write`"
                )
            rows = [
                (Entry(row["path"], row["fingerprint"]), row["code"], int(row["count"]))
                for row in content["findings"]
            ]
        except FileNotFoundError:
            raise BaselineError(
                f"{file}: there is no baseline; make one with `deepperf baseline write`"
            ) from None
        except OSError as error:
            raise BaselineError(f"{file}: cannot be read: {error.strerror}") from None
        except (ValueError, KeyError, TypeError) as error:
            if isinstance(error, BaselineError):
                raise
            raise BaselineError(
                f"{file}: is no baseline; write it again with `deepperf baseline write`"
            ) from None
        counts: Counter[Entry] = Counter()
        for entry, _, count in rows:
            counts[entry] += count
        return cls(file, cwd, counts, {entry: code for entry, code, _ in rows})

    @classmethod
    def of(cls, findings: Iterable[Finding], file: Path, cwd: Path) -> Baseline:
        """Return the baseline that knows these findings."""
        found = cls(file, cwd, Counter(), {})
        for finding in findings:
            entry = found._entry(finding)
            found.counts[entry] += 1
            found.codes[entry] = finding.code
        return found

    def _entry(self, finding: Finding) -> Entry:
        path = os.path.relpath(self.cwd / finding.place.path, self.file.resolve().parent)
        return Entry(Path(path).as_posix(), finding.fingerprint)

    def holds(self, finding: Finding) -> bool:
        """Tell whether a finding like this one is known in its file."""
        return self.counts[self._entry(finding)] > 0

    def split(self, findings: Iterable[Finding]) -> Split:
        """Tell new findings from known ones."""
        left = self.counts.copy()
        known: Counter[Entry] = Counter()
        elsewhere: list[Finding] = []
        for finding in findings:
            entry = self._entry(finding)
            if left[entry] > 0:
                left[entry] -= 1
                known[entry] += 1
            else:
                elsewhere.append(finding)
        moved = {
            entry.fingerprint: entry for entry in sorted(left) if left[entry] > 0 and not self._exists(entry)
        }
        new = []
        for finding in elsewhere:
            old = moved.get(finding.fingerprint)
            if old is not None and left[old] > 0:
                left[old] -= 1
                known[old] += 1
            else:
                new.append(finding)
        return Split(new, known)

    def _exists(self, entry: Entry) -> bool:
        return (self.file.resolve().parent / entry.path).exists()

    def shrunk(self, known: Counter[Entry], checked: Iterable[str]) -> Baseline:
        """Return the baseline without what was not found again in the files that were checked, or that are gone."""
        folder = self.file.resolve().parent
        seen = {Path(os.path.relpath(self.cwd / path, folder)).as_posix() for path in checked}
        counts: Counter[Entry] = Counter()
        for entry, count in self.counts.items():
            counts[entry] = known[entry] if entry.path in seen or not self._exists(entry) else count
        return Baseline(self.file, self.cwd, +counts, self.codes)

    def to_text(self) -> str:
        """Return the content of the file: sorted, one finding a line, so that merges are easy."""
        rows: list[dict[str, Any]] = [
            {"path": entry.path, "code": self.codes[entry], "fingerprint": entry.fingerprint, "count": count}
            for entry, count in sorted(self.counts.items())
            if count > 0
        ]
        lines = ",\n".join("  " + json.dumps(row) for row in rows)
        body = f"[\n{lines}\n]" if rows else "[]"
        return f'{{"version": {_VERSION}, "findings": {body}}}\n'
