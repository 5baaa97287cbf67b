"""Ranges of versions: how they compare with specifiers."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packaging.specifiers import SpecifierSet
from packaging.version import Version

from deepperf.facts.versions import VersionRange, project_versions

_CURRENT = Version("4.4.4")


def version_range(root: Path, target: str) -> VersionRange:
    versions = project_versions(root, targets={"x": target}, current=lambda name: str(_CURRENT))
    return versions.range_of("x")


@pytest.mark.parametrize(
    ("target", "spec", "holds", "may"),
    [
        (">=2.4", ">=2.4", True, True),
        (">=2.4", ">=2.4.1", False, True),
        (">=2.4", "<4.4.5", True, True),  # An open range ends at the current release.
        (">=2.4", ">=4.5", False, False),
        ("<2.6", "<2.6", True, True),
        ("<2.6", "<=2.5", False, True),
        ("2.5", ">=2.5,<2.6", True, True),
        ("2.5.1", "!=2.5.0", True, True),
        (">=2.4,<2.6", "!=2.5", False, True),
        ("==2.4", "!=2.4", False, False),
        (">=2.4,<2.6", ">=2.6,<2.4", False, False),
        (">=2.4,!=4.4.*", ">=4.4", False, False),
        ("==2.4", "", True, True),
    ],
)
def test_comparing(tmp_path: Path, target: str, spec: str, holds: bool, may: bool) -> None:
    found = version_range(tmp_path, target)
    assert (found.holds(spec), found.may(spec)) == (holds, may)


@pytest.mark.parametrize(
    ("target", "low", "high"),
    [(">=2.4", "2.4", "4.4.4"), ("==2.4", "2.4", "2.4"), (">=2.4,<2.6", "2.4", "2.6"), ("<2.6", None, "2.6")],
)
def test_ends(tmp_path: Path, target: str, low: str | None, high: str) -> None:
    found = version_range(tmp_path, target)
    assert (found.low, found.high) == (None if low is None else Version(low), Version(high))


def test_a_specifier_of_a_rule_must_be_one(tmp_path: Path) -> None:
    found = version_range(tmp_path, ">=2.4")
    with pytest.raises(ValueError, match=r"2\.6"):
        found.holds("2.6")
    with pytest.raises(ValueError, match="new"):
        found.may(">=new")


_NUMBERS = st.lists(st.integers(0, 4), min_size=2, max_size=3).map(lambda parts: ".".join(map(str, parts)))
_PART = st.one_of(
    st.tuples(st.sampled_from([">=", "<=", ">", "<", "==", "!=", "~="]), _NUMBERS).map("".join),
    st.tuples(st.sampled_from(["==", "!="]), _NUMBERS).map(lambda pair: f"{pair[0]}{pair[1]}.*"),
)
_SPEC = st.lists(_PART, min_size=1, max_size=3).map(",".join)
# More than the specifiers speak of: a version between any two of theirs, and beyond all.
_SAMPLES = [Version(f"{a}.{b}.{c}.{d}") for a in range(6) for b in range(6) for c in range(6) for d in (0, 1)]


def _allowed(spec: str) -> list[Version]:
    return [version for version in _SAMPLES if version in SpecifierSet(spec)]


@settings(deadline=None)
@given(evidence=_SPEC, spec=_SPEC)
def test_comparing_agrees_with_samples(
    evidence: str, spec: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    found = version_range(tmp_path_factory.getbasetemp(), evidence)
    stated = [version for version in _allowed(evidence) if version <= _CURRENT]
    if not stated:
        assert found.assumed or (found.low is not None and found.low >= _CURRENT)
        return
    # Holes in what is stated are filled, since the range has but two ends.
    covered = [version for version in _SAMPLES if stated[0] <= version <= stated[-1]]
    right = [version for version in covered if version in SpecifierSet(spec)]
    assert found.holds(spec) == (right == covered)
    assert found.may(spec) == bool(right)
