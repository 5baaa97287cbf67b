"""The documentation says what the code says."""

import json
import re
import runpy
from pathlib import Path

import pytest

from deepperf.config.schema import KEYS
from deepperf.output import FORMATS
from deepperf.rules import _index
from deepperf.rules.registry import ENTRIES, load, scan

ROOT = Path(__file__).parent.parent


def test_pages_of_rules_are_fresh() -> None:
    pages = runpy.run_path(str(ROOT / "docs" / "build.py"))["pages"]()
    for name, text in pages.items():
        assert (ROOT / "docs" / "rules" / name).read_text(encoding="utf-8") == text, (
            "run `python docs/build.py`"
        )


def test_index_of_rules_is_fresh() -> None:
    assert tuple(tuple(entry) for entry in sorted(scan())) == _index.RULES, "run `python -m deepperf.rules`"


def test_measured_costs_are_those_of_the_stored_results() -> None:
    results = json.loads((ROOT / "benches" / "rules" / "results.json").read_text(encoding="utf-8"))["results"]
    for rule in load(ENTRIES):
        if rule.cost is None or rule.cost.factor is None:
            continue
        factors = [result["factor"] for result in results if result["rule"] == rule.code]
        assert any(abs(factor - rule.cost.factor) <= 0.05 * factor for factor in factors), rule.code


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "CONTRIBUTING.md",
        "docs/design.md",
        "docs/json.md",
        "docs/api.md",
        "docs/formats.md",
        "docs/configuration.md",
        "docs/baseline.md",
        "docs/suppressions.md",
    ],
)
def test_links_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (ROOT / page).parent.joinpath(target).exists(), target


def test_the_page_of_formats_names_them_all() -> None:
    page = (ROOT / "docs" / "formats.md").read_text(encoding="utf-8")
    assert tuple(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == FORMATS


def test_the_page_of_the_configuration_names_every_key() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (`[^|]+) \|", page, re.MULTILINE)
    assert tuple(name for row in rows for name in re.findall(r"`([\w-]+)`", row)) == tuple(KEYS)
