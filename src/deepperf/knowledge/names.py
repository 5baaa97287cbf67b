"""The one name that each of a framework's spellings stands for."""

from __future__ import annotations

from functools import cache

from deepperf.knowledge._tables import ROOTS
from deepperf.knowledge.tables import Tables, tables

# A spelling takes few steps to its canonical name; the bound only guards against a loop in the data.
_STEPS = 8


def is_framework_root(name: str) -> bool:
    """Tell whether a top-level module is one that the tables know."""
    return name in ROOTS


@cache
def canonical(dotted: str) -> str:
    """Return the canonical name for a fully spelled one: `tensorflow.compat.v1.math.add` is `tensorflow.add`.

    Names outside the known frameworks, and unknown names in them, come back as they are.
    """
    for _ in range(_STEPS):
        framework = ROOTS.get(dotted.partition(".")[0])
        if framework is None:
            return dotted
        known = tables(framework)
        rewritten = _by_alias(dotted, known) or _from_private_module(dotted, known)
        if rewritten is None or rewritten == dotted:
            return dotted
        dotted = rewritten
    return dotted


def _by_alias(dotted: str, known: Tables) -> str | None:
    head = dotted
    while head:
        target = known.aliases.get(head)
        if target is not None:
            return target + dotted[len(head) :]
        head = head.rpartition(".")[0]
    return None


def _from_private_module(dotted: str, known: Tables) -> str | None:
    """Find where the public name stands that a private module defines: `keras.layers.core.dense.Dense`."""
    if not known.internal or _is_known(dotted, known):
        return None
    head = dotted.rpartition(".")[0]
    while "." in head:
        spaces = known.internal.get(head)
        if spaces is not None:
            found = _search(dotted.partition(".")[0], spaces, dotted[len(head) + 1 :], known)
            if found is not None:
                return found
        head = head.rpartition(".")[0]
    return None


def _search(root: str, spaces: tuple[str, ...], tail: str, known: Tables) -> str | None:
    while tail:
        for space in spaces:
            candidate = f"{root}.{tail}" if space == "." else f"{root}.{space}.{tail}"
            target = _by_alias(candidate, known) or candidate
            if _is_known(target, known):
                return target
        module, _, tail = tail.partition(".")
        if module != module.lower():
            return None
    return None


def _is_known(dotted: str, known: Tables) -> bool:
    """Tell whether a name, or the class it is a member of, is in the tables."""
    return dotted in known.apis or dotted.rpartition(".")[0] in known.apis
