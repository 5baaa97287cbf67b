"""`deepperf check`."""

from __future__ import annotations

import argparse
import gc
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from deepperf.cli.errors import UsageError
from deepperf.cli.options import parser
from deepperf.cli.progress import ProgressBar
from deepperf.config import ConfigError, Settings, load_settings
from deepperf.config.schema import FRAMEWORKS
from deepperf.engine.baseline import BaselineError
from deepperf.engine.changes import ChangesError
from deepperf.engine.files import STDIN, StandardInput
from deepperf.engine.fix import Fixed, fix
from deepperf.engine.report import Report
from deepperf.engine.run import check
from deepperf.engine.select import UnknownRuleError, select
from deepperf.model import Confidence, Impact, Problem, Safety
from deepperf.output import FORMATS, render
from deepperf.output.style import Style, style_for
from deepperf.source import MissingPath, Source, write_source


def run(arguments: Sequence[str]) -> int:
    """Check files and return the exit code.

    Raises:
        UsageError: the command was called in a wrong way.
    """
    options = parser().parse_intermixed_args(arguments)
    if options.changed_lines and not options.since:
        raise UsageError("--changed-lines needs --since")
    if options.unsafe_fixes and not (options.fix or options.diff):
        raise UsageError("--unsafe-fixes needs --fix or --diff")
    if options.fix and not options.diff and STDIN in options.paths:
        raise UsageError("--fix cannot write to standard input; use --diff")
    # The facts are many small objects that stay: looking through them for garbage often is a waste of time.
    gc.disable()
    outputs = [_output(word) for word in options.output]
    cwd = Path.cwd()
    try:
        settings = settings_for(options, cwd)
        report = (
            _fixed(options, settings, cwd) if options.fix or options.diff else checked(options, settings, cwd)
        )
    except (ConfigError, UnknownRuleError, MissingPath, BaselineError, ChangesError) as error:
        raise UsageError(str(error)) from None
    for name, file in outputs:
        file.write_text(render(name, report, Style()), encoding="utf-8", errors="backslashreplace")
    if not options.diff:
        sys.stdout.write(render(options.output_format, report, style_for(sys.stdout)))
    if options.statistics:
        _print_statistics(report)
    if options.timings:
        _print_timings(report)
    return exit_code(report, settings.fail_on, exit_zero=options.exit_zero)


def settings_for(options: argparse.Namespace, cwd: Path) -> Settings:
    """Return the settings: the command line's where it says something, else the configuration file's."""
    given = {
        "select": _words(options.select),
        "extend_select": _words(options.extend_select),
        "ignore": _words(options.ignore),
        "force_exclude": options.force_exclude,
        "exclude": _words(options.exclude),
        "extend_exclude": _words(options.extend_exclude),
        "pedantic": options.pedantic,
        "min_confidence": options.min_confidence and Confidence.parse(options.min_confidence),
        "since": options.since,
        "changed_lines": options.changed_lines,
        "baseline": options.baseline and cwd / options.baseline,
        "fail_on": options.fail_on and Impact.parse(options.fail_on),
        "targets": dict(_framework_version(word) for word in options.target),
    }
    overrides = {name: value for name, value in given.items() if value}
    return load_settings(
        cwd, isolated=options.isolated, overrides=overrides, check_rule=lambda word: select((word,), ())
    )


def _words(given: list[str] | None) -> tuple[str, ...]:
    return tuple(word.strip() for text in given or () for word in text.split(",") if word.strip())


def _framework_version(word: str) -> tuple[str, str]:
    name, separator, version = word.partition("=")
    if name not in FRAMEWORKS or not separator or not version[:1].isdigit():
        known = ", ".join(FRAMEWORKS)
        raise UsageError(
            f"--target {word}: give NAME=VERSION, such as tensorflow=2.4, with NAME one of {known}"
        )
    return name, version


def _output(word: str) -> tuple[str, Path]:
    """Return the format and file of an `--output`, after a try whether the file can be written."""
    name, separator, path = word.partition("=")
    if name not in FORMATS or not separator or not path:
        raise UsageError(f"--output {word}: give NAME=FILE, with NAME one of {', '.join(FORMATS)}")
    try:
        with Path(path).open("a", encoding="utf-8"):
            pass
    except OSError as error:
        raise UsageError(f"--output {word}: cannot write {path}: {error.strerror}") from None
    return name, Path(path)


def _standard_input(options: argparse.Namespace) -> StandardInput | None:
    if STDIN not in options.paths:
        return None
    return StandardInput(sys.stdin.buffer.read(), options.stdin_filename)


def checked(options: argparse.Namespace, settings: Settings, cwd: Path) -> Report:
    """Check the paths that the options name, with a progress bar on a terminal, and return the report."""
    bar = ProgressBar(sys.stderr)
    try:
        return check(options.paths, settings, cwd, stdin=_standard_input(options), progress=bar)
    finally:
        bar.close()


def _fixed(options: argparse.Namespace, settings: Settings, cwd: Path) -> Report:
    """Fix, or show what would be fixed; return the report of what is left, with `--diff` of what is there."""
    least = Safety.UNSAFE if options.unsafe_fixes else Safety.SAFE
    bar = ProgressBar(sys.stderr)
    try:
        fixed = fix(options.paths, settings, cwd, least, stdin=_standard_input(options), progress=bar)
    finally:
        bar.close()
    for path in fixed.refused:
        print(f"{path}: some fixes did not work out and were left out", file=sys.stderr)
    count = sum(change.fixes for change in fixed.changes)
    done = "would be fixed" if options.diff else "fixed"
    if options.diff:
        _print_diff(fixed)
    problems = [] if options.diff else _write(fixed)
    where = f"{len(fixed.changes)} file" + ("" if len(fixed.changes) == 1 else "s")
    print(f"{count} {'problem' if count == 1 else 'problems'} {done} in {where}", file=sys.stderr)
    report = fixed.before if options.diff else fixed.after
    return replace(report, problems=(*report.problems, *problems))


def _print_diff(fixed: Fixed) -> None:
    import difflib

    for change in fixed.changes:
        path = change.before.path
        lines = difflib.unified_diff(
            change.before.text.splitlines(keepends=True),
            change.after.text.splitlines(keepends=True),
            path,
            path,
        )
        for line in lines:
            sys.stdout.write(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n")


def _write(fixed: Fixed) -> list[Problem]:
    """Write the changed files; return what went wrong."""
    written = (_write_one(change.after) for change in fixed.changes)
    return [problem for problem in written if problem is not None]


def _write_one(source: Source) -> Problem | None:
    try:
        write_source(source)
    except (OSError, UnicodeEncodeError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return Problem(source.path, "unreadable", f"cannot be written: {reason}")
    return None


def _print_statistics(report: Report) -> None:
    counts = Counter((finding.code, finding.name) for finding in report.findings)
    for (code, name), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        print(f"{count:>7,}  {code}  {name}", file=sys.stderr)


def _print_timings(report: Report) -> None:
    for code, seconds in sorted(report.timings.items(), key=lambda item: -item[1]):
        print(f"{seconds:>9.3f} s  {code}", file=sys.stderr)
    print(f"{report.summary.seconds:>9.3f} s  in all", file=sys.stderr)


def exit_code(report: Report, fail_on: Impact, *, exit_zero: bool = False) -> int:
    """Return the exit code that a report stands for; findings below the impact `fail_on` do not count."""
    if report.failed:
        return 4
    if exit_zero:
        return 0
    if any(finding.impact >= fail_on for finding in report.findings):
        return 1
    return 3 if report.problems else 0
