"""`deepperf rules`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import Any


def run(arguments: Sequence[str]) -> int:
    """List the rules and return the exit code."""
    parser = argparse.ArgumentParser(prog="deepperf rules", description="List the rules.", allow_abbrev=False)
    parser.add_argument("--output-format", choices=("text", "json"), default="text", help="default: text")
    options = parser.parse_args(arguments)
    from deepperf.rules.registry import ENTRIES, load

    records = [_record(rule) for rule in load(ENTRIES)]
    if options.output_format == "json":
        import json

        print(json.dumps(records, indent=2))
    else:
        sys.stdout.write(_table(records))
    return 0


def _record(rule: Any) -> dict[str, Any]:
    return {
        "code": rule.code,
        "name": rule.slug,
        "title": rule.title(),
        "impact": str(rule.impact),
        "effort": str(rule.effort),
        "fix": rule.has_fix(),
        "frameworks": dict(rule.frameworks),
        "root_cause": rule.root_cause,
        "symptoms": list(rule.symptoms),
        "stages": list(rule.stages),
        "since": rule.since,
    }


def _table(records: list[dict[str, Any]]) -> str:
    head = ("Code", "Name", "Impact", "Fix", "What it finds")
    rows = [(r["code"], r["name"], r["impact"], "yes" if r["fix"] else "no", r["title"]) for r in records]
    widths = [max(len(row[column]) for row in (head, *rows)) for column in range(len(head) - 1)]
    lines = [
        "  ".join([*(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=False)), row[-1]])
        for row in (head, *rows)
    ]
    return "\n".join([*lines, "", "`deepperf explain CODE` says more about a rule."]) + "\n"
