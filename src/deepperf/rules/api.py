"""All that a rule author imports."""

from deepperf.facts.loops import Loop
from deepperf.facts.pipelines import Step
from deepperf.facts.site import Operator, Site, Spot
from deepperf.knowledge import since
from deepperf.model import Confidence, Cost, Edit, Effort, Finding, Fix, Hot, Impact, Place, Safety
from deepperf.rules.rule import Bad, Good, Rule, call, method, operator

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
    "Operator",
    "Place",
    "Rule",
    "Safety",
    "Site",
    "Spot",
    "Step",
    "call",
    "method",
    "operator",
    "since",
]
