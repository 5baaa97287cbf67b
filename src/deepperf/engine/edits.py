"""Applying edits to a text, and adding the imports they need."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from deepperf.model import Edit, Finding, Fix
from deepperf.source import Source


def apply(source: Source, findings: Iterable[Finding]) -> tuple[str, list[Finding]]:
    """Return the text with the fixes of `findings`, and the findings whose fix is in it.

    Fixes are applied by start; one that overlaps another is left out as a whole.
    """
    fixes = [(finding.fix, finding) for finding in findings if finding.fix is not None and finding.fix.edits]
    edits: list[Edit] = []
    imports: list[str] = []
    applied: list[Finding] = []
    for fix, finding in sorted(fixes, key=lambda pair: (min(pair[0].edits), pair[1].code)):
        if not any(_overlap(new, old) for new in fix.edits for old in edits):
            edits += fix.edits
            imports += fix.imports
            applied.append(finding)
    edits += _import_edits(source, imports)
    text = source.text
    for edit in sorted(edits, reverse=True):
        text = text[: edit.start] + edit.text + text[edit.end :]
    return text, applied


def _overlap(first: Edit, second: Edit) -> bool:
    if first.start == first.end or second.start == second.end:
        return first.start <= second.end and second.start <= first.end
    return first.start < second.end and second.start < first.end


def with_imports(source: Source, fix: Fix) -> list[Edit]:
    """Return all the edits of a fix, those that add its imports included."""
    return [*fix.edits, *_import_edits(source, fix.imports)]


def _import_edits(source: Source, statements: Iterable[str]) -> list[Edit]:
    """Return the edit that adds import statements where they are missing, after the imports at the top."""
    missing = [s for s in dict.fromkeys(statements) if not _has_import(source.tree, s)]
    if not missing:
        return []
    newline = "\r\n" if "\r\n" in source.text else "\n"
    before = _last_import(source.tree)
    if before is not None:
        line = before.end_lineno or before.lineno
        place = source.lines.starts[line - 1] + len(source.lines.line(line))
        return [Edit(place, place, "".join(newline + statement for statement in missing))]
    first = min(
        node.lineno for node in ast.walk(source.tree.body[0]) if isinstance(node, ast.stmt | ast.expr)
    )
    place = source.lines.starts[first - 1]
    return [Edit(place, place, "".join(statement + newline for statement in missing))]


def _last_import(tree: ast.Module) -> ast.stmt | None:
    """Return the last of the imports at the top of a module, its docstring if there are none."""
    last: ast.stmt | None = None
    for node in tree.body:
        is_docstring = last is None and ast.get_docstring(tree, clean=False) is not None
        if not is_docstring and not isinstance(node, ast.Import | ast.ImportFrom):
            break
        last = node
    return last


def _has_import(tree: ast.Module, statement: str) -> bool:
    """Tell whether the top level of a module has all that an import statement binds."""
    there = {name for node in tree.body for name in _imported(node)}
    return all(name in there for node in ast.parse(statement).body for name in _imported(node))


def _imported(node: ast.stmt) -> list[tuple[str | None, int, str, str | None]]:
    if isinstance(node, ast.Import):
        return [(None, 0, alias.name, alias.asname) for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        return [(node.module, node.level, alias.name, alias.asname) for alias in node.names]
    return []
