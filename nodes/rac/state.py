"""Read this first: what RAC takes, carries, gives, and lets a run set."""

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from errata.nodes.checked import checked
from errata.nodes.profiles import Published
from errata.nodes.settings import Flag, Remote
from errata.nodes.state import (
    CorrectionContext,
    CorrectionRequest,
    CorrectionResult,
    CorrectionState,
)
from errata.nodes.templates import EditablePrompt, editable
from errata.records import Fix

ROLES = ("generate", "extract", "verify", "correct", "revise")


class RacContext(CorrectionContext):
    """RAC's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ROLES
    CASCADES: ClassVar[tuple[str, ...]] = ("verify",)
    PAPER: ClassVar[tuple[Published, ...]] = (
        Published("sampling", {"top_p": 0.3}, "appendix B, GPT-3.5-turbo"),
        Published("claims_per_call", 2000, "table 8: all statements in one prompt"),
        Published("strips_per_claim", 0, "section 4.3, equation 8: the documents whole"),
        Published("unsupported", "flag", "section 4.3: not mentioned statements are kept"),
        Published("drop_not_mentioned", False, "section 4.3, equation 8"),
        Published("keep_all_true", False, "section 4.4; with it, appendix D"),
        Published("revision", "draft", "section 3.5, equation 5"),
        Published("guard", False, "sections 3.5 and 4.4: the revision stands"),
    )

    rag: Annotated[bool, Remote.FREE, Flag(check=False)] = True
    """With RAG, verify first and correct only refuted claims; without, correct every claim."""
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
    generate_prompt: EditablePrompt = editable("rac/generate.v1")
    """The prompt for writing a draft without RAG."""
    generate_rag_prompt: EditablePrompt = editable("rac/generate.rag.v1")
    """The prompt for writing a long draft with RAG."""
    generate_rag_short_prompt: EditablePrompt = editable("rac/generate.rag.short.v1")
    """The prompt for writing a short draft with RAG."""
    extract_prompt: EditablePrompt = editable("rac/extract.v1")
    """The prompt for splitting the draft into claims."""
    verify_prompt: EditablePrompt = editable("rac/verify.v1")
    """The prompt for judging claims."""
    correct_prompt: EditablePrompt = editable("rac/correct.v1")
    """The prompt for correcting a refuted claim."""
    correct_all_prompt: EditablePrompt = editable("rac/correct.all.v1")
    """The prompt for correcting any claim, without RAG."""
    revise_prompt: EditablePrompt = editable("rac/revise.v1")
    """The prompt for revising a whole long draft."""
    revise_short_prompt: EditablePrompt = editable("rac/revise.short.v1")
    """The prompt for revising a whole short draft."""
    revise_sentence_prompt: EditablePrompt = editable("rac/revise.sentence.v1")
    """The prompt for revising a sentence."""

    @property
    def deciding_role(self) -> str:
        """Verify with RAG and in a check; without, correcting alone tells what was wrong."""
        return "verify" if self.rag or self.check_only else "correct"

    @property
    def draft_template(self) -> str:
        """The prompt of table 8 for the run's form of answer."""
        if not self.rag:
            return "rac/generate"
        return "rac/generate.rag.short" if self.answers == "short" else "rac/generate.rag"


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
