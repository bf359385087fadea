"""Read this first: what RAC takes, carries, gives, and lets a run set."""

from typing import Annotated, ClassVar, Literal

from pydantic import ConfigDict, Field

from errata.nodes.context import EditablePrompt, editable
from errata.nodes.settings import Flag, Remote
from errata.nodes.state import (
    CorrectionContext,
    CorrectionRequest,
    CorrectionResult,
    CorrectionState,
)
from errata.records import Fix

ROLES = ("generate", "extract", "verify", "correct", "revise")


class RacContext(CorrectionContext):
    """RAC's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ROLES
    CASCADES: ClassVar[tuple[str, ...]] = ("verify",)

    rag: Annotated[bool, Remote.FREE, Flag(check=False)] = True
    """With RAG, verify first and correct only what is refuted; without, correct every claim."""
    answers: Annotated[Literal["long", "short"], Remote.FREE, Flag(check=False)] = "long"
    """Which of table 8's prompts to use: Biography's (long) or TruthfulQA's (short)."""
    claims_per_call: Annotated[int, Field(ge=1), Remote.FREE] = 50
    """How many claims a model judges in one reply; a longer draft takes several, at once."""
    sure_above: Annotated[float, Field(ge=0, le=1), Remote.FREE] = 0.8
    """Where local code and a model share verify: a claim scored above this needs no model."""
    sure_below: Annotated[float, Field(ge=0, le=1), Remote.FREE] = 0.2
    """Where local code and a model share verify: a claim scored below this needs no model."""
    strips_per_claim: Annotated[int, Field(ge=0), Remote.FREE] = 0
    """Show a model that corrects a claim only so many best strips; 0: the documents whole."""
    keep_all_true: Annotated[bool, Remote.FREE, Flag(check=False)] = False
    """Return a draft with no refuted claim as it is (KAT, section 4.4)."""
    drop_not_mentioned: Annotated[bool, Remote.FREE, Flag(check=False)] = False
    """Leave out claims that the documents do not mention (section 4.3, equation 9)."""
    unsupported: Annotated[Literal["flag", "drop"], Remote.FREE, Flag(check=False)] = "flag"
    """What becomes of unsupported claims that nothing corrects: reported only, or taken out."""
    drop_below: Annotated[float, Field(ge=0, le=1), Remote.FREE] = 0.2
    """Of claims with a score, take out only those scored below this."""
    revision: Annotated[Literal["sentences", "draft"], Remote.FREE] = "sentences"
    """What a model rewrites: sentences that hold fixed claims, or the draft (the paper's form)."""
    generate_prompt: EditablePrompt = editable("rac/generate.rag.v1")
    """What a model that writes the draft with RAG is asked."""
    extract_prompt: EditablePrompt = editable("rac/extract.v1")
    """What a model that splits the draft into claims is asked."""
    verify_prompt: EditablePrompt = editable("rac/verify.v1")
    """What a model that judges claims is asked."""
    correct_prompt: EditablePrompt = editable("rac/correct.v1")
    """What a model that corrects a claim with RAG is asked."""
    revise_prompt: EditablePrompt = editable("rac/revise.sentence.v1")
    """What a model that revises a sentence is asked."""

    @property
    def deciding_role(self) -> str:
        """Verify with RAG and in a check; without, correcting alone tells what was wrong."""
        return "verify" if self.rag or self.check_only else "correct"

    @property
    def draft_template(self) -> str:
        """The prompt of table 8 for the run's form of answer."""
        if not self.rag:
            return "rac/generate.v1"
        return "rac/generate.rag.short.v1" if self.answers == "short" else "rac/generate.rag.v1"


class Request(CorrectionRequest):
    """A request for a correction: fields, or a chat."""

    model_config = ConfigDict(title="RAC: correct a draft", use_attribute_docstrings=True)


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
