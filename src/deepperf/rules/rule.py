"""What a rule is: its description, its examples and its checks."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar

from deepperf.facts.site import Spot, is_test_code
from deepperf.model import Confidence, Cost, Effort, Finding, Fix, Hot, Impact, Place, taxonomy

_SECTIONS = ("## Why it is slow", "## What to do", "## When it is fine")
_REQUIRED = (
    "code",
    "slug",
    "impact",
    "root_cause",
    "symptoms",
    "stages",
    "frameworks",
    "evidence",
    "since",
    "examples",
)

Check = Callable[[Any, Any], Iterator[Finding]]
_C = TypeVar("_C", bound=Check)


@dataclass(frozen=True)
class Bad:
    """Code with the problem. Each line to be reported ends with `# <- CODE`; `fixed` is the code after the rule's fix.

    `options` are command-line options that the example needs, such as `--pedantic`.
    """

    source: str
    fixed: str | None = None
    options: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", textwrap.dedent(self.source).lstrip("\n"))
        if self.fixed is not None:
            object.__setattr__(self, "fixed", textwrap.dedent(self.fixed).lstrip("\n"))


@dataclass(frozen=True)
class Good:
    """Code that looks like the problem and is fine; `why` says why, in a few words."""

    source: str
    why: str
    options: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "source", textwrap.dedent(self.source).lstrip("\n"))


@dataclass(frozen=True)
class Interest:
    """What a check wants to see.

    `kind` is `call` (a call of one of the APIs `names`, or of any API with the effect `effect`), `method` (a call of a method
    called one of `names` on a value of kind `on`), `instance` (a call that makes an object of a project class that extends the
    API class `on`), `operator` (an arithmetic expression in a loop that gives a value of
    kind `on`), `loop`, `function` (a definition) or `store` (an assignment to an attribute or item with one of `names`).
    """

    kind: str
    names: tuple[str, ...] = ()
    effect: str | None = None
    on: str | None = None


def call(*names: str, effect: str | None = None) -> Callable[[_C], _C]:
    """Mark a check as interested in calls of the APIs with these canonical names, or with this effect.

    `*.from_pretrained` stands for every API with that last name.
    """
    return _interested(Interest("call", names, effect=effect))


def method(*names: str, on: str) -> Callable[[_C], _C]:
    """Mark a check as interested in calls of these methods on values of one kind (`dataset`, `session`, `keras-model`, …)."""
    return _interested(Interest("method", names, on=on))


def operator(*, on: str) -> Callable[[_C], _C]:
    """Mark a check as interested in arithmetic in loops that gives values of one kind (`tensor`)."""
    return _interested(Interest("operator", on=on))


def instance(*, of: str) -> Callable[[_C], _C]:
    """Mark a check as interested in calls that make objects of project classes that extend this API class."""
    return _interested(Interest("instance", on=of))


def loop() -> Callable[[_C], _C]:
    """Mark a check as interested in loops and comprehensions."""
    return _interested(Interest("loop"))


def function() -> Callable[[_C], _C]:
    """Mark a check as interested in the definitions of functions and methods."""
    return _interested(Interest("function"))


def store(*names: str) -> Callable[[_C], _C]:
    """Mark a check as interested in assignments to attributes called so, and to items of what is called so (`environ`)."""
    return _interested(Interest("store", names))


def _interested(interest: Interest) -> Callable[[_C], _C]:
    def mark(check: _C) -> _C:
        check.interests = (*getattr(check, "interests", ()), interest)  # type: ignore[attr-defined]
        return check

    return mark


class Rule:
    """Base of all rules. A subclass with a part missing fails when it is defined, with its file and line.

    `impact` is the base: hotness may move a finding one step. `frameworks` maps the frameworks the rule speaks of to the
    version range it is true for. `yields_to` names the rules that speak instead where both could. `cost` is the figure
    that findings show unless they give their own.
    """

    code: ClassVar[str]
    slug: ClassVar[str]
    impact: ClassVar[Impact]
    root_cause: ClassVar[str]
    symptoms: ClassVar[tuple[str, ...]]
    stages: ClassVar[tuple[str, ...]]
    frameworks: ClassVar[Mapping[str, str]]
    evidence: ClassVar[tuple[str, ...]]
    since: ClassVar[str]
    examples: ClassVar[tuple[Bad | Good, ...]]
    preview: ClassVar[bool] = False
    effort: ClassVar[Effort] = Effort.LOW
    yields_to: ClassVar[tuple[str, ...]] = ()
    cost: ClassVar[Cost | None] = None

    def __init_subclass__(cls) -> None:
        where = f"{inspect.getsourcefile(cls)}:{cls.__qualname__}"
        missing = [name for name in _REQUIRED if not hasattr(cls, name)]
        if missing:
            raise TypeError(f"{where}: rule without {', '.join(missing)}")
        text = cls.__doc__ or ""
        sections = [section for section in _SECTIONS if section not in text]
        if sections:
            raise TypeError(f"{where}: docstring without {', '.join(sections)}")
        if not any(isinstance(e, Bad) for e in cls.examples) or not any(
            isinstance(e, Good) for e in cls.examples
        ):
            raise TypeError(f"{where}: rule without a Bad or a Good example")
        taxonomy.check(where, root_cause=cls.root_cause, symptoms=cls.symptoms, stages=cls.stages)

    @classmethod
    def checks(cls) -> Iterator[tuple[Interest, str]]:
        """Yield each interest of the rule with the name of the method that answers it."""
        for name in dir(cls):
            for interest in getattr(getattr(cls, name), "interests", ()):
                yield interest, name

    @classmethod
    def has_fix(cls) -> bool:
        """Whether some example shows a fix."""
        return any(isinstance(example, Bad) and example.fixed is not None for example in cls.examples)

    @classmethod
    def title(cls) -> str:
        """The first sentence of the docstring."""
        return inspect.cleandoc(cls.__doc__ or "").split("\n\n", 1)[0].replace("\n", " ")

    def found(
        self,
        site: Spot,
        message: str,
        *,
        advice: str,
        because: tuple[Place, ...],
        confidence: Confidence = Confidence.HIGH,
        impact: Impact | None = None,
        related: tuple[Place, ...] = (),
        hot: Hot | None = None,
        cost: Cost | None = None,
        fix: Fix | None = None,
    ) -> Finding:
        """Return the finding that this rule reports at `site`.

        `because` must hold at least one fact: a finding without evidence is refused. In test code, and where only tests
        lead to the place, the impact is low: what runs there runs a few times.

        Raises:
            ValueError: `because` is empty.
        """
        in_tests = is_test_code(site.source.path) or any(is_test_code(place.path) for place in related)
        if not because:
            raise ValueError(f"{self.code}: a finding needs evidence")
        return Finding(
            code=self.code,
            name=self.slug,
            message=message,
            impact=Impact.LOW if in_tests else impact or self.impact,
            confidence=confidence,
            place=site.place(),
            root_cause=self.root_cause,
            symptoms=self.symptoms,
            stages=self.stages,
            related=related,
            because=because,
            hot=hot if hot is not None else Hot.UNKNOWN,
            cost=cost if cost is not None else self.cost,
            advice=advice,
            effort=self.effort,
            targets=tuple(site.range(framework).target() for framework in self.frameworks),
            fix=fix,
            fingerprint=site.fingerprint(self.code),
        )
