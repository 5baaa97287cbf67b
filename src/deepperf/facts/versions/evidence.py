"""Weighing what speaks of a framework's version."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from deepperf.facts.versions.files import stated_in
from deepperf.facts.versions.ranges import Interval, VersionRange, exactly, known_versions
from deepperf.model import Target

if TYPE_CHECKING:
    from packaging.version import Version


class Versions:
    """The version ranges of one project, read when they are asked for.

    `given` are versions that the user gave; `current` returns a framework's current release.
    """

    def __init__(self, root: Path, given: Mapping[str, Target], current: Callable[[str], str]) -> None:
        self.root = root
        self._given = given
        self._current = current
        self._ranges: dict[tuple[str, Path, str | None], VersionRange] = {}
        self._stated: dict[Path, list[list[Target]]] = {}

    def range_of(
        self, framework: str, *, file: Path | None = None, code_evidence: str | None = None
    ) -> VersionRange:
        """Return the versions of a framework that `file` (None: the project) is for.

        `code_evidence` is a specifier such as `<2` that the code's own use speaks for. It counts where
        nothing else says a version.
        """
        folder = file.parent if file is not None else self.root
        key = (framework, folder, code_evidence)
        if key not in self._ranges:
            self._ranges[key] = self._find(framework, folder, code_evidence)
        return self._ranges[key]

    def _find(self, framework: str, folder: Path, code_evidence: str | None) -> VersionRange:
        from packaging.version import Version

        current = Version(self._current(framework))
        for group in self._groups(framework, folder, code_evidence):
            known = [(target, interval) for target in group if (interval := _interval(target, current))]
            if known:
                start = min(interval.start for _, interval in known)
                end = max(interval.end for _, interval in known)
                first = known[0][0]
                return VersionRange(framework, Interval(start, end), first.path, first.line)
        return VersionRange(framework, exactly(current), assumed=True)

    def _groups(self, framework: str, folder: Path, code_evidence: str | None) -> Iterator[list[Target]]:
        """Yield what is said of a framework, what counts most first; what one group says counts alike."""
        if framework in self._given:
            yield [self._given[framework]]
        for place in self._folders(folder.resolve()):
            if place not in self._stated:
                self._stated[place] = stated_in(place, self.root)
            for group in self._stated[place]:
                yield [target for target in group if target.framework == framework]
        if code_evidence is not None:
            yield [Target(framework, code_evidence, "code")]

    def _folders(self, folder: Path) -> list[Path]:
        """Return the folders whose files may speak for `folder`: itself and those above it up to the root."""
        if self.root != folder and self.root not in folder.parents:
            return [self.root]
        folders = [folder, *folder.parents]
        return folders[: folders.index(self.root) + 1]


def _interval(target: Target, current: Version) -> Interval | None:
    try:
        return known_versions(target.version, current)
    except ValueError:
        return None


def project_versions(
    root: Path,
    *,
    targets: Mapping[str, str] | None = None,
    configured: Mapping[str, Target] | None = None,
    current: Callable[[str], str],
) -> Versions:
    """Return the versions of the project below `root`.

    `targets` are versions from the command line by framework, `configured` those of the configuration file:
    a version such as `2.4` or a specifier such as `>=2.4,<2.8`. `current` returns a framework's current
    release.
    """
    given = {name: Target(name, word, "--target") for name, word in (targets or {}).items()}
    return Versions(root.resolve(), {**(configured or {}), **given}, current)
