"""`deepperf baseline write|check|shrink`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from deepperf.cli.check import checked, exit_code, settings_for
from deepperf.cli.errors import UsageError
from deepperf.cli.options import parser
from deepperf.config import ConfigError
from deepperf.engine.baseline import DEFAULT_FILE, Baseline, BaselineError
from deepperf.engine.changes import ChangesError
from deepperf.engine.select import UnknownRuleError
from deepperf.output import render
from deepperf.output.style import style_for
from deepperf.source import MissingPath, write_bytes

_HELP = """\
usage: deepperf baseline write|check|shrink [options of check] [PATH ...]

  write   note all findings that are shown now: from here on only new ones count
  check   report the findings that are not noted; exits with 1 if there are any
  shrink  take out what is not found any more

The file is the one that --baseline or the settings name, else deepperf-baseline.json.
"""


def run(arguments: Sequence[str]) -> int:
    """Run one of the actions and return its exit code.

    Raises:
        UsageError: the command was called in a wrong way, or the baseline cannot be used.
    """
    if not arguments or arguments[0] in ("-h", "--help"):
        sys.stdout.write(_HELP)
        return 0 if arguments else 2
    action, *rest = arguments
    if action not in ("write", "check", "shrink"):
        raise UsageError(f"baseline {action}: give write, check or shrink")
    options, cwd = parser().parse_intermixed_args(rest), Path.cwd()
    try:
        settings = settings_for(options, cwd)
        file = settings.baseline or cwd / DEFAULT_FILE
        settings = replace(settings, baseline=None if action == "write" else file)
        old = None if action == "write" else Baseline.read(file, cwd)
        report = checked(options, settings, cwd)
    except (ConfigError, UnknownRuleError, MissingPath, BaselineError, ChangesError) as error:
        raise UsageError(str(error)) from None
    if old is None:
        new = Baseline.of(report.findings, file, cwd)
        _write(file, new, f"{sum(new.counts.values())} findings noted")
        return 4 if report.failed else 0
    if action == "shrink":
        new = old.shrunk(report.known, report.paths)
        _write(file, new, f"{sum(old.counts.values()) - sum(new.counts.values())} findings taken out")
        return 4 if report.failed else 0
    sys.stdout.write(render(options.output_format, report, style_for(sys.stdout)))
    gone = sum(old.counts.values()) - sum(old.shrunk(report.known, report.paths).counts.values())
    if gone:
        print(
            f"{gone} of the noted findings are gone; `deepperf baseline shrink` takes them out",
            file=sys.stderr,
        )
    return exit_code(report, settings.fail_on, exit_zero=options.exit_zero)


def _write(file: Path, baseline: Baseline, what: str) -> None:
    try:
        write_bytes(file, baseline.to_text().encode())
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {error.strerror}") from None
    print(f"{what}: {file.name}", file=sys.stderr)
