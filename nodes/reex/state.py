"""Read this first: what RE-EX takes, carries, gives, lets a run set; claims and ways."""

from collections.abc import Sequence
from typing import Annotated, Literal

from langgraph.runtime import Runtime
from pydantic import Field

from errata.core.edits import Spans
from errata.core.errors import SettingError
from errata.core.limits import cache_in_bounds
from errata.core.records import Claim, Explanation, Fix, SubAnswer
from errata.nodes.claims import extract_claims
from errata.nodes.context import SearchContext
from errata.nodes.settings import Capped, Published
from errata.nodes.state import CorrectionState, RevisionContext
from errata.nodes.step import in_thread_or
from errata.tools.local.extract import as_claims, sentence_places, stating_sentences
from errata.tools.text.citations import strip_marks


class ReexContext(SearchContext, RevisionContext):
    """RE-EX's settings."""

    ROLES = ("ask", "answer", "explain", "revise")
    DECIDING = "explain"
    DECIDED = ("explain",)
    PAPER = (
        Published("sampling", {"temperature": 0.0}, "appendix A.1"),
        Published("steps", 2, "section 2, step 3: two-step, the better in table 2"),
        Published("evidence", "external", "section 2, step 1; table 3"),
        Published("explanation", True, "section 2, step 2; table 3"),
        Published("filter_evidence", False, "section 2, step 1: the results as they are"),
        Published("revision", "draft", "section 2, step 3; table 14"),
        Published("guard", False, "section 2, step 3: the revision stands"),
    )

    steps: Literal[1, 2] = 2
    """Explain and revise in two prompts, or in one (section 2)."""
    evidence: Literal["external", "internal", "none"] = "external"
    """What answers sub-questions: search and documents, the model itself, or nothing (table 3)."""
    explanation: bool = True
    """Explain the errors before revising; without, revise by the answers alone (table 3)."""
    max_questions: Annotated[int, Field(ge=1), Capped()] = 20
    """The most sub-questions to ask."""
    filter_evidence: bool = True
    """Show numbered lines within a budget; without, each answer's documents."""
    evidence_tokens: Annotated[int, Field(ge=50), Capped()] = 1500
    """The most tokens of filtered evidence: whole documents if all fit, else their best strips."""
    revision: Literal["rest", "draft"] = "rest"
    """What a model rewrites: the rest, after code put in all that explanations word; or the
    draft."""

    @property
    def explainer(self) -> str:
        """The role whose chat model explains: the revising one where a decision model detects."""
        return "revise" if self.deciders("explain") else "explain"

    def check(self) -> None:
        """Refuse a decision model that would have no answers to judge by, too."""
        super().check()
        if self.deciders("explain") and self.evidence == "none":
            fault = "a decision model detects errors by answers, and evidence='none' brings none"
            raise SettingError(f"explain={self.roles['explain']!r}: {fault}; name a chat model")

    @property
    def in_lines(self) -> bool:
        """Whether a model is shown numbered lines of evidence, not an answer to each question."""
        return self.filter_evidence and self.evidence == "external"


class Reex(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT = ReexContext
    TRAIL = ("questions", "answers", "explanations")

    questions: list[str] = []
    answers: list[SubAnswer] = []
    explanations: list[Explanation] = []
    explained: bool = False
    """Whether errors were looked for, by a model whose reply could be read or by local code."""
    not_shown: list[str] | None = None
    """The words of the draft that no answer shows, as a model has it; None where nobody said."""
    fixes: list[Fix] = []
    """The corrections that local code proposes for the errors."""


Onward = Literal["two steps", "one step", "no explanation"]


def after_receive(state: Reex, runtime: Runtime[ReexContext]) -> Literal["evidence"] | Onward:
    """Ask first, unless the run does without evidence (table 3)."""
    return onward(state, runtime) if runtime.context.evidence == "none" else "evidence"


def onward(_: Reex, runtime: Runtime[ReexContext]) -> Onward:
    """Explain and revise in two steps or in one; or revise at once (tables 1 and 3)."""
    context = runtime.context
    if not context.explanation and not context.check_only:
        return "no explanation"
    return "one step" if context.steps == 1 else "two steps"


def after_explain(
    state: Reex, runtime: Runtime[ReexContext]
) -> Literal["errors", "no errors or check only"]:
    """Revise only where there is an error to mend."""
    mending = state.explanations and not runtime.context.check_only
    return "errors" if mending else "no errors or check only"


async def with_claims(state: Reex, context: ReexContext) -> Reex:
    """The state with its draft's claims, or sentences where a model explains; none without time."""

    def claims_of() -> list[Claim]:
        by_sentence = context.by_model("explain") or not context.explanation
        return _stating(state) if by_sentence else [*extract_claims(state.question, state.draft)]

    undone = "the draft was not split into claims"
    return state.model_copy(update={"claims": await in_thread_or([], undone, claims_of)})


def _stating(state: Reex) -> list[Claim]:
    """The sentences that state something, or in which an error is explained."""
    errors = by_place(state.explanations)
    stating = Spans(stating_sentences(state.draft), lambda claim: (claim.start, claim.end))
    return [
        claim
        for claim in _sentences(state.draft)
        if any(by.touching(claim.start, claim.end) for by in (errors, stating))
    ]


def by_place(explanations: Sequence[Explanation]) -> Spans[Explanation]:
    """Explanations by the place of what they explain."""
    return Spans(explanations, lambda explanation: (explanation.start, explanation.end))


@cache_in_bounds(8)
def _sentences(draft: str) -> tuple[Claim, ...]:
    places = sentence_places(draft)
    return tuple(as_claims(draft, [(strip_marks(draft[a:b]), (a, b)) for a, b in places]))
