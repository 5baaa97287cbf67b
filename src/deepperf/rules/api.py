"""All that a rule author imports."""

from deepperf.facts.loops import Loop
from deepperf.facts.pipelines import Step
from deepperf.facts.site import FunctionSpot, LoopSpot, Operator, Site, Spot, StoreSpot
from deepperf.knowledge import since
from deepperf.model import Confidence, Cost, Edit, Effort, Finding, Fix, Hot, Impact, Place, Safety
from deepperf.rules.rule import Bad, Good, Rule, call, function, instance, loop, method, operator, store

__all__ = [
    "Bad",
    "Confidence",
    "Cost",
    "Edit",
    "Effort",
    "Finding",
    "Fix",
    "FunctionSpot",
    "Good",
    "Hot",
    "Impact",
    "Loop",
    "LoopSpot",
    "Operator",
    "Place",
    "Rule",
    "Safety",
    "Site",
    "Spot",
    "Step",
    "StoreSpot",
    "call",
    "function",
    "instance",
    "loop",
    "method",
    "operator",
    "since",
    "store",
]
