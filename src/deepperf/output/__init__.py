"""The output formats: one file each, loaded when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deepperf.engine.report import Report
    from deepperf.output.style import Style

FORMATS = ("text", "concise", "json")


def render(name: str, report: Report, style: Style) -> str:
    """Return the report in the format called `name`. `style` matters to the text format only."""
    if name == "json":
        from deepperf.output import json

        return json.render(report)
    if name == "concise":
        from deepperf.output import concise

        return concise.render(report)
    from deepperf.output import text

    return text.render(report, style)
