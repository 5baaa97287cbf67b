"""From what rules yield to what a report shows: duplicates, fingerprints, order, the law of what is shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from deepperf.model import Confidence, Finding, Impact

Position = tuple[str, int, object]


class Visibility(NamedTuple):
    """What is shown: by default the findings of medium impact and medium confidence and more.

    `named` are the codes whose findings are shown however low they are. `confidence` is a floor the user set.
    """

    pedantic: bool = False
    confidence: Confidence | None = None
    named: frozenset[str] = frozenset()

    def shows(self, finding: Finding) -> bool:
        """Tell whether a finding is shown."""
        if self.confidence is not None and finding.confidence < self.confidence:
            return False
        if self.pedantic or finding.code in self.named:
            return True
        return finding.impact >= Impact.MEDIUM and finding.confidence >= (
            self.confidence or Confidence.MEDIUM
        )


def reading_order(finding: Finding) -> tuple[object, ...]:
    """The key that sorts findings by path, place and code."""
    place = finding.place
    return (place.path, place.cell or 0, place.span, finding.code, finding.message)


def settle(found: Iterable[Finding], yields_to: Mapping[str, tuple[str, ...]]) -> list[Finding]:
    """Return the findings of one file in reading order, one for each problem, with their final fingerprints.

    `yields_to` says for each code which rules speak instead of it where both report the same place.
    """
    best: dict[tuple[str, Position], Finding] = {}
    for finding in sorted(found, key=reading_order):
        key = (finding.code, _position(finding))
        other = best.get(key)
        if other is None or (finding.impact, finding.confidence) > (other.impact, other.confidence):
            best[key] = finding
    kept = [finding for finding in best.values() if not _yields(finding, best, yields_to)]
    return _numbered(sorted(kept, key=reading_order))


def _position(finding: Finding) -> Position:
    place = finding.place
    return (place.path, place.cell or 0, place.span)


def _yields(
    finding: Finding, others: Mapping[tuple[str, Position], Finding], yields_to: Mapping[str, tuple[str, ...]]
) -> bool:
    """Tell whether another rule speaks of the same problem, and no less visibly."""
    default = Visibility()
    for code in yields_to.get(finding.code, ()):
        other = others.get((code, _position(finding)))
        if other is not None and (default.shows(other) or not default.shows(finding)):
            return True
    return False


def _numbered(findings: list[Finding]) -> list[Finding]:
    """Tell findings with equal statements apart by their order in the file."""
    import hashlib  # It is dear to load, and most runs find nothing.

    seen: Counter[str] = Counter()
    numbered = []
    for finding in findings:
        key = f"{finding.fingerprint}\n{seen[finding.fingerprint]}"
        seen[finding.fingerprint] += 1
        numbered.append(replace(finding, fingerprint=hashlib.sha256(key.encode()).hexdigest()[:16]))
    return numbered
