"""Ask which of the problems of the study's benchmark deepperf finds, and whether it is silent once they are fixed.

    python -m evaluation.recall

The programs stand in `evaluation/problems/*.md`: each problem with its number, the rules that may speak of it, the
target where one matters, programs that have it (`# <- PP` marks the place) and one that has not. Writes the table
to `evaluation/recall.md`.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from evaluation.corpus import HERE, Found, check

_HEADING = re.compile(r"^## (?P<id>\w+): (?P<codes>[A-Z0-9 ]+?)(?: \((?P<target>\w+=[\d.]+)\))?$")
_MARK = "# <- PP"


@dataclass
class Problem:
    """One problem: the codes that may speak of it, its target, its programs with and without it."""

    number: str
    codes: frozenset[str]
    target: str | None
    buggy: list[str] = field(default_factory=list)
    fixed: list[str] = field(default_factory=list)


def problems(text: str) -> Iterator[Problem]:
    """Yield the problems of a Markdown file. Raises ValueError for a heading or a program that is not as it must be."""
    problem: Problem | None = None
    program: list[str] | None = None
    for line in text.splitlines():
        if program is not None and line == "```":
            program = None
        elif program is not None:
            program.append(line)
        elif line.startswith("## "):
            if problem is not None:
                yield _checked(problem)
            match = _HEADING.match(line)
            if match is None:
                raise ValueError(f"not a heading of a problem: {line}")
            problem = Problem(match["id"], frozenset(match["codes"].split()), match["target"])
        elif line.startswith("```python ") and problem is not None:
            program = []
            {"buggy": problem.buggy, "fixed": problem.fixed}[line.split()[1]].append(program)  # type: ignore[arg-type]
    if problem is not None:
        yield _checked(problem)


def _checked(problem: Problem) -> Problem:
    problem.buggy = ["\n".join(lines) for lines in problem.buggy]
    problem.fixed = ["\n".join(lines) for lines in problem.fixed]
    if not problem.buggy or not problem.fixed or any(text.count(_MARK) != 1 for text in problem.buggy):
        raise ValueError(
            f"{problem.number}: give programs with one {_MARK} each, and one without the problem"
        )
    return problem


def report(text: str, target: str | None) -> list[Found]:
    """Return what deepperf says of a program, with everything shown."""
    options = ["--pedantic", *((f"--target={target}",) if target else ())]
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "program.py").write_text(text.replace(_MARK, "") + "\n", encoding="utf-8")
        return check(Path(folder), ["program.py"], options=options).findings


def _is_shown(found: Found) -> bool:
    return "low" not in (found.impact, found.confidence)


def at_the_place(text: str, found: Found) -> bool:
    """Tell whether a finding stands at the marked line or next to it, or points there, as to a call on its way."""
    marked = next(number for number, line in enumerate(text.splitlines(), 1) if _MARK in line)
    return any(abs(line - marked) <= 1 for line in (found.line, *found.related))


class Row(NamedTuple):
    """What became of a problem: its row in the table, and whether it is found in each program that has it."""

    text: str
    found: bool
    by_default: bool
    silent_when_fixed: bool


def row(problem: Problem) -> Row:
    """Return what becomes of a problem."""
    hits = []
    for text in problem.buggy:
        found = [f for f in report(text, problem.target) if f.code in problem.codes and at_the_place(text, f)]
        hits.append((bool(found), any(map(_is_shown, found)), sorted({f.code for f in found})))
    noise = [f for text in problem.fixed for f in report(text, problem.target) if f.code in problem.codes]
    everywhere, by_default = all(hit[0] for hit in hits), all(hit[1] for hit in hits)
    counts = f"{sum(hit[0] for hit in hits)} of {len(hits)}", f"{sum(hit[1] for hit in hits)} of {len(hits)}"
    codes = " ".join(sorted({code for hit in hits for code in hit[2]})) or "-"
    silent = "silent" if not noise else " ".join(sorted({f.code for f in noise}))
    text = f"| {problem.number} | {codes} | {counts[0]} | {counts[1]} | {silent} |\n"
    return Row(text, everywhere, by_default, not noise)


def main() -> int:
    """Run the evaluation and write its table."""
    rows = []
    for file in sorted((HERE / "problems").glob("*.md")):
        rows += [row(problem) for problem in problems(file.read_text(encoding="utf-8"))]
    total = len(rows)
    found, default = sum(r.found for r in rows), sum(r.by_default for r in rows)
    silent = sum(r.silent_when_fixed for r in rows)
    text = (
        "# The problems of the benchmark\n\n"
        f"{found} of {total} are found in every spelling with `--pedantic`, {default} of them by default; "
        f"{silent} of {total} fixed programs are silent.\n\n"
        "| problem | said by | programs in which it is found | by default | fixed program |\n|---|---|---|---|---|\n"
        + "".join(sorted(r.text for r in rows))
    )
    (HERE / "recall.md").write_text(text, encoding="utf-8")
    print(text)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
