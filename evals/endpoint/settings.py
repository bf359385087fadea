"""How fast the simulated endpoint is, and how often it fails."""

from argparse import ArgumentParser, Namespace
from dataclasses import dataclass, fields
from hashlib import sha256
from typing import Self

from errata.core.errors import SettingError

FAULTS = (
    *("limited", "failing", "hanging", "cut", "broken", "empty"),
    *("dropped", "denied", "refusing", "garbage", "hostile", "echoing", "flooding"),
)
"""The faults of a call, in the order in which they are drawn.

A 429; a 500; no answer until the caller gives up; half of the reply, with the finish reason
`length`; a body that is no JSON; an empty reply; half of a body, then the connection is closed; a
401; a reply in which the model declines; random words; every label at once, for every number; the
prompt itself, with every label below it; a body that never ends, as fast as it is read.
"""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Latencies in seconds, and the rates of faults in [0, 1]."""

    first: float = 0.3
    """Until the first token."""
    token: float = 0.01
    """For each token of the reply."""
    search: float = 0.4
    page: float = 0.2
    limited: float = 0.0
    failing: float = 0.0
    hanging: float = 0.0
    cut: float = 0.0
    broken: float = 0.0
    empty: float = 0.0
    dropped: float = 0.0
    denied: float = 0.0
    refusing: float = 0.0
    garbage: float = 0.0
    hostile: float = 0.0
    echoing: float = 0.0
    flooding: float = 0.0
    search_failing: float = 0.0
    """How many searches get a 500."""

    def __post_init__(self) -> None:
        """Raise SettingError if a value is negative, or the rates of a call's faults exceed 1."""
        wrong = [field.name for field in fields(self) if getattr(self, field.name) < 0]
        if wrong:
            raise SettingError(f"{', '.join(wrong)}: seconds and rates are 0 or more")
        if max(sum(getattr(self, fault) for fault in FAULTS), self.search_failing) > 1:
            raise SettingError(f"the rates of {', '.join(FAULTS)} add up to more than 1")

    def draw_fault(self, text: str, attempt: int) -> str:
        """The fault that a call gets, or none; the same for the same text and attempt."""
        place = draw(text, attempt)
        for fault in FAULTS:
            place -= getattr(self, fault)
            if place < 0:
                return fault
        return ""

    @classmethod
    def add_to(cls, parser: ArgumentParser) -> None:
        """Add an option for each setting."""
        for field in fields(cls):
            option = f"--{field.name.replace('_', '-')}"
            parser.add_argument(option, type=float, default=field.default)

    @classmethod
    def read(cls, args: Namespace) -> Self:
        """The settings that the options say; raises SettingError if they cannot be."""
        return cls(**{field.name: getattr(args, field.name) for field in fields(cls)})

    @property
    def options(self) -> list[str]:
        """The options that say these settings."""
        return [f"--{name.replace('_', '-')}={value}" for name, value in vars(self).items()]


def draw(text: str, attempt: int) -> float:
    """A number in [0, 1) that a text and the number of an attempt always draw."""
    digest = sha256(f"{attempt}\n{text}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
