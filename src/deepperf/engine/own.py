"""Findings about deepperf's own comments: those that silence nothing, and those that name no rule."""

from __future__ import annotations

import re
from collections.abc import Iterator

from deepperf.model import Confidence, Edit, Finding, Fix, Place, Safety, Span
from deepperf.rules.own.unknown_suppression import UnknownSuppression
from deepperf.rules.own.unused_suppression import UnusedSuppression
from deepperf.rules.registry import ENTRIES, codes_for
from deepperf.rules.rule import Rule
from deepperf.source import Source
from deepperf.source.suppressions import Suppression

Silenced = tuple[Suppression, str]


class Comments:
    """The comments of a file that silence findings, and which of their words did."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._used: set[Silenced] = set()

    def note(self, code: str, slug: str, *lines: int) -> None:
        """Note that there is a finding of a rule on these lines."""
        for suppression in self.source.suppressions.covering(code, slug, *lines):
            self._used.update((suppression, name) for name in (code.lower(), slug.lower(), "*"))

    def name(self, finding: Finding) -> bool:
        """Tell whether a comment on the line of one of these findings names its rule; one without names is judged itself."""
        line = self.source.raw_line(finding.place)
        covering = self.source.suppressions.covering(finding.code, finding.name, line)
        return any(suppression.names is not None for suppression in covering)

    def findings(self, enabled: frozenset[str]) -> Iterator[Finding]:
        """Yield what is wrong with the comments. A word is judged only if all rules that it stands for are enabled."""
        for suppression in self.source.suppressions.found:
            names = suppression.names
            if names is None:
                if enabled >= ENTRIES.keys() and (suppression, "*") not in self._used:
                    yield self._finding(
                        UnusedSuppression, suppression, f"`{_short(suppression)}` silences nothing", None
                    )
                continue
            unknown = sorted(name for name in names if not _codes(name))
            if unknown and UnknownSuppression.code in enabled:
                words = ", ".join(f"`{name}`" for name in unknown)
                yield self._finding(UnknownSuppression, suppression, f"there is no rule {words}", None)
            unused = {name for name in names if self._is_unused(suppression, name, enabled)}
            if unused and UnusedSuppression.code in enabled:
                words = ", ".join(f"`{name.upper()}`" for name in sorted(unused))
                kept = [] if unused == names else sorted(names - unused)
                yield self._finding(UnusedSuppression, suppression, f"{words} silences nothing here", kept)

    def _is_unused(self, suppression: Suppression, name: str, enabled: frozenset[str]) -> bool:
        codes = _codes(name)
        own = {UnusedSuppression.code, UnknownSuppression.code}
        if not codes or not codes <= enabled or codes & own:
            return False
        return all(
            (suppression, word) not in self._used
            for code in codes
            for word in (code.lower(), ENTRIES[code].slug)
        )

    def _finding(
        self, rule: type[Rule], suppression: Suppression, message: str, kept: list[str] | None
    ) -> Finding:
        import hashlib  # It is dear to load, and most runs find nothing.

        line = self.source.line_text(suppression.line)
        start = line.rfind(suppression.text) + 1
        span = Span(suppression.line, start, suppression.line, start + len(suppression.text))
        place = self.source.place(span)
        key = "\n".join((rule.code, suppression.text))
        return Finding(
            code=rule.code,
            name=rule.slug,
            message=message,
            impact=rule.impact,
            confidence=Confidence.HIGH,
            place=place,
            root_cause=rule.root_cause,
            symptoms=rule.symptoms,
            stages=rule.stages,
            because=(place.note("the comment"),),
            advice="Take it out."
            if rule is UnusedSuppression
            else "Correct the name; `deepperf rules` lists them.",
            fix=self._fix(place, span, suppression, kept) if rule is UnusedSuppression else None,
            fingerprint=hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()[:16],
        )

    def _fix(self, place: Place, span: Span, suppression: Suppression, kept: list[str] | None) -> Fix:
        """Return the fix that takes the comment out, or the names that silence nothing."""
        lines = self.source.lines
        begin, end = (
            lines.starts[span.line - 1] + span.column - 1,
            lines.starts[span.line - 1] + span.end_column - 1,
        )
        if kept:
            text = re.sub(
                r"\[[^\]]*\]", f"[{', '.join(name.upper() for name in kept)}]", suppression.text, count=1
            )
            return Fix(
                "Name only what is there", (Edit(begin, end, text),), Safety.SAFE, "Comments do nothing."
            )
        line = self.source.line_text(span.line)
        before = line[: span.column - 1].rstrip()
        if before or line[span.end_column - 1 :].strip():
            begin -= len(line[: span.column - 1]) - len(before)
        return Fix("Take the comment out", (Edit(begin, end, ""),), Safety.SAFE, "Comments do nothing.")


def _codes(word: str) -> frozenset[str]:
    """Return the rules that a word of a comment means: a code or a slug, no prefix."""
    return frozenset(code for code in codes_for(word) if word.lower() in (code.lower(), ENTRIES[code].slug))


def _short(suppression: Suppression) -> str:
    return suppression.text if len(suppression.text) <= 40 else suppression.text[:37] + "..."
