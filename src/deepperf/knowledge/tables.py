"""The generated tables, one module a framework, loaded when a name of that framework is first asked for."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import NamedTuple

# What a call gives, its effects and its traits; words in one string, separated by spaces.
Judgement = tuple[str, str, str]


class Tables(NamedTuple):
    """What is known of one framework.

    `internal` maps private modules to where their public names stand. `apis` maps a name to the number of its
    judgement and its parameters; `defaults` judge all names below a prefix; `twins` are the ops for batches.
    """

    aliases: dict[str, str]
    internal: dict[str, tuple[str, ...]]
    judgements: tuple[Judgement, ...]
    apis: dict[str, tuple[int, str]]
    defaults: dict[str, int]
    twins: dict[str, str]


@cache
def tables(framework: str) -> Tables:
    """Return the tables of a framework."""
    return Tables(*import_module(f"deepperf.knowledge._tables.{framework}").TABLES)
