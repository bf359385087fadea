"""Read this first: what RE-EX takes, carries, gives, and lets a run set."""

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from errata.core.records import Explanation, Fix, SubAnswer
from errata.nodes.checked import checked
from errata.nodes.profiles import Published
from errata.nodes.search import SearchContext
from errata.nodes.settings import Flag, Remote
from errata.nodes.state import (
    CorrectionContext,
    CorrectionRequest,
    CorrectionResult,
    CorrectionState,
)
from errata.nodes.templates import EditablePrompt, editable


class ReexContext(SearchContext, CorrectionContext):
    """RE-EX's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ("ask", "answer", "explain", "revise")
    DECIDING: ClassVar[str] = "explain"
    PAPER: ClassVar[tuple[Published, ...]] = (
        Published("sampling", {"temperature": 0.0}, "appendix A.1"),
        Published("steps", 2, "section 2, step 3: two-step, the better in table 2"),
        Published("evidence", "external", "section 2, step 1; table 3"),
        Published("explanation", True, "section 2, step 2; table 3"),
        Published("filter_evidence", False, "section 2, step 1: the results as they are"),
        Published("revision", "draft", "section 2, step 3; table 14"),
        Published("guard", False, "section 2, step 3: the revision stands"),
        Published("reread", False, "section 2, step 3: one revision"),
    )

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
    """The prompt for explaining errors by the answers."""
    explain_plain_prompt: EditablePrompt = editable("reex/explain.plain.v2")
    """The prompt for explaining errors without evidence."""
    revise_prompt: EditablePrompt = editable("reex/revise.v2")
    """The prompt for revising by the explanations."""
    revise_answers_prompt: EditablePrompt = editable("reex/revise.answers.v2")
    """The prompt for revising by the answers, without explanations."""
    revise_plain_prompt: EditablePrompt = editable("reex/revise.plain.v2")
    """The prompt for revising with neither."""
    revise_reread_prompt: EditablePrompt = editable("reex/revise.reread.v1")
    """The prompt for mending what the revised text says twice or leaves open."""
    explain_and_revise_prompt: EditablePrompt = editable("reex/explain_and_revise.v2")
    """The prompt for explaining and revising at once."""
    explain_and_revise_plain_prompt: EditablePrompt = editable("reex/explain_and_revise.plain.v2")
    """The prompt for explaining and revising at once, without evidence."""


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
