"""The machine-readable report: one JSON object, version 1 of its schema."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from deepperf import __version__
from deepperf.engine.edits import with_imports
from deepperf.engine.report import Report
from deepperf.model import Finding, Fix, Place, Problem, Span
from deepperf.output.excerpts import Excerpts
from deepperf.output.style import Style

SCHEMA_VERSION = 1


def render(report: Report, _style: Style) -> str:
    """Return the report as JSON text. It is all ASCII, so that no pipe can break it."""
    excerpts = Excerpts(report.source)
    content = {
        "version": SCHEMA_VERSION,
        "deepperf": __version__,
        "findings": [finding_record(finding, excerpts) for finding in report.findings],
        "errors": [problem_record(problem) for problem in report.problems],
        "summary": asdict(report.summary),
    }
    return json.dumps(content, indent=2) + "\n"


def finding_record(finding: Finding, excerpts: Excerpts) -> dict[str, Any]:
    """Return what the report says of one finding."""
    where = _place(finding.place)
    where.pop("message")
    return {
        "code": finding.code,
        "name": finding.name,
        "message": finding.message,
        "impact": str(finding.impact),
        "confidence": str(finding.confidence),
        **where,
        "root_cause": finding.root_cause,
        "symptoms": list(finding.symptoms),
        "stages": list(finding.stages),
        "related": [_place(place) for place in finding.related],
        "because": [_place(place) for place in finding.because],
        "hot": str(finding.hot),
        "cost": None if finding.cost is None else asdict(finding.cost),
        "advice": finding.advice,
        "effort": str(finding.effort),
        "targets": {
            target.framework: {"version": target.version, "path": target.path, "line": target.line}
            for target in finding.targets
        },
        "fix": None if finding.fix is None else _fix(finding.fix, finding.place.path, excerpts),
        "fingerprint": finding.fingerprint,
        "url": finding.url,
    }


def _place(place: Place) -> dict[str, Any]:
    return {"path": place.path, "cell": place.cell, **_span(place.span), "message": place.message}


def _span(span: Span) -> dict[str, int]:
    return {
        "line": span.line,
        "column": span.column,
        "end_line": span.end_line,
        "end_column": span.end_column,
    }


def _fix(fix: Fix, path: str, excerpts: Excerpts) -> dict[str, Any]:
    source = excerpts.source(path)
    edits = []
    if source is not None:
        for edit in with_imports(source, fix):
            place = source.place(Span(*source.lines.position(edit.start), *source.lines.position(edit.end)))
            edits.append({"path": path, "cell": place.cell, **_span(place.span), "text": edit.text})
    return {"title": fix.title, "safety": str(fix.safety), "reason": fix.reason, "edits": edits}


def problem_record(problem: Problem) -> dict[str, Any]:
    """Return what the report says of one file that could not be used."""
    return {
        "path": problem.path,
        "cell": problem.cell,
        "line": problem.line,
        "column": problem.column,
        "kind": problem.kind,
        "message": problem.message,
    }
