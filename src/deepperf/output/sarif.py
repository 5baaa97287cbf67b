"""SARIF 2.1.0, for code scanning services and viewers.

Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
"""

from __future__ import annotations

import inspect
import json
from typing import Any
from urllib.parse import quote

from deepperf import __version__
from deepperf.engine.edits import with_imports
from deepperf.engine.report import Report
from deepperf.model import Finding, Fix, Impact, Place, Problem, Safety, Span
from deepperf.output.excerpts import Excerpts
from deepperf.output.style import Style
from deepperf.rules.registry import load
from deepperf.rules.rule import Rule

_SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
_LEVELS = {Impact.HIGH: "error", Impact.MEDIUM: "warning", Impact.LOW: "note"}


def render(report: Report, _style: Style) -> str:
    """Return the report as a SARIF log with one run."""
    codes = sorted({finding.code for finding in report.findings})
    driver = {
        "name": "deepperf",
        "version": __version__,
        "semanticVersion": __version__,
        "rules": [_rule(rule) for rule in load(codes)],
    }
    excerpts = Excerpts(report.source)
    run = {
        "tool": {"driver": driver},
        # Columns are those of the code, not of a web page's UTF-16.
        "columnKind": "unicodeCodePoints",
        "originalUriBaseIds": {"SRCROOT": {"description": {"text": "The folder that deepperf ran in."}}},
        "invocations": [_invocation(report)],
        "results": [_result(finding, codes.index(finding.code), excerpts) for finding in report.findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2) + "\n"


def _rule(rule: type[Rule]) -> dict[str, Any]:
    text = inspect.cleandoc(rule.__doc__ or "")
    return {
        "id": rule.code,
        "name": "".join(word.capitalize() for word in rule.slug.split("-")),
        "shortDescription": {"text": rule.title()},
        "fullDescription": {"text": rule.title()},
        "help": {"text": text.replace("## ", ""), "markdown": text},
        "defaultConfiguration": {"level": _LEVELS[rule.impact]},
        "properties": {"tags": ["performance", rule.root_cause, *rule.symptoms], "stages": list(rule.stages)},
    }


def _invocation(report: Report) -> dict[str, Any]:
    return {
        "executionSuccessful": not report.failed,
        "toolExecutionNotifications": [_notification(problem) for problem in report.problems],
    }


def _notification(problem: Problem) -> dict[str, Any]:
    physical: dict[str, Any] = {"artifactLocation": _artifact(problem.path)}
    if problem.line is not None and problem.cell is None:
        physical["region"] = {"startLine": problem.line}
    return {
        "descriptor": {"id": problem.kind},
        "level": "error",
        "message": {"text": f"{problem.path} {problem.message}"},
        "locations": [{"physicalLocation": physical}],
    }


def _result(finding: Finding, rule_index: int, excerpts: Excerpts) -> dict[str, Any]:
    parts = (f"{finding.message}.", finding.cost and finding.cost.text, finding.advice)
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule_index,
        "level": _LEVELS[finding.impact],
        "message": {"text": " ".join(part for part in parts if part)},
        "locations": [_location(finding.place, excerpts)],
        "partialFingerprints": {"deepperf/v1": finding.fingerprint},
        "properties": {
            "impact": str(finding.impact),
            "confidence": str(finding.confidence),
            "hot": str(finding.hot),
            "cell": finding.place.cell,
            "rootCause": finding.root_cause,
        },
    }
    if finding.related:
        result["relatedLocations"] = [
            {"id": number, **_location(place, excerpts)} for number, place in enumerate(finding.related, 1)
        ]
        flow = [*finding.related, finding.place.note(finding.message)]
        steps = [{"location": _location(place, excerpts)} for place in flow]
        result["codeFlows"] = [{"threadFlows": [{"locations": steps}]}]
    # The edits of a notebook are places in cells, which regions of its JSON cannot name.
    if finding.fix is not None and finding.fix.safety > Safety.DISPLAY and finding.place.cell is None:
        result["fixes"] = [_fix(finding.fix, finding.place.path, excerpts)]
    return result


def _location(place: Place, excerpts: Excerpts) -> dict[str, Any]:
    span = place.span
    region = _region(span) if place.cell is None else {"startLine": excerpts.file_line(place)}
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(place.path), "region": region}
    }
    if place.message:
        cell = "" if place.cell is None else f" (cell {place.cell}, line {span.line})"
        location["message"] = {"text": place.message + cell}
    return location


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _artifact(path: str) -> dict[str, str]:
    return {"uri": quote(path.encode("utf-8", "surrogateescape")), "uriBaseId": "SRCROOT"}


def _fix(fix: Fix, path: str, excerpts: Excerpts) -> dict[str, Any]:
    source = excerpts.source(path)
    replacements = []
    for edit in with_imports(source, fix) if source is not None else ():
        span = Span(*source.lines.position(edit.start), *source.lines.position(edit.end))  # type: ignore[union-attr]
        replacements.append({"deletedRegion": _region(span), "insertedContent": {"text": edit.text}})
    change = {"artifactLocation": _artifact(path), "replacements": replacements}
    return {
        "description": {"text": f"{fix.title} ({fix.safety}). {fix.reason}".strip()},
        "artifactChanges": [change],
    }
