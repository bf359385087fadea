"""What the methods that correct a draft take and give."""

from typing import Annotated, Literal

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import BaseModel, ConfigDict, Field

from errata.nodes.context import Context
from errata.records import Claim, Document, Edit, ResponseLabel, Usage, Verdict


class CorrectionContext(Context):
    """Hold the settings that the methods which correct a draft share."""

    guard: bool = True
    """Drop edits of a model's rewriting that lose supported content or add unsupported."""
    check_only: bool = False
    """Stop once errors are found; the response is the draft."""
    review: Literal["none", "all", "refuted", "low_confidence"] = "none"
    """Which edits wait for a person: all, those of refuted claims, or those of unsure verdicts."""
    review_below: Annotated[float, Field(ge=0, le=1)] = 0.9
    """An edit is of low confidence where its claim is wrong with less than this probability."""


class CorrectionRequest(BaseModel):
    """Ask for a correction: by fields, or by a chat whose last message is a question or a draft."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    question: Annotated[str, Field(examples=["Who was Marie Curie?"])] = ""
    """What the draft answers."""
    draft: Annotated[str, Field(examples=["Marie Curie was born in Warsaw in 1865."])] = ""
    """The text to correct; where it is empty, RAC has one written first."""
    documents: Annotated[
        list[Document], Field(examples=[[{"text": "Marie Curie (born 7 November 1867) …"}]])
    ] = []
    """What to correct it by; a corpus may serve instead."""
    messages: Annotated[list[AnyMessage], add_messages] = []
    """The chat face: a question from a person, and perhaps an answer to correct."""


class CorrectionResult(BaseModel):
    """Give a Correction's fields, and the response as a chat message."""

    method: str = ""
    question: str = ""
    draft: str = ""
    response: str = ""
    changed: bool = False
    label: ResponseLabel = "not_mentioned"
    claims: list[Claim] = []
    verdicts: list[Verdict] = []
    edits: list[Edit] = []
    documents: list[Document] = []
    usage: Usage = Usage()
    notes: list[str] = []
    messages: Annotated[list[AnyMessage], add_messages] = []
