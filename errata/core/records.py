"""The records that steps exchange and return: frozen, and converted to JSON and back."""

from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from pydantic import ConfigDict

from errata.core.jsonable import to_json
from errata.core.pieces import Piece, answer_html, correction_html, find_unfounded_places, pieces_of

Source = Literal["given", "corpus", "web", "model"]
VerdictLabel = Literal[
    "supported", "refuted", "conflicting", "disputed", "not_mentioned", "unreadable", "unchecked"
]
"""What documents say of a claim; `disputed`: they seem to contradict it, but not surely enough to
refute it."""
INCONCLUSIVE: tuple[VerdictLabel, ...] = ("disputed", "not_mentioned")
"""The labels of claims that documents neither support nor refute."""
EditedBy = Literal["", "choice"]
Reason = Literal["absent", "not_understood"]
"""Why a claim is not mentioned: documents do not speak of it; they do, but the verifier could not
tell what they say."""
ResponseLabel = Literal[
    "supported", "refuted", "conflicting", "disputed", "not_mentioned", "unchecked"
]


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
    dated: str = ""
    """The day of its last change, or of its publication, as its page says; empty if it does not."""


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
    unfounded: tuple[str, ...] = ()
    """Of a claim that the local verifier does not find mentioned: its numbers in digits, dates and
    names that stand in no document."""


@dataclass(frozen=True, kw_only=True)
class Fix:
    """What the correct role makes of one claim: a new text, or none where the claim should go."""

    claim: str
    """The claim's id."""
    text: str
    """The claim as it should read; empty where the claim should go."""
    evidence: tuple[Quote, ...] = ()
    explanation: str = ""
    by: EditedBy = ""


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
    by: EditedBy = ""
    """`choice` where its words were chosen among words of its evidence, not written."""


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
    """The same counts for each model that was called, and its failed calls."""

    @property
    def replies(self) -> int:
        """How many replies of models it had, new ones and those from the call cache."""
        return self.model_calls + self.cached_calls

    @property
    def cached_calls(self) -> int:
        """How many replies came from the call cache, and cost nothing."""
        return int(sum(share.get("cached_calls", 0) for share in self.by_role.values()))

    def __add__(self, other: "Usage") -> "Usage":
        """The sum of two bills, role by role and model by model."""
        return Usage(**_added(vars(self), vars(other)))


def _added(ours: dict[str, Any], theirs: dict[str, Any]) -> dict[str, Any]:
    """The sums of counts, at every depth; a count that only one side has is kept."""
    both = {name: (ours[name], theirs[name]) for name in ours if name in theirs}
    sums = {name: _added(a, b) if isinstance(a, dict) else a + b for name, (a, b) in both.items()}
    return ours | theirs | sums


Action = Literal["correct", "incorrect", "ambiguous"]


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """One strip of knowledge for the generator: `text` is `document[start:end]`."""

    document: str
    """The document's id."""
    start: int
    end: int
    text: str
    score: float | None = None
    """The evaluator's score in [-1, 1]; None where nothing scored it."""


@dataclass(frozen=True, kw_only=True)
class SubAnswer:
    """A sub-question with the strips that answer it."""

    question: str
    evidence: tuple[Knowledge, ...] = ()
    found: int = 0
    """How many texts were found for it, used or not."""


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """One factual error: what is wrong at `draft[start:end]`, and what is right."""

    text: str
    start: int
    end: int
    claims: tuple[str, ...] = ()
    """The ids of the claims it speaks of."""
    evidence: tuple[Quote, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Hit:
    """One organic result of a web search."""

    url: str
    title: str = ""
    snippet: str = ""
    text: str = ""
    """The page's text, where the engine has it."""


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """What a search engine answered to one query."""

    query: str
    engine: str
    hits: tuple[Hit, ...] = ()
    answer_box: str = ""
    """The engine's own short answer."""
    knowledge_graph: str = ""
    """The engine's facts about the entity, one `name: value` a line."""


def most_go(removals: int, claims: int) -> bool:
    """Whether more than half of the claims are to be removed."""
    return 2 * removals > claims


@dataclass(frozen=True, kw_only=True)
class Answer:
    """An answer with the knowledge it rests on."""

    method: str
    question: str
    response: str
    action: Action | Literal[""] = ""
    """What CRAG did about the retrieval, by the evaluator's scores; empty in other methods."""
    documents: tuple[Document, ...] = ()
    """What was retrieved, then what was read on the web."""
    scores: dict[str, float | None] = field(default_factory=dict)
    """How relevant each retrieved document is, in [-1, 1], by its id; as far as it was judged."""
    knowledge: tuple[Knowledge, ...] = ()
    queries: tuple[str, ...] = ()
    """What was searched for on the web."""
    trail: dict[str, Any] = field(default_factory=dict)
    """What the method produced on the way, by name, as JSON: Self-RAG's candidates, …"""
    usage: Usage = field(default_factory=Usage)
    prompts: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of each template that a model was asked with, by the template's name."""
    notes: tuple[str, ...] = ()
    """In words, what went wrong or was skipped."""

    def _repr_html_(self) -> str:
        return answer_html(self.response, self.knowledge)

    def __str__(self) -> str:
        """The response and the notes."""
        return "\n".join([self.response, *self.notes])


@dataclass(frozen=True, kw_only=True)
class Correction:
    """A corrected draft with everything it rests on.

    Applying `edits` to `draft` gives `response`, exactly.
    """

    method: str
    question: str
    draft: str
    response: str
    changed: bool
    label: ResponseLabel
    """Of the draft as a whole: refuted if any claim is, supported if all are, unchecked if none
    could be judged."""
    claims: tuple[Claim, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    edits: tuple[Edit, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    """What of the draft claims nothing, and so was not checked: headings, questions, …"""
    unmended: tuple[str, ...] = ()
    """The ids of refuted claims that stay in the response; none after a check."""
    documents: tuple[Document, ...] = ()
    trail: dict[str, Any] = field(default_factory=dict)
    """What the method produced on the way, by name, as JSON: RE-EX's questions, answers, …"""
    usage: Usage = field(default_factory=Usage)
    prompts: dict[str, str] = field(default_factory=dict)
    """The SHA-256 of each template that a model was asked with, by the template's name."""
    notes: tuple[str, ...] = ()
    """In words, what went wrong or was skipped."""

    @property
    def counts(self) -> dict[str, int]:
        """How many claims have each label; labels that no claim has are left out."""
        labels = [verdict.label for verdict in self.verdicts]
        return {name: labels.count(name) for name in get_args(VerdictLabel) if name in labels}

    @property
    def checked(self) -> bool:
        """Whether anything was judged; if not, nothing is known of the draft."""
        silent = {"unreadable", "unchecked", *(() if self.documents else ("not_mentioned",))}
        is_open = self.label in ("not_mentioned", "unchecked")
        return not is_open or not silent.issuperset(self.counts)

    @property
    def failed(self) -> str:
        """How many claims could not be judged, and why; empty if all were."""
        silent = [v for v in self.verdicts if v.label in ("unreadable", "unchecked")]
        said = list(dict.fromkeys(v.explanation for v in silent if v.explanation)) or self.notes
        why = "".join(f": {reason}" for reason in said[:1])
        judged = f"{len(silent)} of {len(self.verdicts)} claims could not be judged"
        return f"{judged}{why}" if silent else ""

    @property
    def mostly_unsupported(self) -> bool:
        """Whether more than half of the claims were to be removed, done or not."""
        fixes = self.trail.get("fixes", ())
        return most_go(sum(not fix["text"] for fix in fixes), len(self.claims))

    @property
    def judged(self) -> list[tuple[Claim, Verdict]]:
        """Each verdict, with the claim that it is on."""
        claims = {claim.id: claim for claim in self.claims}
        return [(claims[verdict.claim], verdict) for verdict in self.verdicts]

    @property
    def unfounded(self) -> list[tuple[int, int]]:
        """The places in the draft of what stands in no document, or is unsaid to a model."""
        return find_unfounded_places(self.draft, self.judged)

    def pieces(self) -> list[Piece]:
        """The draft and its replacements, from left to right, what stands nowhere apart."""
        return pieces_of(self.draft, self.edits, self.unfounded)

    def _repr_html_(self) -> str:
        return correction_html(self.pieces(), self.judged)

    def __str__(self) -> str:
        """The response, the label of each claim, and the notes."""
        labels = [f"{verdict.label}: {claim.text}" for claim, verdict in self.judged]
        return "\n".join([self.response, "", *labels, *self.notes])


def result_json(result: Answer | Correction) -> dict[str, Any]:
    """A result as JSON; a correction with its claims by label, and what was checked."""
    values: dict[str, Any] = to_json(result)
    if isinstance(result, Answer):
        return values
    own = ("counts", "checked", "failed")
    return {**values, **{name: getattr(result, name) for name in own}}
