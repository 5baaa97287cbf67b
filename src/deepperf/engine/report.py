"""What a run gives: findings, problems, and the counts of the summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from deepperf.engine.baseline import Entry
from deepperf.model import Finding, Problem, Safety
from deepperf.source import Source


@dataclass
class Summary:
    """The counts of a run. `seconds` is wall time; `cached` counts files whose findings came from a cache."""

    files: int = 0
    files_analysed: int = 0
    lines: int = 0
    findings: int = 0
    fixable: int = 0
    seconds: float = 0.0
    cached: int = 0
    hidden: int = 0
    suppressed: int = 0
    baselined: int = 0


@dataclass(frozen=True)
class Report:
    """The result of a run.

    `findings` are those that are shown, in reading order. `source` gives the source of a path as findings
    spell it, and raises `SourceError`. `timings` are seconds by code of the rule, `paths` the files that were
    checked, `known` the entries of the baseline that were found again.
    """

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    summary: Summary
    source: Callable[[str], Source]
    timings: Mapping[str, float] = field(default_factory=dict)
    paths: tuple[str, ...] = ()
    known: Counter[Entry] = field(default_factory=Counter)

    @property
    def failed(self) -> bool:
        """Whether deepperf itself failed somewhere."""
        return any(problem.kind == "internal" for problem in self.problems)


def is_fixable(finding: Finding) -> bool:
    """Tell whether a finding has a fix that can be applied."""
    return finding.fix is not None and finding.fix.safety > Safety.DISPLAY
