"""A code quality report for GitLab.

Source: GitLab documentation, "Code Quality report format".
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from deepperf.engine.report import Report
from deepperf.model import Finding, Impact, Problem
from deepperf.output.excerpts import Excerpts
from deepperf.output.style import Style

_SEVERITIES = {Impact.HIGH: "critical", Impact.MEDIUM: "major", Impact.LOW: "minor"}


def render(report: Report, _style: Style) -> str:
    """Return the report as a JSON list; each entry has a fingerprint of its own."""
    excerpts = Excerpts(report.source)
    entries = [_finding(finding, excerpts) for finding in report.findings]
    entries += [_problem(problem) for problem in report.problems]
    return json.dumps(entries, indent=2) + "\n"


def _finding(finding: Finding, excerpts: Excerpts) -> dict[str, Any]:
    begin = excerpts.file_line(finding.place)
    end = begin + finding.place.span.end_line - finding.place.span.line
    # GitLab takes findings with equal fingerprints for one: the path keeps copies of a file apart.
    key = f"{finding.place.path}\n{finding.fingerprint}"
    return {
        "description": f"{finding.code} {finding.name}: {finding.message}. {finding.advice}".strip(),
        "check_name": finding.code,
        "fingerprint": hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest(),
        "severity": _SEVERITIES[finding.impact],
        "categories": ["Performance"],
        "location": {"path": finding.place.path, "lines": {"begin": begin, "end": end}},
    }


def _problem(problem: Problem) -> dict[str, Any]:
    key = f"{problem.path}\n{problem.kind}\n{problem.cell}\n{problem.message}"
    return {
        "description": f"deepperf: {problem.path} {problem.message}",
        "check_name": f"deepperf-{problem.kind}",
        "fingerprint": hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest(),
        "severity": "info",
        "categories": ["Performance"],
        "location": {"path": problem.path, "lines": {"begin": problem.line or 1}},
    }
