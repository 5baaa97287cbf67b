"""Write the pages of the rules from the rule classes: `python docs/build.py`."""

from __future__ import annotations

import inspect
from pathlib import Path

from deepperf.rules.registry import ENTRIES, load
from deepperf.rules.rule import Bad, Rule

FOLDER = Path(__file__).parent / "rules"


def page(rule: type[Rule]) -> str:
    """Return the Markdown page of one rule."""
    frameworks = ", ".join(f"{name} {versions}" for name, versions in rule.frameworks.items())
    lines = [
        f"# {rule.code} {rule.slug}",
        "",
        f"Impact: {rule.impact}. Root cause: {rule.root_cause}. For: {frameworks}. "
        f"Fix: {'yes' if rule.has_fix() else 'in words'}.",
        "",
        inspect.cleandoc(rule.__doc__ or ""),
        "",
    ]
    if rule.cost is not None:
        lines += ["## What it costs", "", f"{rule.cost.text} (`{rule.cost.source}`)", ""]
    lines += ["## Examples", ""]
    for example in rule.examples:
        if isinstance(example, Bad):
            lines += ["Reported:", "", "```python", example.source.rstrip(), "```", ""]
            if example.fixed is not None:
                lines += ["After the fix:", "", "```python", example.fixed.rstrip(), "```", ""]
        else:
            lines += [f"Fine, {example.why}:", "", "```python", example.source.rstrip(), "```", ""]
    lines += ["## Evidence", "", *(f"- {item}" for item in rule.evidence)]
    return "\n".join(lines) + "\n"


def index() -> str:
    """Return the Markdown page that lists all rules."""
    rows = [f"| [{r.code}]({r.code}.md) | `{r.slug}` | {r.impact} | {r.title()} |" for r in load(ENTRIES)]
    return (
        "\n".join(["# The rules", "", "| code | name | impact | |", "| --- | --- | --- | --- |", *rows])
        + "\n"
    )


def pages() -> dict[str, str]:
    """Return the text of each page by its file name."""
    return {"index.md": index(), **{f"{rule.code}.md": page(rule) for rule in load(ENTRIES)}}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, text in pages().items():
        (FOLDER / name).write_text(text, encoding="utf-8")
