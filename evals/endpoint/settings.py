"""How fast the simulated endpoint is, and how often it fails."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256

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
SEARCH_FAILING = "search_failing"
EVERY = (*FAULTS, SEARCH_FAILING)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Latencies in seconds, and the rates of faults in [0, 1]."""

    first: float = 0.3
    """Until the first token."""
    token: float = 0.01
    """For each token of the reply."""
    decision: float = 0.15
    search: float = 0.4
    page: float = 0.2
    rates: Mapping[str, float] = field(default_factory=dict)
    """How often each of FAULTS comes; as `search_failing` how many searches get a 500."""

    def __post_init__(self) -> None:
        """Raise SettingError if there is no such fault, or no such value."""
        shares = dict(self.rates)
        searches = shares.pop(SEARCH_FAILING, 0.0)
        if unknown := shares.keys() - set(FAULTS):
            raise SettingError(f"there is no fault {min(unknown)!r}; there is {', '.join(EVERY)}")
        if max(sum(shares.values()), searches) > 1:
            raise SettingError(f"the rates of {', '.join(FAULTS)} add up to more than 1")

    def draw_fault(self, text: str, attempt: int) -> str:
        """The fault that a call gets, or none; the same for the same text and attempt."""
        place = draw(text, attempt)
        for fault in FAULTS:
            place -= self.rates.get(fault, 0.0)
            if place < 0:
                return fault
        return ""


def draw(text: str, attempt: int) -> float:
    """A number in [0, 1) that a text and the number of an attempt always draw."""
    digest = sha256(f"{attempt}\n{text}".encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64
