"""From bytes on disk to text, syntax trees and places."""

from deepperf.source.discovery import (
    DEFAULT_EXCLUDE,
    MissingPath,
    Roots,
    discover,
    is_excluded,
    project_root,
)
from deepperf.source.source import Source, SourceError, read_source
from deepperf.source.suppressions import Suppressions
from deepperf.source.writing import write_bytes, write_source

__all__ = [
    "DEFAULT_EXCLUDE",
    "MissingPath",
    "Roots",
    "Source",
    "SourceError",
    "Suppressions",
    "discover",
    "is_excluded",
    "project_root",
    "read_source",
    "write_bytes",
    "write_source",
]
