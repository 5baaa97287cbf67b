"""Markdown for a comment on a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from deepperf.engine.report import Report
from deepperf.model import Finding, Impact, Place
from deepperf.output.concise import location, problem_location
from deepperf.output.excerpts import Excerpts
from deepperf.output.style import Style

_CONTEXT = 2
_BACKSLASH = str.maketrans({sign: f"\\{sign}" for sign in "\\*_[]<>#|~"})


def render(report: Report, _style: Style) -> str:
    """Return the report as Markdown: a table of all findings, then each with its code and what to do."""
    excerpts = Excerpts(report.source)
    return "\n".join(_lines(report, excerpts)) + "\n"


def _lines(report: Report, excerpts: Excerpts) -> Iterator[str]:
    count = len(report.findings)
    yield f"## deepperf: {'no performance problems' if not count else f'{count} performance problem' + 's' * (count > 1)} found"
    yield ""
    if count:
        impacts = Counter(finding.impact for finding in report.findings)
        yield (
            ", ".join(f"{impacts[impact]} of {impact} impact" for impact in sorted(impacts, reverse=True))
            + "."
        )
        yield ""
        yield from _table(report.findings)
    for finding in report.findings:
        yield from _finding(finding, excerpts)
    if report.problems:
        yield "### Files that could not be checked"
        yield ""
        yield from (f"- `{problem_location(p)}` {_plain(p.message)}" for p in report.problems)


def _table(findings: tuple[Finding, ...]) -> Iterator[str]:
    yield "| impact | rule | place |"
    yield "| --- | --- | --- |"
    for finding in findings:
        strong = "**" if finding.impact is Impact.HIGH else ""
        name = f"{finding.code} {finding.name}"
        yield f"| {strong}{finding.impact}{strong} | {name} | {_code(location(finding.place))} |"
    yield ""


def _finding(finding: Finding, excerpts: Excerpts) -> Iterator[str]:
    yield f"<details><summary>{finding.code} {finding.name}: <code>{_escaped(location(finding.place))}</code></summary>"
    yield ""
    yield _message(finding.message) + "."
    yield ""
    yield from _excerpt(finding.place, excerpts)
    yield from (f"- {_code(location(place))}: {_message(place.message)}" for place in finding.related)
    if finding.cost is not None:
        yield f"- Cost: {_message(finding.cost.text)}"
    yield f"- What to do: {_message(finding.advice)}"
    if finding.fix is not None:
        yield f"- Fix ({finding.fix.safety}): {_message(finding.fix.title)}. {_message(finding.fix.reason)}"
    yield ""
    yield "</details>"
    yield ""


def _excerpt(place: Place, excerpts: Excerpts) -> Iterator[str]:
    lines = list(excerpts.lines(place, _CONTEXT).values())
    if lines:
        # A fence longer than any in the code cannot be closed by it.
        fence = "`" * max(3, 1 + max(line.count("`") for line in lines))
        yield f"{fence}python"
        yield from lines
        yield fence
        yield ""


def _message(text: str) -> str:
    """Escape a message outside of the code that it quotes in backticks."""
    parts = text.split("`")
    if len(parts) % 2 == 0:
        return _plain(text)
    return "".join(
        part.translate(_BACKSLASH) if index % 2 == 0 else f"`{part}`" for index, part in enumerate(parts)
    )


def _plain(text: str) -> str:
    return text.translate(_BACKSLASH).replace("`", "\\`")


def _code(text: str) -> str:
    return "`" + text.replace("`", "'").replace("|", "\\|") + "`"


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
