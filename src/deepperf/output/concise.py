"""One line for each finding and error, for grep and editors."""

from __future__ import annotations

from deepperf.engine.report import Report
from deepperf.model import Place, Problem
from deepperf.output.style import Style


def location(place: Place) -> str:
    """Return a place as `path:line:column`, in a notebook as `path:cell N:line:column`."""
    cell = "" if place.cell is None else f"cell {place.cell}:"
    return f"{place.path}:{cell}{place.span.line}:{place.span.column}"


def problem_location(problem: Problem) -> str:
    """Return where a problem is, as far as that is known."""
    parts = [problem.path]
    if problem.cell is not None:
        parts.append(f"cell {problem.cell}")
    parts += [str(number) for number in (problem.line, problem.column) if number is not None]
    return ":".join(parts)


def render(report: Report, _style: Style) -> str:
    """Return the report as text."""
    lines = [
        f"{location(f.place)}: {f.code} {f.message} [{f.impact} impact, {f.confidence} confidence]"
        for f in report.findings
    ]
    lines += [f"{problem_location(p)}: error: {p.message} [{p.kind}]" for p in report.problems]
    return "".join(line + "\n" for line in lines)
