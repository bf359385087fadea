"""Read this first: what RE-EX takes, carries, gives, and lets a run set."""

from operator import add
from typing import Annotated, Any, ClassVar, Literal

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from errata.nodes.searching import SearchContext
from errata.nodes.step import billed
from errata.records import (
    Claim,
    Document,
    Edit,
    Explanation,
    Fix,
    ResponseLabel,
    SubAnswer,
    Usage,
    Verdict,
)


class ReexContext(SearchContext):
    """Hold RE-EX's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ("ask", "answer", "explain", "revise")

    steps: Literal[1, 2] = 2
    """Explain and revise in two prompts, or in one (section 2)."""
    evidence: Literal["external", "internal", "none"] = "external"
    """Answer sub-questions by search and documents, by the model itself, or not (table 3)."""
    explanation: bool = True
    """Explain the errors before revising; without, revise by the answers alone (table 3)."""
    max_questions: Annotated[int, Field(ge=1)] = 20
    """Ask at most this many sub-questions."""
    filter_evidence: bool = True
    """Keep of each answer only what speaks of its question; without, all of it (the paper)."""
    strips_per_question: Annotated[int, Field(ge=1)] = 3
    """How many strips a filtered answer holds at most."""
    evidence_tokens: Annotated[int, Field(ge=50)] = 1500
    """How many tokens the filtered answers hold in all; the best are kept."""
    revision: Literal["draft", "sentences"] = "draft"
    """What a model rewrites: the draft (the paper's form), or the sentences that hold errors."""
    guard: bool = True
    """Drop edits of a model's rewriting that lose supported content or add unsupported."""
    check_only: bool = False
    """Stop at the explanations; the response is the draft."""


class Request(BaseModel):
    """Ask for a correction: by fields, or by a chat whose last message is the draft."""

    model_config = ConfigDict(title="RE-EX: explain and revise", use_attribute_docstrings=True)

    question: Annotated[str, Field(examples=["Who was Marie Curie?"])] = ""
    """What the draft answers."""
    draft: Annotated[str, Field(examples=["Marie Curie was born in Warsaw in 1865."])] = ""
    """The text to correct."""
    documents: Annotated[
        list[Document], Field(examples=[[{"text": "Marie Curie (born 7 November 1867) …"}]])
    ] = []
    """What to correct it by; a corpus or a search may serve instead."""
    messages: Annotated[list[AnyMessage], add_messages] = []
    """The chat face: a question from a person, and the answer to correct."""


class Reex(Request):
    """Carry a run from step to step."""

    claims: list[Claim] = []
    questions: list[str] = []
    """The sub-questions."""
    answers: list[SubAnswer] = []
    explanations: list[Explanation] = []
    explained: bool = False
    """Whether anything looked for errors, and its reply could be read."""
    fixes: list[Fix] = []
    """What the local filler of explain would put in place of what it found wrong."""
    verdicts: list[Verdict] = []
    edits: list[Edit] = []
    response: str = ""
    changed: bool = False
    label: ResponseLabel = "not_mentioned"
    method: str = "reex"
    usage: Annotated[dict[str, Any], billed] = {}
    notes: Annotated[list[str], add] = []


class Result(BaseModel):
    """Give a Correction's fields, and the response as a chat message."""

    method: str = "reex"
    question: str = ""
    draft: str = ""
    response: str = ""
    changed: bool = False
    label: ResponseLabel = "not_mentioned"
    claims: list[Claim] = []
    verdicts: list[Verdict] = []
    edits: list[Edit] = []
    documents: list[Document] = []
    usage: Usage = Usage()
    notes: list[str] = []
    messages: Annotated[list[AnyMessage], add_messages] = []


def settings(runtime: Runtime[ReexContext]) -> ReexContext:
    """Give the run's settings; LangGraph passes None where the caller gave none."""
    return runtime.context or ReexContext()
