"""Which framework versions a project is for, read from its own files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from deepperf.facts.version_files import Requirement, metadata_files, read_requirements
from deepperf.model import Target

if TYPE_CHECKING:
    from packaging.version import Version

# The distributions that bring a framework.
_DISTRIBUTIONS = {
    "tensorflow": "tensorflow tensorflow-gpu tensorflow-cpu tf-nightly tf-nightly-gpu tensorflow-macos intel-tensorflow "
    "tensorflow-intel tensorflow-rocm tensorflow-mkl",
    "keras": "keras",
    "torch": "torch pytorch pytorch-cpu pytorch-gpu",
    "lightning": "lightning pytorch-lightning",
    "jax": "jax jaxlib",
    "transformers": "transformers",
    "datasets": "datasets",
    "accelerate": "accelerate",
}
FRAMEWORK_OF = {name: framework for framework, names in _DISTRIBUTIONS.items() for name in names.split()}


class VersionRange:
    """The versions of a framework from `low` to `high`, both included. `low` None: no lower limit is known.

    `source` and `line` say where that was read; `assumed` that nothing says it and the current release was taken.
    """

    def __init__(
        self,
        framework: str,
        low: Version | None,
        high: Version,
        *,
        source: str | None = None,
        line: int | None = None,
        assumed: bool = False,
    ) -> None:
        self.framework = framework
        self.low = low
        self.high = high
        self.source = source
        self.line = line
        self.assumed = assumed
        self._held: dict[str, tuple[bool, bool]] = {}

    def __repr__(self) -> str:
        return f"<{self.framework} {self.words}>"

    def holds(self, spec: str) -> bool:
        """Tell whether every version of the range satisfies a specifier such as `<2.6` or `>=2.0,<2.6`."""
        return self._compare(spec)[0]

    def may(self, spec: str) -> bool:
        """Tell whether some version of the range satisfies a specifier."""
        return self._compare(spec)[1]

    def _compare(self, spec: str) -> tuple[bool, bool]:
        known = self._held.get(spec)
        if known is None:
            parts = [self._one(part.strip()) for part in spec.split(",") if part.strip()]
            known = (all(every for every, _ in parts), self._some([p.strip() for p in spec.split(",")]))
            self._held[spec] = known
        return known

    def _one(self, spec: str) -> tuple[bool, bool]:
        """Compare with one bound: an ordered range satisfies it everywhere if it does at the near end."""
        from packaging.version import Version

        sign = spec.rstrip("0123456789.")
        bound = Version(spec[len(sign) :])
        if sign == ">=":
            return self.low is not None and self.low >= bound, self.high >= bound
        if sign == "<":
            return self.high < bound, self.low is None or self.low < bound
        raise ValueError(f"{spec!r}: only >= and < are compared")

    def _some(self, parts: list[str]) -> bool:
        from packaging.version import Version

        lows = [Version(part[2:]) for part in parts if part.startswith(">=")]
        highs = [Version(part[1:]) for part in parts if part.startswith("<")]
        low = max([*lows, *([self.low] if self.low is not None else [])], default=None)
        if low is not None and low > self.high:
            return False
        return low is None or all(low < bound for bound in highs)

    @property
    def words(self) -> str:
        """The range in words: `2.4 to 2.21`, `2.21`."""
        if self.low == self.high:
            return str(self.high)
        return f"{self.low} to {self.high}" if self.low is not None else f"up to {self.high}"

    def target(self) -> Target:
        """Return the record that a finding carries."""
        return Target(self.framework, self.words, self.source, self.line)


class Versions:
    """The version ranges of one project.

    `targets` and `configured` are versions given by hand; `current` gives a framework's current release.
    """

    def __init__(
        self,
        root: Path,
        *,
        targets: Mapping[str, str],
        configured: Mapping[str, str],
        current: Callable[[str], str],
    ) -> None:
        self.root = root
        self.targets = targets
        self.configured = configured
        self._current = current
        self._known: dict[tuple[str, Path], VersionRange] = {}

    def range_of(self, framework: str, *, file: Path | None = None) -> VersionRange:
        """Return the versions of a framework that `file` (or the project) is for."""
        folder = file.parent if file is not None else self.root
        key = (framework, folder)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._find(framework, folder)
        return known

    def _find(self, framework: str, folder: Path) -> VersionRange:
        for given, source in ((self.targets, "--target"), (self.configured, "configuration")):
            if framework in given:
                return self._from_specifiers(framework, [Requirement("", _as_specifier(given[framework]), source, None)])
        for place in self._folders(folder):
            found = [r for r in self._requirements(place) if FRAMEWORK_OF.get(r.name) == framework and r.specifier]
            for rank in sorted({r.rank for r in found}):
                chosen = [r for r in found if r.rank == rank]
                ranges = [r for r in chosen if r.specifier]
                if ranges:
                    return self._from_specifiers(framework, ranges)
        from packaging.version import Version

        now = Version(self._current(framework))
        return VersionRange(framework, now, now, assumed=True)

    def _folders(self, folder: Path) -> list[Path]:
        """Return the folders whose files may speak for `folder`: itself and those above it, up to the root."""
        if self.root != folder and self.root not in folder.parents:
            return [self.root]
        found = [folder]
        while found[-1] != self.root:
            found.append(found[-1].parent)
        return found

    @cached_property
    def _read(self) -> dict[Path, list[Requirement]]:
        return {}

    def _requirements(self, folder: Path) -> list[Requirement]:
        if folder not in self._read:
            found: list[Requirement] = []
            for file, rank in metadata_files(folder):
                found.extend(read_requirements(file, self.root, rank))
            self._read[folder] = found
        return self._read[folder]

    def _from_specifiers(self, framework: str, found: list[Requirement]) -> VersionRange:
        """Return the range that covers what each of the requirements allows."""
        from packaging.version import Version

        now = Version(self._current(framework))
        bounds = [_bounds(requirement.specifier, now) for requirement in found]
        lows = [low for low, _ in bounds]
        low = None if any(bound is None for bound in lows) else min(bound for bound in lows if bound is not None)
        high = max(high for _, high in bounds)
        first = found[0]
        return VersionRange(framework, low, high, source=first.path, line=first.line)


def _as_specifier(word: str) -> str:
    """A bare version given by hand stands for the whole of its minor release."""
    word = word.strip()
    return word if word[:1] in "<>=~!" else f"=={word}"


def _bounds(specifier: str, now: Version) -> tuple[Version | None, Version]:
    """Return the lowest and highest version a specifier allows, counting releases by their first two numbers."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet
    from packaging.version import InvalidVersion, Version

    low: Version | None = None
    high: Version | None = None
    try:
        parts = list(SpecifierSet(specifier))
    except (InvalidSpecifier, InvalidVersion):
        return None, now
    for part in parts:
        try:
            version = Version(part.version.removesuffix(".*"))
        except InvalidVersion:
            continue
        if part.operator in ("==", "==="):
            low = high = version
        elif part.operator == "~=":
            low = version
            limit = Version(".".join(map(str, version.release[:-1])))
            high = _below_next(limit)
        elif part.operator in (">=", ">"):
            low = version if low is None else max(low, version)
        elif part.operator == "<=":
            high = version
        elif part.operator == "<":
            high = _just_below(version)
    if high is None:
        high = now if low is None or low <= now else low
    return low, high


def _just_below(version: Version) -> Version:
    """Return a version that stands for "the last one before": 2.6 becomes 2.5.9999, 2 becomes 1.9999."""
    from packaging.version import Version

    release = list(version.release)
    while len(release) > 1 and release[-1] == 0:
        release.pop()
    release[-1] = max(release[-1] - 1, 0)
    return Version(".".join(map(str, [*release, 9999])))


def _below_next(version: Version) -> Version:
    from packaging.version import Version

    return Version(f"{version}.9999")


def project_versions(
    root: Path,
    *,
    targets: Mapping[str, str] | None = None,
    configured: Mapping[str, str] | None = None,
    current: Callable[[str], str],
) -> Versions:
    """Return the versions of the project below `root`."""
    return Versions(root.resolve(), targets=targets or {}, configured=configured or {}, current=current)
