"""Read this first: what RE-EX takes, carries, gives, and lets a run set."""

from operator import add
from typing import Annotated, Any, ClassVar, Literal

from langgraph.runtime import Runtime
from pydantic import ConfigDict, Field

from errata.nodes.context import editable
from errata.nodes.search import SearchContext
from errata.nodes.state import CorrectionContext, CorrectionRequest, CorrectionResult
from errata.nodes.step import billed
from errata.records import (
    Claim,
    Edit,
    Explanation,
    Fix,
    ResponseLabel,
    SubAnswer,
    Verdict,
)


class ReexContext(SearchContext, CorrectionContext):
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
    ask_prompt: str = editable("reex/ask.v1")
    """What a model that asks sub-questions is asked."""
    answer_prompt: str = editable("reex/answer.v1")
    """What a model that answers them from what it knows is asked."""
    explain_prompt: str = editable("reex/explain.v1")
    """What a model that explains errors is asked."""
    revise_prompt: str = editable("reex/revise.v1")
    """What a model that revises by explanations is asked."""
    explain_and_revise_prompt: str = editable("reex/explain_and_revise.v1")
    """What a model that does both at once is asked."""


class Request(CorrectionRequest):
    """Ask for a correction: by fields, or by a chat."""

    model_config = ConfigDict(title="RE-EX: explain and revise", use_attribute_docstrings=True)


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


class Result(CorrectionResult):
    """Give a Correction's fields, and the response as a chat message."""

    method: str = "reex"


def settings(runtime: Runtime[ReexContext] | None) -> ReexContext:
    """Give the run's settings; LangGraph has none where the caller gave none, or edits a state."""
    return (runtime and runtime.context) or ReexContext()
