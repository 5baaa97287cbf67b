"""The output formats: one file each, loaded when it is asked for."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from deepperf.engine.report import Report
    from deepperf.output.style import Style

# The format called `name` is the function `render` of the module of that name here.
FORMATS = ("text", "concise", "grouped", "json", "jsonl", "sarif", "github", "gitlab", "junit", "markdown")


def render(name: str, report: Report, style: Style) -> str:
    """Return the report in the format called `name`. `style` matters to the formats for people only."""
    text: str = importlib.import_module(f"deepperf.output.{name}").render(report, style)
    return text
