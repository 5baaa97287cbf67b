"""Releases of the frameworks, what came when, and the words by which a file shows that it uses one."""

from __future__ import annotations

from deepperf.knowledge._tables import MARKERS, RELEASES, SINCE


def frameworks() -> tuple[str, ...]:
    """Return the names of the frameworks that the tables know."""
    return tuple(RELEASES)


def current_release(framework: str) -> str:
    """Return the version that is assumed where a project says nothing.

    Raises:
        KeyError: the framework is not known.
    """
    return RELEASES[framework][0]


def release_seen(framework: str) -> str:
    """Return the date (ISO 8601) on which the current release of a framework was looked up.

    Raises:
        KeyError: the framework is not known.
    """
    return RELEASES[framework][1]


def since(fact: str) -> str:
    """Return the first version for which a fact holds: `since("tensorflow.autotune-root")` is "2.4".

    Raises:
        KeyError: the fact is not in the tables.
    """
    return SINCE[fact]


def framework_markers(framework: str) -> tuple[bytes, ...]:
    """Return byte strings one of which occurs in every file that uses the framework.

    Raises:
        KeyError: the framework is not known.
    """
    return MARKERS[framework]
