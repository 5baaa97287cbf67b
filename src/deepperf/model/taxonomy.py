"""The taxonomy of performance problems: names of root causes, symptoms and stages, kept in `taxonomy.toml`."""

import sys
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@cache
def _names(kind: str) -> frozenset[str]:
    data = tomllib.loads(Path(__file__).with_name("taxonomy.toml").read_text(encoding="utf-8"))
    return frozenset(name for names in data[kind].values() for name in names)


def check(where: str, *, root_cause: str, symptoms: tuple[str, ...], stages: tuple[str, ...]) -> None:
    """Hold a rule's words against the taxonomy.

    Raises:
        TypeError: a word is not of the taxonomy; the message starts with `where`.
    """
    for kind, words in (("root_causes", (root_cause,)), ("symptoms", symptoms), ("stages", stages)):
        unknown = [word for word in words if word not in _names(kind)]
        if unknown:
            raise TypeError(f"{where}: {', '.join(unknown)} not in {kind} of the taxonomy")
