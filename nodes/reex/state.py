"""Read this first: what RE-EX takes, carries, gives, and lets a run set."""

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from errata.nodes.context import EditablePrompt, editable
from errata.nodes.search import SearchContext
from errata.nodes.settings import Flag, Remote
from errata.nodes.state import (
    CorrectionContext,
    CorrectionRequest,
    CorrectionResult,
    CorrectionState,
)
from errata.records import Explanation, Fix, SubAnswer


class ReexContext(SearchContext, CorrectionContext):
    """RE-EX's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ("ask", "answer", "explain", "revise")
    DECIDING: ClassVar[str] = "explain"

    steps: Annotated[Literal[1, 2], Remote.FREE, Flag()] = 2
    """Explain and revise in two prompts, or in one (section 2)."""
    evidence: Annotated[Literal["external", "internal", "none"], Remote.FREE, Flag()] = "external"
    """Answer sub-questions by search and documents, by the model itself, or not (table 3)."""
    explanation: Annotated[bool, Remote.FREE] = True
    """Explain the errors before revising; without, revise by the answers alone (table 3)."""
    max_questions: Annotated[int, Field(ge=1), Remote.CAPPED] = 20
    """Ask at most this many sub-questions."""
    filter_evidence: Annotated[bool, Remote.FREE] = True
    """Keep of each answer only what speaks of its question; without, all of it (the paper)."""
    strips_per_question: Annotated[int, Field(ge=1), Remote.FREE] = 3
    """How many strips a filtered answer holds at most."""
    evidence_tokens: Annotated[int, Field(ge=50), Remote.CAPPED] = 1500
    """How many tokens the filtered answers hold in all; the best are kept."""
    revision: Annotated[Literal["draft", "sentences"], Remote.FREE] = "draft"
    """What a model rewrites: the draft (the paper's form), or the sentences that hold errors."""
    ask_prompt: EditablePrompt = editable("reex/ask.v1")
    """What a model that asks sub-questions is asked."""
    answer_prompt: EditablePrompt = editable("reex/answer.v1")
    """What a model that answers them from what it knows is asked."""
    explain_prompt: EditablePrompt = editable("reex/explain.v1")
    """What a model that explains errors is asked."""
    revise_prompt: EditablePrompt = editable("reex/revise.v1")
    """What a model that revises by explanations is asked."""
    explain_and_revise_prompt: EditablePrompt = editable("reex/explain_and_revise.v1")
    """What a model that does both at once is asked."""


class Request(CorrectionRequest):
    """A request for a correction: fields, or a chat."""

    model_config = ConfigDict(title="RE-EX: explain and revise", use_attribute_docstrings=True)


class Reex(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT: ClassVar[type[CorrectionContext]] = ReexContext
    TRAIL: ClassVar[tuple[str, ...]] = ("questions", "answers", "explanations")

    method: str = "reex"
    questions: list[str] = []
    """The sub-questions."""
    answers: list[SubAnswer] = []
    explanations: list[Explanation] = []
    explained: bool = False
    """Whether errors were looked for, by a model whose reply could be read or by local code."""
    fixes: list[Fix] = []
    """What the local filler of explain would put in place of the errors."""


class Result(CorrectionResult):
    """A Correction's fields, and the response as a chat message."""

    method: str = "reex"
