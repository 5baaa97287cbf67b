"""`deepperf explain CODE`."""

from __future__ import annotations

import argparse
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from deepperf.cli.errors import UsageError

if TYPE_CHECKING:
    from deepperf.output.style import Style
    from deepperf.rules.rule import Rule


def run(arguments: Sequence[str]) -> int:
    """Explain rules and return the exit code."""
    parser = argparse.ArgumentParser(
        prog="deepperf explain",
        description="Explain a rule: why it is slow, what to do, when it is fine.",
        allow_abbrev=False,
    )
    parser.add_argument(
        "rule", metavar="CODE", help="a code such as TF202, or a name such as serial-dataset-map"
    )
    options = parser.parse_args(arguments)
    from deepperf.engine.select import UnknownRuleError, select
    from deepperf.output.style import style_for
    from deepperf.rules.registry import load

    try:
        rules = load(select([options.rule], ()).codes)
    except UnknownRuleError as error:
        raise UsageError(str(error)) from None
    style = style_for(sys.stdout)
    sys.stdout.write("\n".join("\n".join(explanation(rule, style)) + "\n" for rule in rules))
    return 0


def explanation(rule: type[Rule], style: Style) -> Iterator[str]:
    """Yield the lines that explain a rule."""
    yield style("bold", f"{rule.code} {rule.slug}")
    fix = "has a fix" if rule.has_fix() else "no fix"
    frameworks = ", ".join(f"{name} {versions}".strip() for name, versions in rule.frameworks.items())
    yield f"{rule.impact} impact, {fix}, for {frameworks}"
    yield ""
    yield from _sections(rule, style)
    if rule.cost is not None:
        yield from _section("What it costs", rule.cost.text, style)
    yield from _examples(rule, style)
    yield from [style("blue", "Taxonomy"), ""]
    yield f"  root cause: {rule.root_cause}"
    yield from _wrapped(f"symptoms: {', '.join(rule.symptoms)}", style)
    yield from _wrapped(f"stages: {', '.join(rule.stages)}", style)
    yield from ["", style("blue", "Evidence"), ""]
    yield from (f"  {where}" for where in rule.evidence)


def _sections(rule: type[Rule], style: Style) -> Iterator[str]:
    """Yield the docstring, each paragraph wrapped to the width of the terminal."""
    for paragraph in inspect.cleandoc(rule.__doc__ or "").split("\n\n"):
        heading, _, rest = paragraph.partition("\n") if paragraph.startswith("## ") else ("", "", paragraph)
        if heading:
            yield from [style("blue", heading.removeprefix("## ")), ""]
        if rest:
            yield from [*_wrapped(rest, style), ""]


def _section(heading: str, text: str, style: Style) -> Iterator[str]:
    yield from [style("blue", heading), "", *_wrapped(text, style), ""]


def _wrapped(text: str, style: Style) -> list[str]:
    return textwrap.wrap(
        text,
        style.width,
        initial_indent="  ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _examples(rule: type[Rule], style: Style) -> Iterator[str]:
    from deepperf.rules.rule import Bad

    for example in rule.examples:
        if isinstance(example, Bad):
            yield from _code("Slow", example.source, style)
            if example.fixed is not None:
                yield from _code("After the fix", re.sub(r" *# <- .*", "", example.fixed), style)
        else:
            yield from _code(f"Fine: {example.why}", example.source, style)


def _code(heading: str, source: str, style: Style) -> Iterator[str]:
    yield from [style("blue", heading), ""]
    yield from (f"    {line}".rstrip() for line in source.rstrip().splitlines())
    yield ""
