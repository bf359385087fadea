"""What flows between the steps of every method: frozen, and JSON both ways."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import ConfigDict

Source = Literal["given", "corpus", "web", "model"]
VerdictLabel = Literal[
    "supported", "refuted", "conflicting", "not_mentioned", "unreadable", "unchecked"
]
Reason = Literal["contradicted", "absent", "not_understood"]
"""Why a claim is not mentioned: documents speak against it, not surely enough to refute it; nothing
in them speaks of it; they speak of it, and the reader could not tell."""
ResponseLabel = Literal["supported", "refuted", "conflicting", "not_mentioned"]


@dataclass(frozen=True, kw_only=True)
class Document:
    """One text that was retrieved or given by the caller."""

    __pydantic_config__ = ConfigDict(use_attribute_docstrings=True)

    text: str
    """The words themselves; quotes count characters in it."""
    id: str = ""
    """Unique within one run; numbered `d1`, `d2`, … where the caller gave none."""
    title: str = ""
    url: str = ""
    source: Source = "given"
    score: float | None = None
    """The retriever's own score, higher is better; None where nothing ranked it."""
    retrieved_at: str = ""
    """When it was fetched, ISO 8601; empty for given documents."""


@dataclass(frozen=True, kw_only=True)
class Quote:
    """A stretch of a document: `text == document.text[start:end]`."""

    document: str
    """The document's id."""
    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One self-contained assertion of the draft (RAC's atomic fact, section 3.3)."""

    id: str
    text: str
    start: int
    """Where its sentence begins in the draft, in characters; `end` is where that ends."""
    end: int
    citations: tuple[str, ...] = ()
    """The citation marks of its sentence, such as `[1]`, as the draft has them."""


@dataclass(frozen=True, kw_only=True)
class Skipped:
    """A stretch of the draft that claims nothing: `text == draft[start:end]`."""

    start: int
    end: int
    text: str
    reason: str
    """What it is instead, such as "a question" or "an instruction"."""


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """What the evidence says of one claim (RAC section 4.2)."""

    claim: str
    """The claim's id."""
    label: VerdictLabel
    reason: Reason | None = None
    """Why it is not mentioned; None with every other label."""
    score: float | None = None
    """Probability in [0, 1] that the claim is supported; None where nothing measured it."""
    evidence: tuple[Quote, ...] = ()
    explanation: str = ""
    doubted: tuple[str, ...] = ()
    """The claim's words that are wrong or not mentioned; empty where it is the whole claim, or
    where nothing told them apart."""


@dataclass(frozen=True, kw_only=True)
class Fix:
    """What the correct role makes of one claim: a new text, or none where the claim should go."""

    claim: str
    """The claim's id."""
    text: str
    """The claim as it should read; empty where the claim should go."""
    evidence: tuple[Quote, ...] = ()
    explanation: str = ""


@dataclass(frozen=True, kw_only=True)
class Edit:
    """A replacement of `draft[start:end]`, which reads `before`, by `after`."""

    start: int
    end: int
    before: str
    after: str
    claims: tuple[str, ...] = ()
    """The ids of the claims it rests on."""
    evidence: tuple[Quote, ...] = ()
    explanation: str = ""


@dataclass(frozen=True, kw_only=True)
class Usage:
    """What a run spent."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    searches: int = 0
    """Retrievals, from a corpus or the web."""
    pages: int = 0
    """Web pages read."""
    seconds: float = 0.0
    """Wall time of the steps."""
    money: float = 0.0
    """What the calls and searches that have a price cost, in the table's currency."""
    by_role: dict[str, dict[str, float]] = field(default_factory=dict)
    """The same counts for each role that did any work."""
    by_model: dict[str, dict[str, float]] = field(default_factory=dict)
    """The same counts for each model that was called, and its failed and repeated calls."""

    @property
    def replies(self) -> int:
        """How many replies of models it had, new ones and those from the call cache."""
        return self.model_calls + self.cached_calls

    @property
    def cached_calls(self) -> int:
        """How many replies came from the call cache, and cost nothing."""
        return int(sum(share.get("cached_calls", 0) for share in self.by_role.values()))

    def __add__(self, other: "Usage") -> "Usage":
        """The sum of two bills, role by role."""
        return Usage(
            model_calls=self.model_calls + other.model_calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            searches=self.searches + other.searches,
            pages=self.pages + other.pages,
            seconds=self.seconds + other.seconds,
            money=self.money + other.money,
            by_role=_added(self.by_role, other.by_role),
            by_model=_added(self.by_model, other.by_model),
        )


def _added(
    ours: dict[str, dict[str, float]], theirs: dict[str, dict[str, float]]
) -> dict[str, dict[str, float]]:
    return {
        role: {
            name: ours.get(role, {}).get(name, 0) + theirs.get(role, {}).get(name, 0)
            for name in ours.get(role, {}) | theirs.get(role, {})
        }
        for role in ours | theirs
    }
