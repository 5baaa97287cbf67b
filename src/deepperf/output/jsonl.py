"""One JSON object a line: each finding, then each error, then the summary; `type` says which."""

from __future__ import annotations

import json
from dataclasses import asdict

from deepperf.engine.report import Report
from deepperf.output.excerpts import Excerpts
from deepperf.output.json import SCHEMA_VERSION, finding_record, problem_record
from deepperf.output.style import Style


def render(report: Report, _style: Style) -> str:
    """Return the report as JSON lines; the records are those of the `json` format."""
    excerpts = Excerpts(report.source)
    records = [{"type": "finding", **finding_record(finding, excerpts)} for finding in report.findings]
    records += [{"type": "error", **problem_record(problem)} for problem in report.problems]
    records.append({"type": "summary", "version": SCHEMA_VERSION, **asdict(report.summary)})
    return "".join(json.dumps(record) + "\n" for record in records)
