"""deepperf finds performance problems in deep-learning code.

What stands in `__all__` is the public interface; `docs/api.md` tells how to use it. Each name is loaded when it
is first asked for, so that `import deepperf` costs nothing.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from deepperf.config import ConfigError, Settings, load_settings
    from deepperf.engine.report import Report, Summary
    from deepperf.engine.run import check
    from deepperf.engine.select import UnknownRuleError
    from deepperf.model import (
        Confidence,
        Cost,
        Edit,
        Finding,
        Fix,
        Impact,
        Place,
        Problem,
        Safety,
        Span,
        Target,
    )
    from deepperf.source import MissingPath

__version__ = "0.1.0"

_HOMES = {
    "deepperf.config": ("ConfigError", "Settings", "load_settings"),
    "deepperf.engine.report": ("Report", "Summary"),
    "deepperf.engine.run": ("check",),
    "deepperf.engine.select": ("UnknownRuleError",),
    "deepperf.model": (
        *("Confidence", "Cost", "Edit", "Finding", "Fix", "Impact"),
        *("Place", "Problem", "Safety", "Span", "Target"),
    ),
    "deepperf.source": ("MissingPath",),
}

__all__ = [
    "Confidence",
    "ConfigError",
    "Cost",
    "Edit",
    "Finding",
    "Fix",
    "Impact",
    "MissingPath",
    "Place",
    "Problem",
    "Report",
    "Safety",
    "Settings",
    "Span",
    "Summary",
    "Target",
    "UnknownRuleError",
    "__version__",
    "check",
    "load_settings",
]


def __getattr__(name: str) -> Any:
    for home, names in _HOMES.items():
        if name in names:
            return getattr(importlib.import_module(home), name)
    raise AttributeError(f"module 'deepperf' has no attribute {name!r}")
