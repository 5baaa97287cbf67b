"""Ask whether deepperf says the right thing at the places whose authors have judged them.

    DEEPPERF_CORPUS=/path/to/corpus python -m evaluation.confirmed [--fixes]

With `--fixes` the places are those of `fixes.jsonl`: problems that commits of public projects mended. There the
statements next to the place count too.

A `real` place must be reported, by default or, where its impact is low, with `--pedantic`. All others must
be silent by default. Writes the table to `evaluation/confirmed.md` or `fixes.md`; ends with 1 if a place fails.
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluation.corpus import HERE, Found, Report, arguments, check, read_lines

_HEAD = "| project | path | line | code | verdict | reported | result |\n|---|---|---|---|---|---|---|\n"


@dataclass(frozen=True)
class Answer:
    """What deepperf says of one place."""

    entry: dict[str, Any]
    reported: str
    passed: bool

    @property
    def row(self) -> str:
        """The answer as a row of the table."""
        cells = [str(self.entry.get(key, "real")) for key in ("project", "path", "line", "code", "verdict")]
        return "| " + " | ".join([*cells, self.reported, "pass" if self.passed else "**fail**"]) + " |\n"


def tree_of(entry: dict[str, Any], corpus: Path) -> Path:
    """Return where the tree of an entry lies in the corpus."""
    commit = entry.get("commit") or entry["commit_prefix"]
    return corpus / "repos" / f"{entry['project'].replace('/', '__')}__{commit[:12]}"


def lines_of_statement(text: str, line: int) -> range:
    """Return the lines of the simple statement at a line (1-based); the line alone where there is none."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return range(line, line + 1)
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.stmt)
            and not hasattr(node, "body")
            and node.lineno <= line <= (node.end_lineno or 0)
        ):
            return range(node.lineno, (node.end_lineno or node.lineno) + 1)
    return range(line, line + 1)


def judge(entry: dict[str, Any], lines: range, default: Report, pedantic: Report) -> Answer:
    """Compare what deepperf reports by default and with `--pedantic` with the verdict of an entry."""
    place = (entry["code"], entry["path"])

    def here(report: Report) -> list[Found]:
        return [
            found
            for found in report.findings
            if (found.code, found.path) == place and not {found.line, *found.related}.isdisjoint(lines)
        ]

    if entry["path"] in default.crashes:
        return Answer(entry, f"crashed: {default.crashes[entry['path']]}", False)
    shown, hidden = here(default), here(pedantic)
    reported = "default" if shown else "pedantic" if hidden else "silent"
    is_found = bool(shown) or any(found.impact == "low" for found in hidden)
    verdict = entry.get("verdict", "fixed")
    passed = {"fixed": bool(shown or hidden), "real": is_found}.get(verdict, not shown)
    return Answer(entry, reported, passed)


def evaluate(
    entries: Sequence[dict[str, Any]], corpus: Path, *, whole: bool, command: Sequence[str]
) -> list[Answer]:
    """Run deepperf on the tree of each entry, or on its file alone, and judge what it says.

    Raises CorpusError if deepperf does not finish.
    """

    @functools.cache
    def report(tree: Path, path: str, options: tuple[str, ...]) -> Report:
        return check(tree, [path], options=options, command=command)

    answers = []
    for entry in entries:
        tree, path = tree_of(entry, corpus), "." if whole else entry["path"]
        target = ("--target", f"tensorflow={entry['tensorflow']}")
        try:
            lines = lines_of_statement((tree / entry["path"]).read_text(encoding="utf-8"), entry["line"])
            if (
                "verdict" not in entry
            ):  # A commit names a place less exactly than a verdict does: its neighbours count.
                lines = range(lines.start - 1, lines.stop + 1)
            default, pedantic = report(tree, path, target), report(tree, path, (*target, "--pedantic"))
            answers.append(judge(entry, lines, default, pedantic))
        except FileNotFoundError:
            answers.append(Answer(entry, "not in the corpus", False))
    return answers


def table(title: str, answers: Sequence[Answer]) -> str:
    """Return the answers as a Markdown page."""
    passed = sum(answer.passed for answer in answers)
    by_default = sum(answer.reported == "default" for answer in answers)
    counts = f"{passed} of {len(answers)} pass; {by_default} are reported by default."
    return f"# {title}\n\n{counts}\n\n{_HEAD}{''.join(a.row for a in answers)}"


def main() -> int:
    """Run the evaluation."""
    parser = arguments("What deepperf says of places whose authors have judged them.")
    parser.add_argument(
        "--file-only", action="store_true", help="check only the file of each entry, not the whole tree"
    )
    parser.add_argument("--fixes", action="store_true", help="the places that commits mended")
    given = parser.parse_args()
    name, title = ("fixes", "Problems that were fixed") if given.fixes else ("confirmed", "Confirmed places")
    entries = read_lines(HERE / f"{name}.jsonl")
    answers = evaluate(entries, given.corpus.resolve(), whole=not given.file_only, command=given.command)
    page = table(title, answers)
    (HERE / f"{name}.md").write_text(page, encoding="utf-8")
    print(page)
    return 0 if all(answer.passed for answer in answers) else 1


if __name__ == "__main__":
    raise SystemExit(main())
