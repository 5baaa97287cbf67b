"""Ranges of versions, and how they compare with specifiers such as `>=2.4,<2.6`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from deepperf.model import Target

if TYPE_CHECKING:
    from packaging.version import Version


class Cut(NamedTuple):
    """A place on the line of versions: right before `version`, or right after it."""

    version: Version
    after: bool


class Interval(NamedTuple):
    """The versions between two cuts."""

    start: Cut
    end: Cut


@dataclass(frozen=True, slots=True)
class VersionRange:
    """The versions of a framework that code is for.

    `source` and `line` say where that was read: a path relative to the project's root, `--target`, or `code`.
    `assumed` tells that nothing says it and the current release was taken.
    """

    framework: str
    interval: Interval
    source: str | None = None
    line: int | None = None
    assumed: bool = False

    @property
    def low(self) -> Version | None:
        """The lowest version, None if no lower limit is known."""
        start = self.interval.start
        return None if start == _everything().start else start.version

    @property
    def high(self) -> Version:
        """The highest version, or the first one beyond the range if the range ends before it."""
        return self.interval.end.version

    def holds(self, spec: str) -> bool:
        """Tell whether every version of the range satisfies a specifier such as `<2.6` or `>=2.0,<2.6`.

        Raises:
            ValueError: `spec` is no specifier.
        """
        return _meet([self.interval], _pieces(spec)) == [self.interval]

    def may(self, spec: str) -> bool:
        """Tell whether some version of the range satisfies a specifier.

        Raises:
            ValueError: `spec` is no specifier.
        """
        return bool(_meet([self.interval], _pieces(spec)))

    @property
    def words(self) -> str:
        """The range in words: `2.21`, `2.4 to 2.21`, `2.4 to before 2.6`, `before 2`, `up to 2.5`."""
        start, end = self.interval
        low, high = _shown(start.version), _shown(end.version)
        if self.low is None:
            return f"up to {high}" if end.after else f"before {high}"
        if low == high or end == Cut(_next(_trimmed(start.version)), False):
            return low
        return f"{low} to {high}" if end.after else f"{low} to before {high}"

    def target(self) -> Target:
        """Return the record that a finding carries."""
        return Target(self.framework, self.words, self.source, self.line)


def known_versions(spec: str, current: Version) -> Interval | None:
    """Return the stretch of versions that a specifier allows and that exist, None if there is none.

    A bare version such as `2.4` stands for all of its releases: 2.4.0, 2.4.1 and so on. Versions above the
    `current` release do not exist; only if the specifier allows no other, the lowest of them is taken.

    Raises:
        ValueError: `spec` is no specifier.
    """
    pieces = _pieces(spec if spec[:1] in "<>=!~" else f"=={_release(spec)}.*")
    if not pieces:
        return None
    existing = _meet(pieces, [Interval(_everything().start, Cut(current, True))])
    if existing:
        return Interval(existing[0].start, existing[-1].end)
    start, end = pieces[0]
    return Interval(start, min(end, Cut(_next(start.version.release), False)))


def exactly(version: Version) -> Interval:
    """Return the stretch that holds one version."""
    return Interval(Cut(version, False), Cut(version, True))


@cache
def _everything() -> Interval:
    from packaging.version import Version

    # Below and above all that a framework has ever called a release.
    return Interval(Cut(Version("0"), False), Cut(Version("1!0"), False))


@cache
def _pieces(spec: str) -> list[Interval]:
    """Return the stretches of versions that satisfy a specifier, in order."""
    from packaging.specifiers import SpecifierSet

    pieces = [_everything()]
    for part in SpecifierSet(spec):
        pieces = _meet(pieces, _allowed(part.operator, part.version))
    return pieces


def _allowed(operator: str, word: str) -> list[Interval]:
    """Return the stretches that one comparison allows. Releases in the making count as the release."""
    bottom, top = _everything()
    version = _release(word.removesuffix(".*"))
    before, after = Cut(version, False), Cut(version, True)
    if word.endswith(".*"):
        after = Cut(_next(version.release), False)
    if operator == "~=":
        after = Cut(_next(version.release[:-1]), False)
    if operator == "!=":
        return [Interval(bottom, before), Interval(after, top)]
    starts = {">=": before, ">": after, "<=": bottom, "<": bottom}
    ends = {">=": top, ">": top, "<=": after, "<": before}
    return [Interval(starts.get(operator, before), ends.get(operator, after))]


def _meet(some: list[Interval], others: list[Interval]) -> list[Interval]:
    """Return the stretches that two ordered lists have in common, in order."""
    pairs = (Interval(max(a.start, b.start), min(a.end, b.end)) for a in some for b in others)
    return [pair for pair in pairs if pair.start < pair.end]


def _release(word: str) -> Version:
    from packaging.version import Version

    return Version(Version(word).base_version)


def _next(release: tuple[int, ...]) -> Version:
    """Return the first version after all that begin with `release`: 2.5 for 2.4."""
    from packaging.version import Version

    return Version(".".join(map(str, (*release[:-1], release[-1] + 1))))


def _trimmed(version: Version) -> tuple[int, ...]:
    release = version.release
    while len(release) > 2 and release[-1] == 0:
        release = release[:-1]
    return release


def _shown(version: Version) -> str:
    return ".".join(map(str, _trimmed(version)))
