"""Annotations for GitHub Actions: workflow commands that the runner turns into notes on the changed lines.

Source: GitHub documentation, "Workflow commands for GitHub Actions".
"""

from __future__ import annotations

from deepperf.engine.report import Report
from deepperf.model import Finding, Impact, Problem
from deepperf.output.excerpts import Excerpts
from deepperf.output.style import Style

_LEVELS = {Impact.HIGH: "error", Impact.MEDIUM: "warning", Impact.LOW: "notice"}


def render(report: Report, _style: Style) -> str:
    """Return a workflow command for each finding and error."""
    excerpts = Excerpts(report.source)
    lines = [_finding(finding, excerpts) for finding in report.findings]
    lines += [_problem(problem) for problem in report.problems]
    return "".join(line + "\n" for line in lines)


def _finding(finding: Finding, excerpts: Excerpts) -> str:
    line = excerpts.file_line(finding.place)
    properties = {"file": finding.place.path, "line": line, "title": f"{finding.code} {finding.name}"}
    span = finding.place.span
    if finding.place.cell is None:
        properties["endLine"] = span.end_line
        # Columns are for findings on one line; the end is the last character.
        if span.line == span.end_line:
            properties["col"] = span.column
            properties["endColumn"] = max(span.end_column - 1, span.column)
    parts = (finding.message, finding.cost and finding.cost.text, finding.advice)
    return _command(_LEVELS[finding.impact], properties, "\n".join(part for part in parts if part))


def _problem(problem: Problem) -> str:
    properties: dict[str, object] = {"file": problem.path, "title": f"deepperf: {problem.kind}"}
    if problem.line is not None and problem.cell is None:
        properties["line"] = problem.line
    return _command("error", properties, problem.message)


def _command(level: str, properties: dict[str, object], message: str) -> str:
    given = ",".join(f"{name}={_property(str(value))}" for name, value in properties.items())
    return f"::{level} {given}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
