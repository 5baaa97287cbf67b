"""What deepperf knows of each framework: names, what they give and do, dataset methods, releases.

The knowledge is written in `data/FRAMEWORK/*.toml`; `python -m deepperf.knowledge.build` turns it into the
modules of `_tables`, which are all that is read at run time.
"""

from deepperf.knowledge.api import IMPURE, Api, DatasetMethod
from deepperf.knowledge.lookup import (
    dataset_method,
    dataset_sources,
    is_dataset_source,
    is_method_name,
    lookup,
    makers,
    method,
    method_result,
)
from deepperf.knowledge.names import canonical, is_framework_root
from deepperf.knowledge.versions import current_release, framework_markers, frameworks, release_seen, since

__all__ = [
    "IMPURE",
    "Api",
    "DatasetMethod",
    "canonical",
    "current_release",
    "dataset_method",
    "dataset_sources",
    "framework_markers",
    "frameworks",
    "is_dataset_source",
    "is_framework_root",
    "is_method_name",
    "lookup",
    "makers",
    "method",
    "method_result",
    "release_seen",
    "since",
]
