"""The report for people."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import groupby

from deepperf.engine.report import Report
from deepperf.model import Finding, Fix, Impact, Place, Problem, Safety
from deepperf.output.concise import location, problem_location
from deepperf.output.excerpts import Excerpts
from deepperf.output.style import Style

_INDENT = "  "
_CONTEXT = 2
_COLOURS = {Impact.HIGH: "red", Impact.MEDIUM: "yellow", Impact.LOW: "cyan"}
_CURES = {
    "unreadable": "Check that the file is there and may be read.",
    "syntax": "Correct it, or leave the file out with --extend-exclude.",
    "notebook": "Open it in Jupyter and save it again, or leave the file out with --extend-exclude.",
    "internal": "This is an error in deepperf, not in your code. Please report it with this line.",
}


def render(report: Report, style: Style) -> str:
    """Return the report as text for a terminal."""
    excerpts = Excerpts(report.source)
    lines: list[str] = []
    for path, findings in groupby(report.findings, key=lambda finding: finding.place.path):
        lines += [style("bold", path), ""]
        for finding in findings:
            lines += [*_finding(finding, excerpts, style), ""]
    if report.problems:
        lines += [style("bold", "Errors"), "", *_problems(report.problems, style), ""]
    lines += _summary(report, style)
    return "\n".join(lines) + "\n"


def _finding(finding: Finding, excerpts: Excerpts, style: Style) -> Iterator[str]:
    impact = f"{finding.impact} impact"
    for line in _wrapped(f"{finding.code} {finding.name}: {impact}, {finding.confidence} confidence", style):
        coloured = line.replace(impact, style(_COLOURS[finding.impact], impact), 1)
        yield coloured.replace(finding.code, style("bold", finding.code), 1)
    yield from _wrapped(f"{location(finding.place)}: {finding.message}", style)
    yield from excerpts.frame(finding.place, style, context=_CONTEXT, indent=_INDENT)
    for place in finding.related:
        yield from _related(place, finding.place, excerpts, style)
    if finding.cost is not None:
        yield from _labelled("Cost:", _cost(finding), style)
    if finding.advice:
        yield from _labelled("Do:", finding.advice, style)
    if finding.fix is not None:
        yield from _labelled("Fix:", _fix(finding.fix), style)
    if finding.targets:
        yield from _labelled("For:", _targets(finding), style)


def _related(place: Place, main: Place, excerpts: Excerpts, style: Style) -> Iterator[str]:
    """Yield a related place, with its line of code where the frame of the finding does not show it."""
    yield from _wrapped(f"{location(place)}: {place.message}", style)
    is_shown = (place.path, place.cell) == (main.path, main.cell) and abs(
        place.span.line - main.span.line
    ) <= _CONTEXT
    if not is_shown:
        yield from excerpts.frame(place, style, context=0, indent=_INDENT)


def _cost(finding: Finding) -> str:
    cost = finding.cost
    assert cost is not None
    return cost.text + (f" ({cost.source})" if cost.source else "")


def _fix(fix: Fix) -> str:
    how = {
        Safety.SAFE: "safe, apply it with --fix.",
        Safety.UNSAFE: "may change what the program does, apply it with --fix --unsafe-fixes.",
        Safety.DISPLAY: "only a suggestion, it is never applied.",
    }
    return f"{fix.title}: {how[fix.safety]} {fix.reason}".rstrip()


def _targets(finding: Finding) -> str:
    parts = []
    for target in finding.targets:
        where = "assumed" if target.path is None else target.path + (f":{target.line}" if target.line else "")
        parts.append(f"{target.framework} {target.version} ({where})")
    return ", ".join(parts)


def _labelled(label: str, text: str, style: Style) -> Iterator[str]:
    first = _INDENT + f"{label:<6}"
    lines = textwrap.wrap(
        text,
        style.width,
        initial_indent=first,
        subsequent_indent=" " * len(first),
        break_long_words=False,
        break_on_hyphens=False,
    )
    yield from (
        line.replace(label, style("green", label), 1) if n == 0 else line for n, line in enumerate(lines)
    )


def _wrapped(text: str, style: Style) -> list[str]:
    return textwrap.wrap(
        text,
        style.width,
        initial_indent=_INDENT,
        subsequent_indent=_INDENT * 2,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _problems(problems: tuple[Problem, ...], style: Style) -> Iterator[str]:
    for problem in problems:
        cure = _CURES.get(problem.kind, "")
        yield from _wrapped(
            f"{problem_location(problem)}: {problem.message.rstrip('.')}. {cure}".rstrip(), style
        )


def _summary(report: Report, style: Style) -> Iterator[str]:
    summary = report.summary
    if not summary.files:
        yield "No Python files or notebooks found."
        return
    analysed = f"{summary.files_analysed:,} with a framework that deepperf knows"
    checked = f"{_count(summary.files, 'file')} checked, {analysed}"
    found = _count(summary.findings, "problem") if summary.findings else "No problems"
    yield style("bold" if summary.findings else "green", f"{found} found") + f" ({checked})."
    safe = sum(f.fix is not None and f.fix.safety is Safety.SAFE for f in report.findings)
    if safe:
        yield f"--fix repairs {safe}."
    if summary.fixable > safe:
        yield f"--fix --unsafe-fixes repairs {summary.fixable - safe}{' more' if safe else ''}."
    if summary.hidden:
        hidden = _count(summary.hidden, "finding")
        yield f"{hidden} hidden, with low impact or confidence: --pedantic shows them."
    if summary.suppressed:
        yield f"{_count(summary.suppressed, 'finding')} silenced by comments."
    if summary.baselined:
        yield f"{_count(summary.baselined, 'finding')} noted in the baseline."
    if report.problems:
        yield style("red", f"{_count(len(report.problems), 'error')}: see above.")


def _count(number: int, word: str) -> str:
    return f"{number:,} {word}" + ("" if number == 1 else "s")
