"""One run of the checks over files."""

from __future__ import annotations

import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from deepperf.config import Settings
from deepperf.engine.baseline import Baseline, Entry
from deepperf.engine.changes import Changes
from deepperf.engine.dispatch import Check, Dispatcher
from deepperf.engine.files import Input, StandardInput, display, find_inputs
from deepperf.engine.findings import Visibility, reading_order, settle
from deepperf.engine.report import Report, Summary, is_fixable
from deepperf.engine.select import FileRules, frameworks_in, rules_for, select
from deepperf.facts.module import Module
from deepperf.facts.project import Project
from deepperf.facts.site import Spot
from deepperf.facts.versions import project_versions
from deepperf.knowledge import current_release
from deepperf.model import Finding, Place, Problem
from deepperf.rules.registry import load
from deepperf.source import Source, SourceError, read_source

_DEEPEST = 10_000

Progress = Callable[[int, int], None]


@dataclass
class Result:
    """What came of one file. `findings` are those no comment silences, `failed` the rules that broke."""

    input: Input
    analysed: bool = False
    findings: list[Finding] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    failed: set[str] = field(default_factory=set)
    suppressed: int = 0
    lines: int = 0


class Run:
    """Checks files with one set of settings.

    `overlay` holds texts that stand for those on disk: standard input, and files with fixes not yet written.
    """

    def __init__(self, settings: Settings, cwd: Path, overlay: Mapping[Path, Source] | None = None) -> None:
        self.settings = settings
        self.cwd = cwd
        self.overlay = dict(overlay or {})
        self.selection = select(settings.select, settings.ignore, settings.extend_select)
        self.file_rules = FileRules(settings.per_file_ignores)
        self.visibility = Visibility(settings.pedantic, settings.min_confidence, self.selection.named)
        self.baseline = None if settings.baseline is None else Baseline.read(settings.baseline, cwd)
        self.changes = None if settings.since is None else Changes(settings.since, cwd)
        self.timings: defaultdict[str, float] = defaultdict(float)
        self.dispatcher = cache(lambda codes: Dispatcher(load(codes)))
        self.project = cache(self._project)

    def _project(self, root: Path) -> Project:
        targets, configured = self.settings.targets, self.settings.configured
        versions = project_versions(root, targets=targets, configured=configured, current=current_release)
        return Project(root, versions, self.read)

    def read(self, file: Path) -> Source:
        """Return the source of a file: the overlay's if it has one.

        Raises:
            SourceError: the file cannot be read or decoded.
        """
        return self.overlay.get(file) or read_source(file, display(file, self.cwd))

    def source(self, given: Input) -> Source:
        """Return the source of a file of the run.

        Raises:
            SourceError: the file cannot be read or decoded.
        """
        return self.overlay.get(given.file) or read_source(given.file, given.path, data=given.data)

    def check(self, given: Input) -> Result:
        """Check one file. What goes wrong is a problem of the result; nothing is raised."""
        result = Result(given)
        try:
            data = self._data(given)
            result.lines = data.count(b"\n") + (not data.endswith(b"\n") and bool(data))
            enabled = self.selection.codes - self.file_rules.off(given.file)
            codes = rules_for(enabled, frameworks_in(data, enabled))
            if codes:
                result.analysed = True
                self._analyse(result, codes, enabled)
        except SourceError as error:
            result.problems.append(error.problem)
        except Exception as error:
            result.problems.append(_internal(given.path, "the analysis", error))
        self.project(given.root).modules.release()
        return result

    def _data(self, given: Input) -> bytes:
        """Return what the file holds."""
        if given.file in self.overlay:
            return self.overlay[given.file].text.encode("utf-8", "replace")
        if given.data is not None:
            return given.data
        try:
            return given.file.read_bytes()
        except OSError as error:
            reason = error.strerror or str(error)
            raise SourceError(Problem(given.path, "unreadable", f"cannot be read: {reason}")) from error

    def module(self, given: Input) -> Module:
        """Return the file's module: the one that other files know it by, if there is one."""
        modules = self.project(given.root).modules
        known = modules.at(given.file) if given.data is None else None
        if known is not None and known.source.path == given.path:
            return known
        return modules.add(self.source(given))

    def _analyse(self, result: Result, codes: frozenset[str], enabled: frozenset[str]) -> None:
        module = self.module(result.input)
        source = module.source
        dispatcher = self.dispatcher(codes)
        result.problems += source.problems
        found: list[Finding] = []
        statements: dict[Place, int] = {}
        for site, checks in dispatcher.sites(module, module.project):
            new = self._ask(checks, site, result)
            statements.update((finding.place, site.located.statement.lineno) for finding in new)
            found += new
        if not source.suppressions.found:
            result.findings += settle(found, dispatcher.yields_to)
            return
        from deepperf.engine.own import Comments

        comments = Comments(source)
        lines = {f.place: (source.raw_line(f.place), statements[f.place]) for f in found}
        for finding in found:
            comments.note(finding.code, finding.name, *lines[finding.place])
        for finding in settle(found, dispatcher.yields_to):
            if source.suppressions.covers(finding.code, finding.name, *lines[finding.place]):
                result.suppressed += 1
            else:
                result.findings.append(finding)
        if not result.failed:
            own = settle(comments.findings(enabled), {})
            shown = [finding for finding in own if not comments.name(finding)]
            result.suppressed += len(own) - len(shown)
            result.findings += shown

    def _ask(self, checks: list[Check], site: Spot, result: Result) -> list[Finding]:
        """Return what checks say of a call; a rule that fails is asked no more about this file."""
        found: list[Finding] = []
        for check in checks:
            if check.code in result.failed:
                continue
            start = time.perf_counter()
            try:
                found += list(check.run(site))
            except Exception as error:
                result.failed.add(check.code)
                problem = _internal(site.source.path, f"rule {check.code}", error, site.node.lineno)
                result.problems.append(problem)
            self.timings[check.code] += time.perf_counter() - start
        return found

    def inputs(self, paths: Sequence[str], stdin: StandardInput | None = None) -> list[Input]:
        """Return the files to check: those that `paths` stand for, without those that did not change where that is asked for.

        Raises:
            MissingPath: one of the paths does not exist.
        """
        found = find_inputs(paths, self.cwd, self.settings, stdin)
        if self.changes is None:
            return list(found)
        return [
            given for given in found if given.data is not None or given.file.resolve() in self.changes.files
        ]

    def shows(self, finding: Finding) -> bool:
        """Tell whether a finding is shown: visible enough, and in code that changed where that is asked for."""
        if not self.visibility.shows(finding):
            return False
        if self.changes is None or not self.settings.changed_lines:
            return True
        return any(self._is_changed(place) for place in (finding.place, *finding.related))

    def _is_changed(self, place: Place) -> bool:
        assert self.changes is not None
        file = (self.cwd / place.path).resolve()
        first = last = place.span.line
        if place.cell is not None:
            first = last = self.read(file).file_line(place)
        elif place.span.end_line:
            last = place.span.end_line
        return self.changes.touches(file, first, last)

    def knows(self, finding: Finding) -> bool:
        """Tell whether the baseline holds a finding like this one in its file."""
        return self.baseline is not None and self.baseline.holds(finding)

    def report(self, results: Iterable[Result]) -> Report:
        """Return the report over all results. Its `seconds` are left at zero."""
        summary = Summary()
        found: list[Finding] = []
        problems: list[Problem] = []
        inputs: dict[str, Input] = {}
        paths = []
        for result in results:
            paths.append(result.input.path)
            shown = [finding for finding in result.findings if self.shows(finding)]
            summary.files += 1
            summary.files_analysed += result.analysed
            summary.lines += result.lines
            summary.hidden += len(result.findings) - len(shown)
            summary.suppressed += result.suppressed
            found += shown
            problems += result.problems
            if shown:
                inputs[result.input.path] = result.input
        found.sort(key=reading_order)
        new, known = (found, Counter[Entry]()) if self.baseline is None else self.baseline.split(found)
        summary.baselined = len(found) - len(new)
        summary.findings = len(new)
        summary.fixable = sum(map(is_fixable, new))
        return Report(
            tuple(new),
            tuple(sorted(problems, key=lambda p: (p.path, p.cell or 0, p.line or 0, p.kind, p.message))),
            summary,
            lambda path: self.source(inputs.get(path) or Input((self.cwd / path).resolve(), path, self.cwd)),
            dict(self.timings),
            tuple(paths),
            known,
        )


def check(
    paths: Sequence[str],
    settings: Settings,
    cwd: Path,
    *,
    stdin: StandardInput | None = None,
    progress: Progress | None = None,
) -> Report:
    """Check the files that `paths` stand for and return the report.

    `progress` is called after each file with the number of files done and of all files.

    Raises:
        MissingPath: one of the paths does not exist.
        UnknownRuleError: the settings select or ignore a rule that there is none of.
        BaselineError: the baseline that the settings name cannot be read.
        ChangesError: git cannot say what changed.
    """
    start = time.perf_counter()
    # Long `elif` chains and long sums are deep trees.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), _DEEPEST))
    run = Run(settings, cwd)
    report = run.report(check_all(run, run.inputs(paths, stdin), progress))
    report.summary.seconds = round(time.perf_counter() - start, 3)
    return report


def check_all(run: Run, inputs: Sequence[Input], progress: Progress | None = None) -> list[Result]:
    """Check files one after the other."""
    results = []
    for number, given in enumerate(inputs, start=1):
        results.append(run.check(given))
        if progress is not None:
            progress(number, len(inputs))
    return results


def _internal(path: str, what: str, error: Exception, line: int | None = None) -> Problem:
    """Return the record of an error of deepperf's own, with where it happened."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = (
        f" at {Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace is not None else ""
    )
    detail = " ".join(str(error).split())[:200]
    return Problem(path, "internal", f"{what} failed with {type(error).__name__}{where}: {detail}", line)
