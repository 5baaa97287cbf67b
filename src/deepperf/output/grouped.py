"""A line for each finding under the name of its file."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from deepperf.engine.report import Report
from deepperf.output.concise import problem_location
from deepperf.output.style import Style


def render(report: Report, style: Style) -> str:
    """Return the report as text."""
    return "".join(line + "\n" for line in _lines(report, style))


def _lines(report: Report, style: Style) -> Iterator[str]:
    for path, findings in groupby(report.findings, key=lambda finding: finding.place.path):
        yield style("bold", path)
        for finding in findings:
            place = finding.place
            cell = "" if place.cell is None else f"cell {place.cell}:"
            yield f"  {cell}{place.span.line}:{place.span.column}  {finding.code} {finding.message}"
        yield ""
    for problem in report.problems:
        yield f"{problem_location(problem)}: error: {problem.message} [{problem.kind}]"
