"""Ask how many of deepperf's findings on well-kept packages are right, rule by rule.

    DEEPPERF_CORPUS=/path/to/corpus python -m evaluation.ecosystem

The pinned packages are judged for the releases they ask for; the projects in `evaluation/projects.jsonl`, each at
a commit, for the releases of their time. Of each rule all findings are judged, or 40 where there are more. The
verdicts stand in `evaluation/ecosystem.jsonl`, one object a line: package (or project), version (or commit),
path, line, code, verdict, why. Findings without a verdict are listed, ready to be filled in.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evaluation.corpus import HERE, Found, arguments, check, read_lines

PACKAGES = (
    "tf_models_official",
    "keras_hub",
    "transformers",
    "pytorch_lightning",
    "timm",
    "tensorflow_datasets",
)
SAMPLE = 40
VERDICTS = ("real", "real-but-badly-said", "minor", "not-a-problem", "wrong")
RIGHT = frozenset(VERDICTS[:2])
_Z = 1.959964  # 95% of a normal distribution lie within this many standard deviations


class Key(NamedTuple):
    """What a verdict is about."""

    package: str
    version: str
    path: str
    line: int
    code: str


def sample(findings: Iterable[Key], size: int = SAMPLE) -> dict[str, list[Key]]:
    """Return the findings of each rule to judge: all, or `size` of them.

    The choice depends on each finding alone, so that a change of the rules changes little of it.
    """
    by_code: dict[str, list[Key]] = defaultdict(list)
    for key in findings:
        by_code[key.code].append(key)
    return {code: sorted(sorted(keys, key=_lot)[:size]) for code, keys in sorted(by_code.items())}


def _lot(key: Key) -> str:
    return hashlib.sha256("|".join(map(str, key)).encode()).hexdigest()


def wilson(right: int, judged: int) -> tuple[float, float]:
    """Return the 95% interval of a share; (0, 1) where nothing is judged."""
    if judged == 0:
        return 0.0, 1.0
    share, square = right / judged, _Z * _Z
    middle = share + square / (2 * judged)
    half = _Z * math.sqrt(share * (1 - share) / judged + square / (4 * judged * judged))
    scale = 1 + square / judged
    return max(0.0, (middle - half) / scale), min(1.0, (middle + half) / scale)


def verdicts(lines: Iterable[Mapping[str, Any]]) -> dict[Key, str]:
    """Return the verdict on each finding. Raises ValueError for a verdict that is none."""
    known = {}
    for line in lines:
        if line["verdict"] not in VERDICTS:
            raise ValueError(f"unknown verdict {line['verdict']!r} on {line['path']}:{line['line']}")
        known[Key(*(line[name] for name in Key._fields))] = line["verdict"]
    return known


def table(chosen: Mapping[str, Sequence[Key]], total: Mapping[str, int], known: Mapping[Key, str]) -> str:
    """Return the precision of each rule as a Markdown table."""
    rows = ["| code | findings | judged | right | precision | 95% interval |", "|---|---|---|---|---|---|"]
    for code, keys in chosen.items():
        judged = [known[key] for key in keys if key in known]
        right = sum(verdict in RIGHT for verdict in judged)
        low, high = wilson(right, len(judged))
        share = f"{right / len(judged):.0%}" if judged else "-"
        rows.append(
            f"| {code} | {total[code]} | {len(judged)} | {right} | {share} | {low:.0%} to {high:.0%} |"
        )
    return "\n".join(rows) + "\n"


def unjudged(
    chosen: Mapping[str, Sequence[Key]], known: Mapping[Key, str], found: Mapping[Key, Found]
) -> list[str]:
    """Return a line to fill in for each chosen finding without a verdict."""
    missing = [key for keys in chosen.values() for key in keys if key not in known]
    return [
        json.dumps({**key._asdict(), "verdict": "", "why": "", "message": found[key].message})
        for key in missing
    ]


class Tree(NamedTuple):
    """A piece of real code to run on."""

    package: str
    version: str
    path: Path
    options: tuple[str, ...] = ()


def packages(corpus: Path) -> Iterator[Tree]:
    """Yield the pinned packages that are in the corpus."""
    for tree in sorted((corpus / "packages").iterdir()):
        package, _, version = tree.name.rpartition("-")
        if package in PACKAGES:
            yield Tree(package, version, tree)


def projects(corpus: Path) -> Iterator[Tree]:
    """Yield the projects that are in the corpus, with the releases of their time as options."""
    for line in read_lines(HERE / "projects.jsonl"):
        project, commit = line["project"], line["commit"][:12]
        tree = corpus / "repos" / f"{project.replace('/', '__')}__{commit}"
        targets = (f"--target={name}={version}" for name, version in line["targets"].items())
        if tree.is_dir():
            yield Tree(project, commit, tree, tuple(targets))


def collect(trees: Iterable[Tree], command: Sequence[str]) -> tuple[dict[Key, Found], list[str]]:
    """Run deepperf on trees; return its findings and where it crashed."""
    found, crashes = {}, []
    for tree in trees:
        report = check(tree.path, ["."], options=tree.options, command=command)
        crashes += [f"{tree.package}/{path}: {message}" for path, message in report.crashes.items()]
        for item in report.findings:
            found[Key(tree.package, tree.version, item.path, item.line, item.code)] = item
    return found, crashes


def main() -> int:
    """Run the evaluation."""
    parser = arguments("How many of deepperf's findings on real packages are right.")
    parser.add_argument(
        "--size", type=int, default=SAMPLE, help="how many findings of a rule to judge at most"
    )
    parser.add_argument("--projects", action="store_true", help="judge the projects, not the packages")
    given = parser.parse_args()
    trees = (projects if given.projects else packages)(given.corpus.resolve())
    found, crashes = collect(trees, given.command)
    chosen = sample(found, given.size)
    total = {code: sum(key.code == code for key in found) for code in chosen}
    stored = HERE / "ecosystem.jsonl"
    known = verdicts(read_lines(stored) if stored.exists() else [])
    text = table(chosen, total, known)
    name, what = ("projects", "Public projects") if given.projects else ("ecosystem", "Pinned packages")
    (HERE / f"{name}.md").write_text(
        f"# {what}: how many default findings are right\n\n{text}", encoding="utf-8"
    )
    print(text)
    missing = unjudged(chosen, known, found)
    print(f"{len(missing)} findings without a verdict", *missing, sep="\n")
    print(f"{len(crashes)} files on which a rule crashed", *crashes, sep="\n")
    return 1 if crashes else 0


if __name__ == "__main__":
    raise SystemExit(main())
