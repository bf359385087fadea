"""What flows between steps and comes out at the end: frozen, and JSON both ways."""

from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from pydantic import ConfigDict, TypeAdapter, ValidationError

from errata.errors import InputError

Source = Literal["given", "corpus", "web", "model"]
VerdictLabel = Literal["supported", "refuted", "not_mentioned", "unreadable", "unchecked"]
ResponseLabel = Literal["supported", "refuted", "not_mentioned"]
Action = Literal["correct", "incorrect", "ambiguous"]

Record = TypeVar("Record")


@dataclass(frozen=True, kw_only=True)
class Document:
    """Hold one retrieved or given text."""

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
    """Point at a stretch of a document: `text == document.text[start:end]`."""

    document: str
    """The document's id."""
    start: int
    end: int
    text: str


@dataclass(frozen=True, kw_only=True)
class Claim:
    """Hold one self-contained assertion (RAC's atomic fact, section 3.3)."""

    id: str
    text: str
    start: int
    """Where the sentence it was taken from begins in the draft, in characters."""
    end: int


@dataclass(frozen=True, kw_only=True)
class Verdict:
    """Say what the evidence says of one claim (RAC section 4.2)."""

    claim: str
    """The claim's id."""
    label: VerdictLabel
    score: float | None = None
    """Probability in [0, 1] that the claim is supported; None where nothing measured it."""
    evidence: tuple[Quote, ...] = ()
    explanation: str = ""


@dataclass(frozen=True, kw_only=True)
class Fix:
    """Hold what the correct role made of one claim: a new text, or none to take it out."""

    claim: str
    """The claim's id."""
    text: str
    """The claim as it should read; empty where the claim should go."""
    evidence: tuple[Quote, ...] = ()
    explanation: str = ""


@dataclass(frozen=True, kw_only=True)
class Edit:
    """Replace `draft[start:end]`, which reads `before`, by `after`."""

    start: int
    end: int
    before: str
    after: str
    claims: tuple[str, ...] = ()
    """Ids of the claims it rests on."""
    evidence: tuple[Quote, ...] = ()
    explanation: str = ""


@dataclass(frozen=True, kw_only=True)
class Usage:
    """Count what a run spent."""

    model_calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    searches: int = 0
    """Retrievals, from a corpus or the web."""
    pages: int = 0
    """Web pages read."""
    seconds: float = 0.0
    """Wall time of the steps."""
    by_role: dict[str, dict[str, float]] = field(default_factory=dict)
    """The same counts for each role that did any work."""

    def __add__(self, other: "Usage") -> "Usage":
        """Add two counts, role by role."""
        return Usage(
            model_calls=self.model_calls + other.model_calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            searches=self.searches + other.searches,
            pages=self.pages + other.pages,
            seconds=self.seconds + other.seconds,
            by_role=_added(self.by_role, other.by_role),
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


@dataclass(frozen=True, kw_only=True)
class Knowledge:
    """Hold one strip that the generator is given: `text` is `document[start:end]`."""

    document: str
    """The document's id."""
    start: int
    end: int
    text: str
    score: float | None = None
    """The evaluator's score in [-1, 1]; None where nothing scored it."""


@dataclass(frozen=True, kw_only=True)
class SubAnswer:
    """Hold what was found for one sub-question (RE-EX)."""

    question: str
    evidence: tuple[Knowledge, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """Explain one factual error: what is wrong at `draft[start:end]`, and what is right (RE-EX)."""

    text: str
    start: int
    end: int
    claims: tuple[str, ...] = ()
    """Ids of the claims it speaks of."""
    evidence: tuple[Quote, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Hit:
    """Hold one organic result of a web search."""

    url: str
    title: str = ""
    snippet: str = ""
    text: str = ""
    """The page itself, where the engine holds it."""


@dataclass(frozen=True, kw_only=True)
class SearchResult:
    """Hold what a search engine gave for one query."""

    query: str
    engine: str
    hits: tuple[Hit, ...] = ()
    answer_box: str = ""
    """The engine's own short answer."""
    knowledge_graph: str = ""
    """What the engine knows of the thing asked for, as `name: value` lines."""


@dataclass(frozen=True, kw_only=True)
class Answer:
    """Hand out an answer with the knowledge it rests on (CRAG)."""

    method: str
    question: str
    response: str
    action: Action
    """What the evaluator made of the retrieval."""
    documents: tuple[Document, ...] = ()
    """What was retrieved, then what was read on the web."""
    scores: dict[str, float | None] = field(default_factory=dict)
    """The evaluator's score in [-1, 1] by the retrieved document's id."""
    knowledge: tuple[Knowledge, ...] = ()
    queries: tuple[str, ...] = ()
    """What was searched for on the web."""
    usage: Usage = field(default_factory=Usage)
    notes: tuple[str, ...] = ()
    """In words, what went wrong or was skipped."""


@dataclass(frozen=True, kw_only=True)
class Correction:
    """Hand out a corrected draft with everything it rests on.

    Applying `edits` to `draft` gives `response`, exactly.
    """

    method: str
    question: str
    draft: str
    response: str
    changed: bool
    label: ResponseLabel
    """Of the draft as a whole: refuted if any claim is, supported if all are."""
    claims: tuple[Claim, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    edits: tuple[Edit, ...] = ()
    documents: tuple[Document, ...] = ()
    usage: Usage = field(default_factory=Usage)
    notes: tuple[str, ...] = ()
    """In words, what went wrong or was skipped."""

    def _repr_html_(self) -> str:
        """Show the diff in a notebook."""
        from errata.render.terminal import html_diff

        return html_diff(self)


_ADAPTERS: dict[object, TypeAdapter[Any]] = {}


def _adapter(kind: Any) -> TypeAdapter[Any]:
    """Build each type's reader and writer once."""
    if kind not in _ADAPTERS:
        _ADAPTERS[kind] = TypeAdapter(kind)
    return _ADAPTERS[kind]


def to_json(value: object) -> Any:
    """Turn records, alone or in lists and mappings, into plain JSON values."""
    return _adapter(Any).dump_python(value, mode="json")


def from_json(kind: type[Record], value: object) -> Record:
    """Read a record back from JSON values.

    Raises InputError naming each field that is missing or wrong.
    """
    try:
        record: Record = _adapter(kind).validate_python(value)
    except ValidationError as error:
        faults = "; ".join(
            f"{'.'.join(map(str, fault['loc'])) or 'value'}: {fault['msg']}"
            for fault in error.errors(include_url=False)
        )
        name = getattr(kind, "__name__", str(kind))
        raise InputError(f"not a {name}: {faults}; see errata.records for its fields") from error
    return record
