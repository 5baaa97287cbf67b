"""Times the slow and the fast form of a piece of code side by side, for the measurements of the rules.

Needs TensorFlow, which deepperf itself never imports: `pip install tensorflow-cpu`, then
`python benches/rules/tf101.py`.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import time
from collections.abc import Callable
from importlib.metadata import version

RUNS = 5
Form = Callable[[], object]


def compare(rule: str, what: str, slow: Form, fast: Form, **more: object) -> None:
    """Run both forms in turn, after one warm-up of each, and print their medians as one JSON object.

    `spread` is the largest distance from slowest to fastest run, as a share of the median. `load_before` is
    how busy the machine was with other work: 1 is one core. `more` is printed as it is.
    """
    times: dict[Form, list[float]] = {slow: [], fast: []}
    load = os.getloadavg()[0]
    for form in times:
        form()
    for _ in range(RUNS):
        for form, found in times.items():
            start = time.perf_counter()
            form()
            found.append(time.perf_counter() - start)
    medians = {form: statistics.median(found) for form, found in times.items()}
    result = {
        "rule": rule,
        "what": what,
        "slow_seconds": round(medians[slow], 4),
        "fast_seconds": round(medians[fast], 4),
        "factor": round(medians[slow] / medians[fast], 2),
        "runs": RUNS,
        "spread": round(max((max(found) - min(found)) / medians[form] for form, found in times.items()), 2),
        "versions": {"tensorflow": version("tensorflow-cpu"), "python": platform.python_version()},
        "cpu_count": os.cpu_count(),
        "load_before": round(load, 2),
        **more,
    }
    print(json.dumps(result), flush=True)
