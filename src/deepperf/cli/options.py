"""The options of `deepperf check`."""

from __future__ import annotations

import argparse

from deepperf.config.schema import FRAMEWORKS
from deepperf.output import FORMATS

LEVELS = ("low", "medium", "high")

_EXAMPLES = """\
examples:
  deepperf check                          this folder
  deepperf check src train.ipynb          a folder and a notebook
  deepperf check --diff                   show what the safe fixes would change
  deepperf check --fix                    apply them
  deepperf check --select TF2             only the rules about tf.data
  deepperf check --target tensorflow=2.4  judge for TensorFlow 2.4
  deepperf check - --stdin-filename a.py  check standard input

A comment silences a rule on its line: # deepperf: ignore[TF202] the order matters

exit codes: 0 nothing found, 1 findings, 2 wrong use, 3 some files could not be read, 4 an error in deepperf
"""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command's arguments."""
    found = argparse.ArgumentParser(
        prog="deepperf check",
        description="Find performance problems in Python files and notebooks, and fix them.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    found.add_argument(
        "paths",
        nargs="*",
        default=["."],
        metavar="PATH",
        help="files and folders; - is standard input (default: .)",
    )
    _add_rules(found.add_argument_group("which rules"))
    _add_files(found.add_argument_group("which files, and what they are for"))
    _add_fixes(found.add_argument_group("fixes"))
    _add_output(found.add_argument_group("output"))
    return found


def _add_rules(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--select",
        action="append",
        metavar="RULES",
        help="only these: codes, names or prefixes, with commas; a rule named here hides no finding",
    )
    group.add_argument(
        "--extend-select",
        action="append",
        metavar="RULES",
        help="these too; a rule named here hides no finding",
    )
    group.add_argument("--ignore", action="append", metavar="RULES", help="all rules but these")
    group.add_argument(
        "--pedantic", action="store_true", help="show findings of low impact and low confidence too"
    )
    group.add_argument("--min-confidence", choices=LEVELS, help="show nothing that is less sure than this")


def _add_files(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--target",
        action="append",
        default=[],
        metavar="NAME=VERSION",
        help=f"the version of a framework your code is for; NAME is one of {', '.join(FRAMEWORKS)}",
    )
    group.add_argument(
        "--exclude",
        action="append",
        metavar="PATTERNS",
        help="leave out these files, not those left out by default",
    )
    group.add_argument("--extend-exclude", action="append", metavar="PATTERNS", help="leave out these too")
    group.add_argument(
        "--since", metavar="REV", help="only files that changed since the branch left this git revision"
    )
    group.add_argument(
        "--changed-lines",
        action="store_true",
        help="with --since: only findings of which a line, or a line they point to, changed",
    )
    group.add_argument(
        "--force-exclude", action="store_true", help="leave out files given by name too, as hooks need it"
    )
    group.add_argument("--stdin-filename", metavar="FILE", help="the file that standard input stands for")
    group.add_argument("--isolated", action="store_true", help="read no configuration file")
    group.add_argument("--no-cache", action="store_true", help="has no effect: there is no cache yet")


def _add_fixes(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--fix", action="store_true", help="apply the fixes that are safe")
    group.add_argument(
        "--unsafe-fixes", action="store_true", help="with --fix or --diff: those that may change results too"
    )
    group.add_argument("--diff", action="store_true", help="show what --fix would change, and write nothing")


def _add_output(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--output-format", choices=FORMATS, default="text", help="default: text")
    group.add_argument(
        "--output",
        action="append",
        default=[],
        metavar="NAME=FILE",
        help=f"write the report in a format ({', '.join(FORMATS)}) to a file too; may be given several times",
    )
    group.add_argument(
        "--fail-on",
        choices=LEVELS,
        help="exit with 1 only for findings of at least this impact (default: for any)",
    )
    group.add_argument(
        "--baseline", metavar="FILE", help="leave out the findings noted there; see `deepperf baseline`"
    )
    group.add_argument("--exit-zero", action="store_true", help="exit with 0 instead of 1 or 3")
    group.add_argument("--statistics", action="store_true", help="count the findings of each rule")
    group.add_argument("--timings", action="store_true", help="show how long each rule took")
