"""What the methods that correct a draft take, carry and give."""

from typing import Annotated, Any, ClassVar, Literal

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import BaseModel, ConfigDict, Field

from errata.core.records import (
    Claim,
    Document,
    Edit,
    ResponseLabel,
    Skipped,
    Usage,
    Verdict,
)
from errata.nodes.checked import checked
from errata.nodes.context import Context
from errata.nodes.settings import Remote
from errata.nodes.step import add_notes, add_prompts, add_samples, add_usage
from errata.tools.retrieval.langchain import GivenDocument


class CorrectionContext(Context):
    """The settings that the methods which correct a draft share."""

    DECIDING: ClassVar[str] = "verify"
    """The role that finds the errors: where its model fails, nothing was judged."""

    guard: Annotated[bool, Remote.FREE] = True
    """Leave a sentence as it was if a model's revision of it loses supported content, or adds facts
    that are in no document and no correction."""
    reread: Annotated[bool, Remote.FREE] = True
    """Read the revised text once more: mend what it says twice or leaves open, or note it."""
    check_only: Annotated[bool, Remote.FREE] = False
    """Judge and change nothing: the response is the draft."""
    review: Annotated[Literal["none", "all", "refuted", "low_confidence"], Remote.FREE] = "none"
    """Which edits wait for a person: none, all, those of refuted claims, or the unsure ones."""
    review_below: Annotated[float, Field(ge=0, le=1), Remote.FREE] = 0.9
    """With `low_confidence`: review an edit if the probability that its claim is wrong is below
    this, or unknown."""

    @property
    def deciding_role(self) -> str:
        """The role that finds the errors under these settings."""
        return self.DECIDING

    @property
    def draft_template(self) -> str:
        """The template by which a model writes a draft, in a method with a role `generate`."""
        return f"{self.method_name()}/generate"


@checked
class CorrectionRequest(BaseModel):
    """A request for a correction: fields, or a chat whose last message is a question or a draft."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    question: Annotated[str, Field(examples=["Who was Marie Curie?"])] = ""
    """What the draft answers."""
    draft: Annotated[str, Field(examples=["Marie Curie was born in Warsaw in 1865."])] = ""
    """The text to correct; if it is empty, RAC writes one first."""
    documents: Annotated[
        list[GivenDocument], Field(examples=[[{"text": "Marie Curie (born 7 November 1867) …"}]])
    ] = []
    """The evidence to correct it by; a corpus may provide more."""
    messages: Annotated[list[AnyMessage], add_messages] = []
    """A chat in place of question and draft: a question, and perhaps the answer to correct."""


@checked
class CorrectionState(CorrectionRequest):
    """What a run carries from step to step; a method adds its own fields."""

    REQUEST: ClassVar[type[BaseModel]] = CorrectionRequest
    CONTEXT: ClassVar[type[CorrectionContext]] = CorrectionContext
    TRAIL: ClassVar[tuple[str, ...]] = ()
    """The method's own fields that the result hands out as its trail."""

    claims: list[Claim] = []
    verdicts: list[Verdict] = []
    edits: list[Edit] = []
    skipped: list[Skipped] = []
    """What of the draft claims nothing, and so is not checked."""
    unmended: list[str] = []
    """The refuted claims that stay in the response, by id."""
    under_review: dict[str, str] = {}
    """The edits that a person decides on, by id, each with the setting that put it there."""
    response: str = ""
    changed: bool = False
    label: ResponseLabel = "not_mentioned"
    method: str = ""
    trail: dict[str, Any] = {}
    usage: Annotated[dict[str, Any], add_usage] = {}
    """A Usage as JSON; every step adds its share."""
    prompts: Annotated[dict[str, str], add_prompts] = {}
    notes: Annotated[list[str], add_notes] = []
    samples: Annotated[dict[str, int], add_samples] = {}
    """How often the run has asked a model the same, by a digest of what was asked."""


class CorrectionResult(BaseModel):
    """A Correction's fields, and the response as a chat message."""

    method: str = ""
    question: str = ""
    draft: str = ""
    response: str = ""
    changed: bool = False
    label: ResponseLabel = "not_mentioned"
    claims: list[Claim] = []
    verdicts: list[Verdict] = []
    edits: list[Edit] = []
    skipped: list[Skipped] = []
    unmended: list[str] = []
    documents: list[Document] = []
    trail: dict[str, Any] = {}
    usage: Usage = Usage()
    prompts: dict[str, str] = {}
    notes: list[str] = []
    messages: Annotated[list[AnyMessage], add_messages] = []
