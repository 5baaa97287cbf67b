"""Small rules with a plain behaviour, for the tests of the engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from deepperf.facts.site import Site
from deepperf.model import Confidence, Edit, Finding, Fix, Impact, Safety
from deepperf.rules.registry import Entry
from deepperf.rules.rule import Bad, Good, Rule, call, method

_PARTS: dict[str, Any] = {
    "__doc__": "A rule.\n\n## Why it is slow\n.\n\n## What to do\n.\n\n## When it is fine\n.",
    "impact": Impact.MEDIUM,
    "root_cause": "inefficient-api-usage",
    "symptoms": ("slow-execution-time",),
    "stages": ("training",),
    "frameworks": {"tensorflow": ">=1.0"},
    "evidence": (),
    "since": "0.1",
    "examples": (Bad("x = 1"), Good("x = 2", why="fine")),
    "__module__": __name__,
}


def _rule(name: str, code: str, slug: str, check: Any, **parts: Any) -> Any:
    return type(name, (Rule,), {**_PARTS, "code": code, "slug": slug, "check": check, **parts})


def _report(self: Rule, site: Site, **more: Any) -> Finding:
    return self.found(site, f"{site.spelled} is called", advice="", because=(site.place(),), **more)


@call("tensorflow.identity")
def _unwrap(self: Rule, site: Site) -> Iterator[Finding]:
    start, end = site.source.bounds(site.node)
    inner = site.source.segment(site.node.args[0])
    yield _report(self, site, fix=Fix("Unwrap", (Edit(start, end, inner),), Safety.SAFE, ""))


@call("tensorflow.identity")
def _report_too(self: Rule, site: Site) -> Iterator[Finding]:
    yield _report(self, site)


@call("tensorflow.zeros")
def _unsure(self: Rule, site: Site) -> Iterator[Finding]:
    yield _report(self, site, confidence=Confidence.LOW)


@call("tensorflow.ones")
def _break(self: Rule, site: Site) -> Iterator[Finding]:
    yield _report(self, site)
    raise KeyError("a bug")


@call("tensorflow.cast")
def _break_syntax(self: Rule, site: Site) -> Iterator[Finding]:
    start, _ = site.source.bounds(site.node)
    yield _report(self, site, fix=Fix("Break", (Edit(start, start, ")"),), Safety.SAFE, ""))


@call("tensorflow.tile")
def _change_nothing(self: Rule, site: Site) -> Iterator[Finding]:
    _, end = site.source.bounds(site.node)
    yield _report(self, site, fix=Fix("Space", (Edit(end, end, " "),), Safety.SAFE, ""))


@call("tensorflow.abs")
def _use_math(self: Rule, site: Site) -> Iterator[Finding]:
    start, end = site.source.bounds(site.node.func)
    edit = Edit(start, end, "math.fabs")
    yield _report(self, site, fix=Fix("Use math", (edit,), Safety.UNSAFE, "", imports=("import math",)))


@method("map", on="dataset")
def _see_map(self: Rule, site: Site) -> Iterator[Finding]:
    yield _report(self, site)


@call(effect="random")
def _see_random(self: Rule, site: Site) -> Iterator[Finding]:
    yield _report(self, site)


Unwrap = _rule("Unwrap", "ZZ101", "identity-call", _unwrap)
ReportToo = _rule("ReportToo", "ZZ102", "identity-again", _report_too, yields_to=("ZZ101",))
Unsure = _rule("Unsure", "ZZ103", "unsure-zeros", _unsure)
Broken = _rule("Broken", "ZZ104", "broken-rule", _break)
BreaksSyntax = _rule("BreaksSyntax", "ZZ105", "broken-fix", _break_syntax)
Stubborn = _rule("Stubborn", "ZZ106", "stubborn-tile", _change_nothing)
UsesMath = _rule("UsesMath", "ZZ107", "slow-abs", _use_math)
SeesMap = _rule("SeesMap", "ZZ201", "any-map", _see_map)
SeesRandom = _rule("SeesRandom", "ZZ202", "any-random", _see_random)
RULES = (Unwrap, ReportToo, Unsure, Broken, BreaksSyntax, Stubborn, UsesMath, SeesMap, SeesRandom)
ENTRIES = {
    rule.code: Entry(rule.code, rule.slug, __name__, rule.__name__, tuple(rule.frameworks)) for rule in RULES
}
