"""JUnit XML: each file with findings is a test suite, each finding a failed test."""

from __future__ import annotations

from itertools import groupby
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from deepperf.engine.report import Report
from deepperf.model import Finding, Problem
from deepperf.output.concise import location, problem_location
from deepperf.output.style import Style


def render(report: Report, _style: Style) -> str:
    """Return the report as XML. A run that finds nothing has one test that passed."""
    findings, problems = report.findings, report.problems
    root = Element("testsuites", name="deepperf", tests=str(max(len(findings) + len(problems), 1)))
    root.set("failures", str(len(findings)))
    root.set("errors", str(len(problems)))
    for path, group in groupby(findings, key=lambda finding: finding.place.path):
        _suite(root, path, list(group))
    if problems:
        _errors(root, problems)
    if not findings and not problems:
        suite = SubElement(root, "testsuite", name="deepperf", tests="1", failures="0", errors="0")
        SubElement(suite, "testcase", classname="deepperf", name="no problems found")
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _suite(root: Element, path: str, findings: list[Finding]) -> None:
    suite = SubElement(root, "testsuite", name=_printable(path), errors="0")
    suite.set("tests", str(len(findings)))
    suite.set("failures", str(len(findings)))
    for finding in findings:
        place = finding.place
        where = f"{'' if place.cell is None else f'cell {place.cell}:'}{place.span.line}:{place.span.column}"
        case = SubElement(suite, "testcase", classname=_printable(path), name=f"{finding.code}:{where}")
        if place.cell is None:
            case.set("line", str(place.span.line))
        failure = SubElement(case, "failure", type=finding.code, message=_printable(finding.message))
        cost = "" if finding.cost is None else f"\n{finding.cost.text}"
        failure.text = _printable(f"{location(place)}: {finding.message}{cost}\n{finding.advice}")


def _errors(root: Element, problems: tuple[Problem, ...]) -> None:
    suite = SubElement(root, "testsuite", name="files that could not be checked", failures="0")
    suite.set("tests", str(len(problems)))
    suite.set("errors", str(len(problems)))
    for problem in problems:
        case = SubElement(suite, "testcase", classname=_printable(problem.path), name=problem.kind)
        error = SubElement(case, "error", type=problem.kind, message=_printable(problem.message))
        error.text = _printable(f"{problem_location(problem)}: {problem.message}")


def _printable(text: str) -> str:
    """Leave out what XML cannot hold: control characters and halves of surrogate pairs."""
    return "".join(
        c if c in "\t\n\r" or " " <= c <= "\ud7ff" or "\ue000" <= c <= "\ufffd" or c > "\uffff" else "?"
        for c in text
    )
