"""How a program spells `AUTOTUNE`, and the edits that add it to a call."""

from __future__ import annotations

import ast

from deepperf.facts.scopes import Scope
from deepperf.rules.api import Edit, Site, since

_ROOTS = ("tensorflow", "tensorflow.compat.v1", "tensorflow.compat.v2")


def spelling(site: Site) -> tuple[str, tuple[str, ...]] | None:
    """Return the text for `AUTOTUNE` at a site and the imports it needs; None where its TensorFlow may lack it."""
    versions = site.range("tensorflow")
    if versions.holds(f">={since('tensorflow.autotune-root')}"):
        name = "data.AUTOTUNE"
    elif versions.holds(f">={since('tensorflow.autotune-experimental')}"):
        name = "data.experimental.AUTOTUNE"
    else:
        return None
    alias = _tensorflow_alias(site)
    if alias is not None:
        return f"{alias}.{name}", ()
    if "tf" in site.module.index.scope.bound:
        return None
    return f"tf.{name}", ("import tensorflow as tf",)


def _tensorflow_alias(site: Site) -> str | None:
    """Return the name TensorFlow goes by where the site stands."""
    scope: Scope | None = site.scope
    while scope is not None:
        for alias, imports in scope.imports.items():
            if any(found.dotted in _ROOTS for found in imports) and scope.bound[alias] == {"import"}:
                return alias
        scope = scope.parent
    return None


def last_argument(site: Site, text: str) -> tuple[Edit, ...]:
    """Return the edit that passes `text` as one more argument of the call."""
    node, source = site.node, site.source
    close = source.bounds(node)[1] - 1
    given = [*node.args, *(keyword.value for keyword in node.keywords)]
    if not given:
        return (Edit(close, close, text),)
    after = max(source.bounds(value)[1] for value in given)
    # Between the last argument and the closing parenthesis there can be a comma, comments and parentheses.
    between = source.text[after:close]
    if not between.strip():
        return (Edit(after, after, f", {text}"),)
    if between.strip() == ",":
        place = after + between.index(",") + 1
        line_break = "\n" in between
        indent = " " * node_indent(given[-1], source.text, source.bounds(given[-1])[0]) if line_break else " "
        return (Edit(place, place, f"\n{indent}{text}," if line_break else f"{indent}{text}"),)
    stripped = between.rstrip()
    if set(stripped) <= {")", " ", "\n", "\t"}:
        place = after + len(stripped)
        return (Edit(place, place, f", {text}"),)
    return ()


def node_indent(node: ast.expr, text: str, offset: int) -> int:
    """Return how far the line on which a node starts is indented."""
    start = text.rfind("\n", 0, offset) + 1
    line = text[start:offset]
    return len(line) - len(line.lstrip())
