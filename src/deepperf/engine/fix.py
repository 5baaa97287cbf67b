"""Fixing in rounds: edits that do not overlap are applied together, and each result is checked."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deepperf.config import Settings
from deepperf.engine.edits import apply
from deepperf.engine.files import StandardInput
from deepperf.engine.report import Report
from deepperf.engine.run import Progress, Result, Run, check_all
from deepperf.model import Finding, Fix, Safety
from deepperf.source import Source, SourceError

_ROUNDS = 20


class Change(NamedTuple):
    """A file before and after the fixes, and how many fixes it got."""

    before: Source
    after: Source
    fixes: int


class Fixed(NamedTuple):
    """What fixing would give: the report of what is there before and of what is left, and the changed files.

    `refused` are the paths of files whose fixes did not work and were taken back.
    """

    before: Report
    after: Report
    changes: tuple[Change, ...]
    refused: tuple[str, ...]


class _File:
    """A file while it is being fixed."""

    def __init__(self, result: Result) -> None:
        self.result = result
        self.before: Source | None = None
        self.source: Source | None = None
        self.count = 0
        self.refused = False
        self.pending: tuple[Source, list[Finding]] | None = None

    def propose(self, run: Run, least: Safety) -> bool:
        """Make the next text from the fixes that are at least this safe; tell whether there is one."""
        self.pending = None
        shown = [f for f in self.result.findings if run.shows(f) and not run.knows(f)]
        fixable = [f for f in shown if _applies(f.fix, least)]
        if not fixable:
            return False
        try:
            source = self.source or run.source(self.result.input)
            if not source.can_edit:
                return False
        except SourceError:
            return False
        self.before, self.source = self.before or source, source
        text, applied = apply(source, fixable)
        if text == source.text:
            return False
        self.pending = source.with_text(text), applied
        return True

    def settle(self, result: Result) -> bool:
        """Take the proposed text if the check of it says that the fixes worked; tell whether it was taken."""
        assert self.pending is not None
        proposed, applied = self.pending
        left = Counter(finding.code for finding in self.result.findings)
        left.subtract(finding.code for finding in applied)
        now = Counter(finding.code for finding in result.findings)
        if len(result.problems) > len(self.result.problems) or any(now[code] > left[code] for code in now):
            self.refused = True
            return False
        self.source = proposed
        self.result = result
        self.count += len(applied)
        return True


def fix(
    paths: Sequence[str],
    settings: Settings,
    cwd: Path,
    least: Safety,
    *,
    stdin: StandardInput | None = None,
    progress: Progress | None = None,
) -> Fixed:
    """Return what the fixes that are at least `least` safe would change; nothing is written.

    Only findings that are shown are fixed. A file whose fixes do not work keeps the last text that did.

    Raises:
        MissingPath: one of the paths does not exist.
        UnknownRuleError: the settings select or ignore a rule that there is none of.
    """
    start = time.perf_counter()
    run = Run(settings, cwd)
    results = check_all(run, run.inputs(paths, stdin), progress)
    before = run.report(results)
    files = [_File(result) for result in results]
    overlay = _rounds(run, files, least)
    after = Run(settings, cwd, overlay).report(file.result for file in files)
    for report in (before, after):
        report.summary.seconds = round(time.perf_counter() - start, 3)
    changes = [Change(f.before, f.source, f.count) for f in files if f.count and f.before and f.source]
    return Fixed(
        before, after, tuple(changes), tuple(file.result.input.path for file in files if file.refused)
    )


def _rounds(run: Run, files: list[_File], least: Safety) -> dict[Path, Source]:
    """Fix files until nothing is left to fix; return the texts that then stand for those on disk."""
    overlay = dict(run.overlay)
    waiting = files
    for _ in range(_ROUNDS):
        waiting = [file for file in waiting if file.propose(run, least)]
        if not waiting:
            break
        # A fresh run: what the facts remember of a file does not hold for its new text.
        proposed = {file.pending[0].file: file.pending[0] for file in waiting if file.pending is not None}
        again = Run(run.settings, run.cwd, {**overlay, **proposed})
        waiting = [file for file in waiting if file.settle(again.check(file.result.input))]
        overlay |= {file.source.file: file.source for file in waiting if file.source is not None}
    return overlay


def _applies(fix: Fix | None, least: Safety) -> bool:
    return fix is not None and fix.safety >= max(least, Safety.UNSAFE)
