"""Pure data that every layer speaks in. Imports nothing of deepperf."""

from deepperf.model import taxonomy
from deepperf.model.finding import Cost, Edit, Finding, Fix, Problem, Target
from deepperf.model.levels import Confidence, Effort, Hot, Impact, Safety
from deepperf.model.places import Place, Span

__all__ = [
    "Confidence",
    "Cost",
    "Edit",
    "Effort",
    "Finding",
    "Fix",
    "Hot",
    "Impact",
    "Place",
    "Problem",
    "Safety",
    "Span",
    "Target",
    "taxonomy",
]
