"""Read this first: what auditing citations takes, carries, gives and lets a run set."""

from dataclasses import dataclass
from typing import Annotated, Literal

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import Field

from errata.core.records import Quote
from errata.nodes.rac.state import Rac, VerifyingContext
from errata.nodes.settings import Capped
from errata.nodes.state import CorrectionRequest
from errata.tools.retrieval.langchain import GivenDocument
from errata.tools.text.references import CitedSentence, Reference

Finding = Literal[
    "supported",
    "contradicted",
    "fabricated_quote",
    "dead",
    "outdated",
    "wrong_source",
    "partial",
    "missing_mark",
    "unsupported",
    "unclear",
    "uncited",
]
Status = Literal[
    "given", "open", "moved", "paywalled", "dead", "blocked", "failed", "not_read", "local"
]
READ = ("given", "open", "moved")
"""The sources that were read whole, so that what they lack counts."""


@dataclass(frozen=True, kw_only=True)
class Source:
    """One source: an entry of the draft's references, what a mark names in vain, or a document."""

    key: str
    """What marks call it; empty for a document that the draft's references do not list."""
    title: str = ""
    url: str = ""
    document: str = ""
    """The id of the document that holds its text; empty if there is none."""
    status: Status = "not_read"
    note: str = ""
    """Why it was not read, where it stands by now, or which source has the same text."""
    dated: str = ""
    """The day of its last change or of its publication, as its page says."""
    cited: int = 0
    """How many sentences cite it."""
    bears: int = 0
    """How many of those it supports, alone or with others."""
    contradicts: int = 0
    """How many of those it contradicts."""


@dataclass(frozen=True, kw_only=True)
class Citation:
    """A sentence with what its marks are worth; `draft[start:end]`, its marks may follow."""

    start: int
    end: int
    text: str
    finding: Finding
    cites: tuple[str, ...] = ()
    """The keys of its marks."""
    bearers: tuple[str, ...] = ()
    """The keys of the sources that support it, cited or not; a document's id where it has none."""
    idle: tuple[str, ...] = ()
    """The keys of its marks that say none of it, where another one supports all."""
    evidence: tuple[Quote, ...] = ()
    explanation: str = ""
    claims: tuple[str, ...] = ()
    """The ids of its claims."""


class CiteContext(VerifyingContext):
    """The settings of auditing and repairing citations."""

    ROLES = ("extract", "verify", "correct", "revise")
    MOVES_MARKS = True

    max_links: Annotated[int, Field(ge=0, le=1000), Capped()] = 100
    """The most links of the references to open; 0: none, only given documents are read."""


class CiteRequest(CorrectionRequest):
    """A draft whose citations to audit: fields, or a chat whose last message is the draft."""

    draft: Annotated[str, Field(examples=["She was born in 1865 [1].\n\n[1]: Curie"])] = ""
    """The text with its marks and references; it must be there."""
    documents: Annotated[
        list[GivenDocument], Field(examples=[[{"title": "Curie", "text": "Born in 1867 …"}]])
    ] = []
    """Sources, each known by its address, its title or the key of its mark; a corpus and the links
    of the references provide more."""
    messages: Annotated[list[AnyMessage], add_messages] = []
    """A chat in place of question and draft: its last message is the draft."""


class Cite(Rac):
    """What a run carries from step to step."""

    REQUEST = CiteRequest
    CONTEXT = CiteContext
    TRAIL = ("citations", "sources", "fixes")

    sentences: list[CitedSentence] = []
    references: list[Reference] = []
    sources: list[Source] = []
    citations: list[Citation] = []

    @property
    def known(self) -> set[str]:
        """The keys of the draft's references."""
        return {reference.key for reference in self.references}
