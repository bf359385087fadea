"""Read this first: what RAC takes, carries, gives, and lets a run set."""

from operator import add
from typing import Annotated, Any, ClassVar, Literal

from langgraph.runtime import Runtime
from pydantic import ConfigDict, Field

from errata.nodes.context import editable
from errata.nodes.state import CorrectionContext, CorrectionRequest, CorrectionResult
from errata.nodes.step import billed
from errata.records import Claim, Edit, Fix, ResponseLabel, Verdict

ROLES = ("generate", "extract", "verify", "correct", "revise")


class RacContext(CorrectionContext):
    """Hold RAC's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ROLES
    CASCADES: ClassVar[tuple[str, ...]] = ("verify",)

    rag: bool = True
    """With RAG, verify first and correct only what is refuted; without, correct every claim."""
    answers: Literal["long", "short"] = "long"
    """Which of table 8's prompts to use: Biography's (long) or TruthfulQA's (short)."""
    claims_per_call: Annotated[int, Field(ge=1)] = 50
    """How many claims a model judges in one reply; a longer draft takes several, at once."""
    sure_above: Annotated[float, Field(ge=0, le=1)] = 0.8
    """Where local code and a model share verify: a claim scored above this needs no model."""
    sure_below: Annotated[float, Field(ge=0, le=1)] = 0.2
    """Where local code and a model share verify: a claim scored below this needs no model."""
    strips_per_claim: Annotated[int, Field(ge=0)] = 0
    """Show a model that corrects a claim only so many best strips; 0: the documents whole."""
    keep_all_true: bool = False
    """Return a draft with no refuted claim as it is (KAT, section 4.4)."""
    drop_not_mentioned: bool = False
    """Leave out claims that the documents do not mention (section 4.3, equation 9)."""
    unsupported: Literal["flag", "drop"] = "flag"
    """What becomes of unsupported claims that nothing corrects: reported only, or taken out."""
    drop_below: Annotated[float, Field(ge=0, le=1)] = 0.2
    """Of claims with a score, take out only those scored below this."""
    revision: Literal["sentences", "draft"] = "sentences"
    """What a model rewrites: sentences that hold fixed claims, or the draft (the paper's form)."""
    generate_prompt: str = editable("rac/generate.rag.v1")
    """What a model that writes the draft with RAG is asked."""
    extract_prompt: str = editable("rac/extract.v1")
    """What a model that splits the draft into claims is asked."""
    verify_prompt: str = editable("rac/verify.v1")
    """What a model that judges claims is asked."""
    correct_prompt: str = editable("rac/correct.v1")
    """What a model that corrects a claim with RAG is asked."""
    revise_prompt: str = editable("rac/revise.sentence.v1")
    """What a model that revises a sentence is asked."""


class Request(CorrectionRequest):
    """Ask for a correction: by fields, or by a chat."""

    model_config = ConfigDict(title="RAC: correct a draft", use_attribute_docstrings=True)


class Rac(Request):
    """Carry a run from step to step."""

    claims: list[Claim] = []
    verdicts: list[Verdict] = []
    fixes: list[Fix] = []
    """What correct made of each claim that it changed or takes out."""
    edits: list[Edit] = []
    response: str = ""
    changed: bool = False
    label: ResponseLabel = "not_mentioned"
    method: str = "rac"
    usage: Annotated[dict[str, Any], billed] = {}
    notes: Annotated[list[str], add] = []


class Result(CorrectionResult):
    """Give a Correction's fields, and the response as a chat message."""

    method: str = "rac"


def settings(runtime: Runtime[RacContext] | None) -> RacContext:
    """Give the run's settings; LangGraph has none where the caller gave none, or edits a state."""
    return (runtime and runtime.context) or RacContext()
