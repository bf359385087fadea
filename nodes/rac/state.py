"""Read this first: what RAC takes, carries, gives, and lets a run set."""

from collections.abc import Mapping
from typing import Annotated, Any, ClassVar, Literal, Self

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
from errata.records import Fix
from errata.tools.text.questions import question_entity

ROLES = ("generate", "extract", "verify", "correct", "revise")
TASK_TOKENS = 3000
"""Tokens of documents that leave room for a draft in a context of 4,096, the paper's smallest."""
TASKS: Mapping[str, Mapping[str, Any]] = {
    "biography": {"search_top_k": 1, "cut_sections": True, "max_document_tokens": TASK_TOKENS},
    "truthfulqa": {
        "search_top_k": 30,
        "blocked_domains": ("leaks",),
        "max_document_tokens": TASK_TOKENS,
    },
}
"""What appendix A sets for its tasks."""


class RacContext(SearchContext, CorrectionContext):
    """RAC's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ROLES
    CASCADES: ClassVar[tuple[str, ...]] = ("verify",)

    rag: Annotated[bool, Remote.FREE, Flag(check=False)] = True
    """With RAG, verify first and correct only refuted claims; without, correct every claim."""
    generate_with_rag: Annotated[bool | None, Remote.FREE, Flag(check=False)] = None
    """Write the draft by the documents, or without them; None: as `rag` is (table 3)."""
    retrieval: Annotated[Literal["", "biography", "truthfulqa"], Remote.FREE, Flag()] = ""
    """Search and filter as the paper does for this task (appendix A); empty: by the question."""
    search_top_k: Annotated[int, Field(ge=1, le=30), Remote.FREE] = 5
    """The most web pages to read for the question."""
    rerank: Annotated[bool, Remote.FREE] = False
    """Put what was retrieved in the order of its relevance to the question, which counts where
    `max_document_tokens` cuts the last ones (equation 2)."""
    documents_per_claim: Annotated[int, Field(ge=0, le=20), Remote.FREE, Flag()] = 3
    """The most documents to retrieve for each claim, beside those for the question; 0: none (the
    paper retrieves once)."""
    max_claim_documents: Annotated[int, Field(ge=1), Remote.CAPPED] = 50
    """The most documents to add for all claims together; the best of each claim come first."""
    claim_searches: Annotated[int, Field(ge=0, le=20), Remote.FREE, Flag()] = 0
    """The most claims to search the web for, of those that no document speaks of; 0: none."""
    answers: Annotated[Literal["long", "short"], Remote.FREE, Flag(check=False)] = "long"
    """Which of table 8's prompts to use: Biography's (`long`) or TruthfulQA's (`short`)."""
    claims_per_call: Annotated[int, Field(ge=1), Remote.FREE] = 50
    """How many claims a model judges in one call; more claims take several calls at once."""
    sure_above: Annotated[float, Field(ge=0, le=1), Remote.FREE] = 0.8
    """With `verify=local>MODEL`: claims scored above this do not go to the model."""
    sure_below: Annotated[float, Field(ge=0, le=1), Remote.FREE] = 0.2
    """With `verify=local>MODEL`: claims scored below this do not go to the model."""
    strips_per_claim: Annotated[int, Field(ge=0), Remote.FREE] = 0
    """How many of the best strips a model gets to correct a claim; 0: the whole documents."""
    keep_all_true: Annotated[bool, Remote.FREE, Flag(check=False)] = False
    """Return a draft without refuted claims unchanged (KAT, section 4.4)."""
    drop_not_mentioned: Annotated[bool, Remote.FREE, Flag(check=False)] = False
    """Remove claims that the documents do not mention (section 4.3, equation 9)."""
    unsupported: Annotated[Literal["flag", "drop"], Remote.FREE, Flag(check=False)] = "flag"
    """Unsupported claims that cannot be corrected: `flag` reports them, `drop` removes them."""
    drop_below: Annotated[float, Field(ge=0, le=1), Remote.FREE] = 0.2
    """With `unsupported=drop`: remove only claims scored below this, or without a score."""
    revision: Annotated[Literal["sentences", "draft"], Remote.FREE] = "sentences"
    """What a model rewrites: the sentences of corrected claims, or the draft (the paper's form)."""
    generate_prompt: EditablePrompt = editable("rac/generate.rag.v1")
    """The prompt for writing a draft with RAG."""
    extract_prompt: EditablePrompt = editable("rac/extract.v1")
    """The prompt for splitting the draft into claims."""
    verify_prompt: EditablePrompt = editable("rac/verify.v1")
    """The prompt for judging claims."""
    correct_prompt: EditablePrompt = editable("rac/correct.v1")
    """The prompt for correcting a claim with RAG."""
    revise_prompt: EditablePrompt = editable("rac/revise.sentence.v1")
    """The prompt for revising a sentence."""

    @property
    def deciding_role(self) -> str:
        """Verify with RAG and in a check; without, correcting alone tells what was wrong."""
        return "verify" if self.rag or self.check_only else "correct"

    @property
    def draft_template(self) -> str:
        """The prompt of table 8 for the run's form of answer."""
        if not (self.rag if self.generate_with_rag is None else self.generate_with_rag):
            return "rac/generate.v1"
        return "rac/generate.rag.short.v1" if self.answers == "short" else "rac/generate.rag.v1"

    def for_question(self, question: str) -> Self:
        """The settings with what the paper's retrieval for a task sets, where the run does not."""
        entity = {"entity": question_entity(question)} if self.retrieval == "biography" else {}
        sets = {**TASKS.get(self.retrieval, {}), **entity}
        own = self.model_fields_set
        return self.model_copy(update={name: v for name, v in sets.items() if name not in own})

    @property
    def looks_up(self) -> bool:
        """Whether the run looks for evidence on single claims."""
        in_corpus = bool(self.corpus) and self.documents_per_claim > 0
        return in_corpus or (self.search != "none" and self.claim_searches > 0)


class Request(CorrectionRequest):
    """A request for a correction: fields, or a chat."""

    model_config = ConfigDict(title="RAC: correct a draft", use_attribute_docstrings=True)


@checked
class Rac(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT: ClassVar[type[CorrectionContext]] = RacContext
    TRAIL: ClassVar[tuple[str, ...]] = ("fixes",)

    method: str = "rac"
    fixes: list[Fix] = []
    """What correct made of each claim that it changed or takes out."""


class Result(CorrectionResult):
    """A Correction's fields, and the response as a chat message."""

    method: str = "rac"
