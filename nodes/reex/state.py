"""Read this first: what RE-EX takes, carries, gives, and lets a run set."""

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from errata.nodes.checked import checked
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
    """What answers sub-questions: search and documents, the model itself, or nothing (table 3)."""
    explanation: Annotated[bool, Remote.FREE] = True
    """Explain the errors before revising; without, revise by the answers alone (table 3)."""
    max_questions: Annotated[int, Field(ge=1), Remote.CAPPED] = 20
    """The most sub-questions to ask."""
    filter_evidence: Annotated[bool, Remote.FREE] = True
    """Answer with the relevant strips only; without, with whole documents (the paper's form)."""
    strips_per_question: Annotated[int, Field(ge=1), Remote.FREE] = 3
    """The most strips that a filtered answer may have."""
    evidence_tokens: Annotated[int, Field(ge=50), Remote.CAPPED] = 1500
    """The most tokens of all filtered answers together; the best strips are kept."""
    revision: Annotated[Literal["draft", "sentences"], Remote.FREE] = "draft"
    """What a model rewrites: the draft (the paper's form), or only the sentences with errors."""
    ask_prompt: EditablePrompt = editable("reex/ask.v1")
    """The prompt for asking sub-questions."""
    answer_prompt: EditablePrompt = editable("reex/answer.v1")
    """The prompt for answering them from the model's own knowledge."""
    explain_prompt: EditablePrompt = editable("reex/explain.v2")
    """The prompt for explaining errors."""
    revise_prompt: EditablePrompt = editable("reex/revise.v2")
    """The prompt for revising by the explanations."""
    explain_and_revise_prompt: EditablePrompt = editable("reex/explain_and_revise.v2")
    """The prompt for explaining and revising at once."""


class Request(CorrectionRequest):
    """A request for a correction: fields, or a chat."""

    model_config = ConfigDict(title="RE-EX: explain and revise", use_attribute_docstrings=True)


@checked
class Reex(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT: ClassVar[type[CorrectionContext]] = ReexContext
    TRAIL: ClassVar[tuple[str, ...]] = ("questions", "answers", "explanations")

    method: str = "reex"
    questions: list[str] = []
    """The sub-questions."""
    unasked: list[str] = []
    """Those over `max_questions`, for which nothing is looked up."""
    answers: list[SubAnswer] = []
    explanations: list[Explanation] = []
    explained: bool = False
    """Whether errors were looked for, by a model whose reply could be read or by local code."""
    not_shown: list[str] | None = None
    """The words of the draft that no answer shows, as a model has it; None where nobody said."""
    fixes: list[Fix] = []
    """The corrections that local code proposes for the errors."""


class Result(CorrectionResult):
    """A Correction's fields, and the response as a chat message."""

    method: str = "reex"
