"""Which framework versions a project is for, read from its own files. Nothing of a project is ever run."""

from deepperf.facts.versions.evidence import Versions, project_versions
from deepperf.facts.versions.ranges import VersionRange

__all__ = ["VersionRange", "Versions", "project_versions"]
