"""The ordered scales a finding is measured on."""

from enum import Enum, IntEnum
from typing import TypeVar

_S = TypeVar("_S", bound="_Scale")


class _Scale(IntEnum):
    """An ordered scale whose members print and parse as lower-case words."""

    def __str__(self) -> str:
        return self.name.lower()

    @classmethod
    def parse(cls: type[_S], word: str) -> _S:
        """Return the member called `word`.

        Raises:
            ValueError: `word` is no member; the message lists those that are.
        """
        try:
            return cls[word.upper()]
        except KeyError:
            known = ", ".join(str(member) for member in cls)
            raise ValueError(f"{word!r} is not one of {known}") from None


class Impact(_Scale):
    """How bad a problem is."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Confidence(_Scale):
    """How sure we are: the weakest link of a finding's evidence."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Effort(_Scale):
    """How much work the cure is."""

    LOW = 1
    MEDIUM = 2
    HIGH = 3


class Safety(_Scale):
    """What may happen when a fix is applied.

    `SAFE`: provably the same results, order, shapes, dtypes, exceptions, state and public attributes.
    `UNSAFE`: anything else that can be applied; the fix's reason says what may change.
    `DISPLAY`: a suggestion that is never applied.
    """

    DISPLAY = 1
    UNSAFE = 2
    SAFE = 3


class Hot(Enum):
    """How often a place runs."""

    ONCE = "once"
    PER_EPOCH = "per-epoch"
    PER_BATCH = "per-batch"
    PER_EXAMPLE = "per-example"
    PER_REQUEST = "per-request"
    UNKNOWN = "unknown"

    def __str__(self) -> str:
        return self.value
