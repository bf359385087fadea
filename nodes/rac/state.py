"""Read this first: what RAC takes, carries, gives, lets a run set, and which way a run goes."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from langgraph.runtime import Runtime
from pydantic import Field

from errata.core.records import INCONCLUSIVE, Fix
from errata.nodes.context import SearchContext
from errata.nodes.settings import Published
from errata.nodes.state import CorrectionContext, CorrectionState, RevisionContext
from errata.tools.local.mends import Mend
from errata.tools.text.questions import question_entity

ROLES = ("generate", "extract", "verify", "correct", "revise")
TASK_TOKENS = 3000
"""Tokens of documents that leave room for a draft in a context of 4,096, the paper's smallest."""
TASKS: Mapping[str, Mapping[str, Any]] = {
    "biography": {
        "search_top_k": 1,  # the first result from Wikipedia
        "cut_sections": True,  # references and the like truncated
        "max_document_tokens": TASK_TOKENS,  # to fit the input length
    },
    "truthfulqa": {
        "search_top_k": 30,  # the top 30 results
        "blocked_domains": ("leaks",),  # data-leaking results removed
        "max_document_tokens": TASK_TOKENS,  # a fixed length
    },
}
"""What appendix A sets for the paper's tasks, where `retrieval` names one."""


class ClaimContext(RevisionContext):
    """The settings of looking claims up, judging, correcting and revising them."""

    PROMPTS: ClassVar[tuple[str, ...]] = ("rac",)

    documents_per_claim: Annotated[int, Field(ge=0, le=20)] = 3
    """The most documents to retrieve for each claim (`cite`: sentence), beside those for the
    question; 0: none."""
    claims_per_call: Annotated[int, Field(ge=1)] = 50
    """How many claims a model judges in one call; more claims take several calls at once."""
    passage_tokens: Annotated[int, Field(ge=0)] = 1800
    """The most tokens of documents that a model gets to judge claims by, and half of them to
    correct: of longer ones the sentences that cover the claims' words best; 0: the whole
    documents."""
    keep_all_true: bool = False
    """Return a draft without refuted claims unchanged (KAT, section 4.4)."""
    unsupported: Literal["flag", "drop", "hedge"] = "flag"
    """What becomes of refuted claims that cannot be corrected, and of claims that the documents do
    not mention: `flag` reports, `drop` removes (equation 9), `hedge` marks their sentences with
    `[unverified]` or `[contradicted]`. With any, a model removes a refuted claim if nothing true
    could take its place."""
    drop_below: Annotated[float, Field(ge=0, le=1)] = 0.1
    """With `unsupported=drop`: of the claims that local code or a decision model did not find
    mentioned, remove those scored at most this; below 1 only those that no document speaks of. A
    chat model gives no score."""
    revision: Literal["sentences", "draft"] = "sentences"
    """What a model rewrites: the sentences of corrected claims, or the draft."""

    @property
    def drops(self) -> bool:
        """Whether what the documents do not mention is taken out."""
        return self.unsupported == "drop"

    @property
    def marks(self) -> bool:
        """Whether what has no support is marked in the text."""
        return self.unsupported == "hedge"

    @property
    def looks_up(self) -> bool:
        """Whether the corpus is asked about each claim."""
        return bool(self.corpus) and self.documents_per_claim > 0

    if TYPE_CHECKING:  # RAC's settings; fixed in a method that only builds on its steps
        rag: bool
        answers: Literal["long", "short"]


class VerifyingContext(ClaimContext):
    """The settings of a method on RAC's steps that always verifies before it corrects."""

    CASCADES = ("verify",)
    rag: ClassVar[bool] = True  # type: ignore[misc]
    answers: ClassVar[Literal["long"]] = "long"  # type: ignore[misc]


class RacContext(SearchContext, ClaimContext):
    """RAC's settings."""

    ROLES = ROLES
    CASCADES = ("verify",)
    PAPER = (
        Published("sampling", {"top_p": 0.3}, "appendix B, GPT-3.5-turbo"),
        Published("documents_per_claim", 0, "table 1: one retrieval call in all"),
        Published("claims_per_call", 2000, "table 8: all statements in one prompt"),
        Published("passage_tokens", 0, "section 4.3, equation 8: the documents whole"),
        Published("unsupported", "flag", "section 4.3: not mentioned statements are kept"),
        Published("drop_below", 1.0, "section 4.3, equation 9: with `drop`, all not mentioned"),
        Published("keep_all_true", False, "section 4.4; with it, appendix D"),
        Published("revision", "draft", "section 3.5, equation 5"),
        Published("guard", False, "sections 3.5 and 4.4: the revision stands"),
    )

    rag: bool = True
    """With RAG, verify first and correct only refuted claims; without, correct every claim."""
    generate_with_rag: bool | None = None
    """Write the draft by the documents, or without them; None: as `rag` is (table 3)."""
    retrieval: Literal["", "biography", "truthfulqa"] = ""
    """Search and filter as the paper does for this task (appendix A); empty: by the question."""
    search_top_k: Annotated[int, Field(ge=1, le=30)] = 5
    """The most web pages to read for the question."""
    answers: Literal["long", "short"] = "long"
    """Which of table 8's prompts to use: Biography's (`long`) or TruthfulQA's (`short`)."""

    @classmethod
    def preset(cls, settings: Mapping[str, Any]) -> dict[str, Any]:
        """What a profile and the paper's retrieval for a task fill in where the run does not."""
        return {**TASKS.get(str(settings.get("retrieval")), {}), **super().preset(settings)}

    @property
    def deciding_role(self) -> str:
        """Verify with RAG and in a check; without, correcting alone tells what was wrong."""
        return "verify" if self.rag or self.check_only else "correct"

    @property
    def draft_template(self) -> str:
        """The prompt of table 8 for the run's form of answer."""
        if not (self.rag if self.generate_with_rag is None else self.generate_with_rag):
            return "rac/generate"
        return "rac/generate.rag.short" if self.answers == "short" else "rac/generate.rag"

    def for_question(self, question: str) -> Self:
        """The settings with the person whom a question is about, for the paper's biographies."""
        if self.retrieval != "biography" or self.entity:
            return self
        return self.model_copy(update={"entity": question_entity(question)})


class Rac(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT: ClassVar[type[CorrectionContext]] = RacContext
    TRAIL: ClassVar[tuple[str, ...]] = ("fixes",)

    mends: dict[str, list[Mend]] = {}
    """What verify's model puts in the place of wrong words, by the claim's id."""
    fixes: list[Fix] = []
    """What correct made of each claim that it changed or takes out."""


def keeps_all(state: Rac, context: ClaimContext) -> bool:
    """Whether the draft stays, having no refuted claim (KAT, section 4.4)."""
    return context.keep_all_true and all(v.label != "refuted" for v in state.verdicts)


Onward = Literal["with RAG", "without RAG"]


def after_extract(state: Rac, runtime: Runtime[RacContext]) -> Literal["look_up"] | Onward:
    """Look claims up where the run says so; the paper goes on with what it has."""
    looks_up = state.claims and runtime.context.looks_up
    return "look_up" if looks_up else after_look_up(state, runtime)


def after_look_up(_: Rac, runtime: Runtime[RacContext]) -> Onward:
    """Verify first with RAG and for a check; correct everything without (section 3.1)."""
    context = runtime.context
    return "with RAG" if context.rag or context.check_only else "without RAG"


def after_verify(_: Rac, runtime: Runtime[RacContext]) -> Literal["correct", "check only"]:
    """Stop at the verdicts for a check."""
    return "check only" if runtime.context.check_only else "correct"


def after_correct(
    state: Rac, runtime: Runtime[ClaimContext]
) -> Literal["revise", "nothing to revise"]:
    """Revise a draft that has something to mend or to mark, or that is to be rewritten whole.

    The paper rewrites one that is all true as well, unless KAT is set (section 4.4).
    """
    context = runtime.context
    doubted = any(verdict.label in ("refuted", *INCONCLUSIVE) for verdict in state.verdicts)
    wanted = rewrites(state, context) or (context.marks and doubted)
    return "revise" if wanted and not keeps_all(state, context) else "nothing to revise"


def rewrites(state: Rac, context: ClaimContext) -> bool:
    """Whether the draft is rewritten, and not only marked."""
    if state.fixes or context.revision == "sentences":
        return bool(state.fixes)
    bad = {"refuted", "unreadable", "unchecked"} if context.rag else {"unreadable"}
    return bool(state.claims) and all(verdict.label not in bad for verdict in state.verdicts)
