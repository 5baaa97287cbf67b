"""What can be set."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from deepperf.model import Confidence, Impact
from deepperf.source import DEFAULT_EXCLUDE

FRAMEWORKS = ("tensorflow", "keras", "torch", "lightning", "transformers", "datasets", "accelerate", "jax")


@dataclass(frozen=True)
class Settings:
    """The settings of a run. `targets` are framework versions given on the command line, `configured` those of the file."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    respect_gitignore: bool = True
    pedantic: bool = False
    min_confidence: Confidence | None = None
    fail_on: Impact = Impact.LOW
    targets: Mapping[str, str] = field(default_factory=dict)
    configured: Mapping[str, str] = field(default_factory=dict)
