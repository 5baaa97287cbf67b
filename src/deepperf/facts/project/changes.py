"""What a stretch of code may change.

Objects are spoken of by path: `self.cfg`, `batch`. A change of a path touches every path it is a prefix of, and
every path that is a prefix of it.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Change:
    """What a stretch of code may change.

    `paths` are objects changed in place or rebound; `suspects` are objects of which a method was called that cannot be
    followed and gets nothing it could store: a getter, most likely. `attributes` are names of attributes stored on objects that
    have no path; `opaque` tells that other code may run in between (a `yield`, an `await`), `vague` that something is changed
    that has no name here, `trains` that variables get other values.
    """

    paths: set[str] = field(default_factory=set)
    suspects: set[str] = field(default_factory=set)
    attributes: set[str] = field(default_factory=set)
    opaque: bool = False
    vague: bool = False
    trains: bool = False

    def add(self, other: Change) -> None:
        """Take over what another stretch changes."""
        self.paths |= other.paths
        self.suspects |= other.suspects
        self.attributes |= other.attributes
        self.opaque = self.opaque or other.opaque
        self.vague = self.vague or other.vague
        self.trains = self.trains or other.trains

    def touches(self, path: str) -> bool:
        """Tell whether the object at `path` may differ afterwards."""
        names = path.split(".")[1:]
        return (
            any(name in self.attributes for name in names)
            or meets(path, self.paths)
            or any(other.rpartition(".")[2] in names for other in self.paths if _is_far(other))
        )

    def suspects_path(self, path: str) -> bool:
        """Tell whether a call that cannot be followed was made on the object at `path`."""
        return meets(path, self.suspects)


def meets(path: str, others: set[str]) -> bool:
    """Tell whether one of the other paths is the same, a part of it, or has it as a part."""
    dotted = path + "."
    return any(path == other or path.startswith(other + ".") or other.startswith(dotted) for other in others)


def _is_far(path: str) -> bool:
    """Tell whether a path leads through a field: the object behind it may well have another path too (`self.helper.owner`)."""
    return path.count(".") >= 2
