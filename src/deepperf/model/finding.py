"""What a rule reports: findings, their cost and their fixes."""

from dataclasses import dataclass

from deepperf.model.levels import Confidence, Effort, Hot, Impact, Safety
from deepperf.model.places import Place


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace the code points `start` to `end` of the source's text with `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that cures a finding.

    `edits` are offsets into the text of the finding's own file (`Source.text`). `imports` are import statements that the
    new text needs; they are added where they are missing. `reason` says what is kept, or what may change.
    """

    title: str
    edits: tuple[Edit, ...]
    safety: Safety
    reason: str
    imports: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Cost:
    """What a problem costs. `factor` is slow time over fast time where it was measured; `source` names the measurement."""

    text: str
    factor: float | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Target:
    """A framework version a finding was judged for, and where it was read (None: assumed)."""

    framework: str
    version: str
    path: str | None = None
    line: int | None = None


@dataclass(frozen=True, slots=True)
class Finding:
    """One report of a rule at one place.

    `related` are the places a reader must see (the loop, the call chain), in reading order.
    `because` are the facts that led here, each with its place.
    `fingerprint` identifies the finding across edits that only move it: it holds no line number.
    """

    code: str
    name: str
    message: str
    impact: Impact
    confidence: Confidence
    place: Place
    root_cause: str
    symptoms: tuple[str, ...]
    stages: tuple[str, ...]
    related: tuple[Place, ...] = ()
    because: tuple[Place, ...] = ()
    hot: Hot = Hot.UNKNOWN
    cost: Cost | None = None
    advice: str = ""
    effort: Effort = Effort.LOW
    targets: tuple[Target, ...] = ()
    fix: Fix | None = None
    fingerprint: str = ""
    url: str | None = None


@dataclass(frozen=True, slots=True)
class Problem:
    """A file that could not be read, parsed or analysed: an error record of the report.

    `kind` is one of `unreadable`, `encoding`, `syntax`, `notebook`, `python-version`, `internal`.
    """

    path: str
    kind: str
    message: str
    line: int | None = None
    column: int | None = None
    cell: int | None = None
