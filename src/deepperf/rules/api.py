"""All that a rule author imports."""

from deepperf.facts.loops import Loop
from deepperf.facts.pipelines import Step
from deepperf.facts.site import Site
from deepperf.knowledge import since
from deepperf.model import Confidence, Cost, Edit, Effort, Finding, Fix, Hot, Impact, Place, Safety
from deepperf.rules.rule import Bad, Good, Rule, call, method

__all__ = [
    "Bad",
    "Confidence",
    "Cost",
    "Edit",
    "Effort",
    "Finding",
    "Fix",
    "Good",
    "Hot",
    "Impact",
    "Loop",
    "Place",
    "Rule",
    "Safety",
    "Site",
    "Step",
    "call",
    "method",
    "since",
]
