"""How a program spells `AUTOTUNE`, and the edits that add it to a call."""

from __future__ import annotations

import re

from deepperf.facts.scopes import Scope
from deepperf.rules.api import Edit, Site, since

_ROOTS = ("tensorflow", "tensorflow.compat.v1", "tensorflow.compat.v2")
_COMMENT = re.compile(r"#[^\n]*")


def spelling(site: Site) -> tuple[str, tuple[str, ...]] | None:
    """Return the text for `AUTOTUNE` at a site and the imports it needs; None where its TensorFlow may lack it."""
    versions = site.range("tensorflow")
    if versions.holds(f">={since('tensorflow.autotune-root')}"):
        name = "data.AUTOTUNE"
    elif versions.holds(f">={since('tensorflow.autotune-experimental')}"):
        name = "data.experimental.AUTOTUNE"
    else:
        return None
    imported = _by_imports(site, name)
    if imported is not None:
        return imported, ()
    if "tf" in site.module.index.scope.bound or site.scope.holder("tf") is not None:
        return None
    return f"tf.{name}", ("import tensorflow as tf",)


def _by_imports(site: Site, name: str) -> str | None:
    """Return how what is imported where the site stands spells a name of TensorFlow: `tf.data.AUTOTUNE`, `data.AUTOTUNE`."""
    spelled = {f"{root}.{name}".rpartition(".")[0]: "AUTOTUNE" for root in _ROOTS}
    spelled |= {f"{root}.data": name.partition(".")[2] for root in _ROOTS}
    spelled |= dict.fromkeys(_ROOTS, name)
    scope: Scope | None = site.scope
    while scope is not None:
        for alias, imports in scope.imports.items():
            rests = {spelled.get(found.dotted) for found in imports}
            is_only_imported = scope.bound[alias] == {"import"} and site.scope.holder(alias) is scope
            if len(rests) == 1 and None not in rests and is_only_imported:
                return f"{alias}.{rests.pop()}"
        scope = scope.parent
    return None


def parallel_calls(site: Site) -> tuple[tuple[Edit, ...], tuple[str, ...]]:
    """Return the edit that passes `num_parallel_calls=AUTOTUNE`, in the place of a None that is passed, and its imports."""
    spelled = spelling(site)
    if spelled is None:
        return (), ()
    text, imports = spelled
    given = site.argument("num_parallel_calls")
    if given is not None:
        return (Edit(*site.source.bounds(given), text),), imports
    return _last_argument(site, f"num_parallel_calls={text}"), imports


def _last_argument(site: Site, text: str) -> tuple[Edit, ...]:
    """Return the edit that passes `text` as one more argument of the call."""
    node, source = site.node, site.source
    close = source.bounds(node)[1] - 1
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if not given:
        return (Edit(close, close, text),)
    after = max(source.bounds(value)[1] for value in given)
    # Between the last argument and the closing parenthesis there can be a comma, comments and parentheses.
    between = source.text[after:close]
    bare = _COMMENT.sub("", between).strip()
    if bare == "," and bare == between.strip():
        place = after + between.index(",") + 1
        if "\n" not in between:
            return (Edit(place, place, f" {text}"),)
        return (Edit(place, place, f"\n{_indent(source.text, source.bounds(given[-1])[0])}{text},"),)
    if bare in ("", ","):
        return (Edit(after, after, f", {text}"),)
    if bare == between.strip() and set(bare) <= set(") \r\n\t"):
        place = after + len(between.rstrip())
        return (Edit(place, place, f", {text}"),)
    return ()


def _indent(text: str, offset: int) -> str:
    """Return the blanks that the line of a place starts with."""
    line = text[text.rfind("\n", 0, offset) + 1 : offset]
    return line[: len(line) - len(line.lstrip())]
