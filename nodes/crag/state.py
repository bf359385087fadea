"""Read this first: what CRAG takes, carries, gives, and lets a run set."""

from operator import add
from typing import Annotated, Any, ClassVar, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from langgraph.runtime import Runtime
from pydantic import BaseModel, ConfigDict, Field

from errata.errors import SettingError
from errata.nodes.context import Filler, editable
from errata.nodes.search import SearchContext
from errata.nodes.step import billed
from errata.records import Action, Document, Knowledge, SearchResult, Usage
from errata.tools.judges.checkpoints import evaluator_for, is_evaluator
from errata.tools.judges.evaluator import Evaluator

THRESHOLDS: dict[str, tuple[float, float]] = {
    "popqa": (0.59, -0.99),
    "pubhealth": (0.5, -0.91),
    "arc": (0.5, -0.91),
    "biography": (0.95, -0.91),
}
"""The paper's upper and lower thresholds for its T5 evaluator (appendix B.3)."""
ACTIONS: tuple[Action, ...] = ("correct", "incorrect", "ambiguous")


class CragContext(SearchContext):
    """Hold CRAG's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ("evaluate", "rewrite", "generate")

    evaluation: Literal["direct", "cot", "few_shot"] = "direct"
    """How a chat model evaluates (tables 8 to 10); `evaluate` is local unless roles name one."""
    task: Literal["", "popqa", "pubhealth", "arc", "biography"] = ""
    """Take the paper's thresholds for this task instead of the evaluator's own."""
    upper: Annotated[float | None, Field(ge=-1, le=1)] = None
    """A document scored above this makes the retrieval correct; none: the evaluator's own."""
    lower: Annotated[float | None, Field(ge=-1, le=1)] = None
    """Where all are scored below this, the retrieval is incorrect; none: the evaluator's own."""
    actions: tuple[Action, ...] = ACTIONS
    """What may be done; leaving one out, or all but one, gives the ablations (tables 2 and 11)."""
    refinement: bool = True
    """Refine documents into strips; without, they are knowledge as they stand (table 3)."""
    strips: Literal["excerption", "fixed_num", "selection"] = "excerption"
    """Cut documents into runs of three sentences, of fifty words, or not at all."""
    strip_top_k: Annotated[int, Field(ge=1)] = 5
    """How many strips are kept (appendix B.3)."""
    strip_threshold: Annotated[float | None, Field(ge=-1, le=1)] = None
    """Strips scored below this are dropped; none: the evaluator's own (B.3: -0.5)."""
    rewriting: bool = True
    """Rewrite the question into at most three keywords for the search (table 3)."""
    search_top_k: Annotated[int, Field(ge=1, le=20)] = 5
    """How many pages are read (appendix B.3)."""
    prefer_wikipedia: bool = True
    """Read pages of Wikipedia first (section 4.5)."""
    selection: bool = True
    """Select paragraphs of the pages; without, the pages are knowledge as they stand (table 3)."""
    evaluate_prompt: str = editable("crag/evaluate.direct.v1")
    """What a model that evaluates directly is asked."""
    rewrite_prompt: str = editable("crag/rewrite.v1")
    """What a model that rewrites the question is asked."""
    generate_prompt: str = editable("crag/generate.v1")
    """What a model that answers is asked."""

    def model_post_init(self, context: Any) -> None:
        """Refuse a run without any action before anything runs."""
        super().model_post_init(context)
        if not self.actions:
            raise SettingError(f"actions is empty; allow some of {', '.join(ACTIONS)}")

    def check(self, role: str, spec: Filler) -> None:
        """Refuse what fills no role of CRAG."""
        if role == "evaluate" and is_evaluator(spec):
            evaluator_for(spec)
        else:
            super().check(role, spec)

    def filler(self, role: str) -> BaseChatModel | None:
        """Give the model that fills a role; None where code of ours or an evaluator does."""
        return None if role == "evaluate" and self.evaluator else super().filler(role)

    @property
    def evaluator(self) -> Evaluator | None:
        """Give what scores documents; None where a chat model does."""
        spec = self.roles.get("evaluate", "local")
        return evaluator_for(spec) if is_evaluator(spec) else None

    @property
    def floor(self) -> float:
        """Give the score that a strip needs: the run's, or the evaluator's own."""
        own = self.strip_evaluator.floor
        return own if self.strip_threshold is None else self.strip_threshold

    @property
    def strip_evaluator(self) -> Evaluator:
        """Give what scores strips and paragraphs: local code where a chat model evaluates."""
        return self.evaluator or evaluator_for("local")


class Request(BaseModel):
    """Ask for an answer: by fields, or by a chat whose last message is the question."""

    model_config = ConfigDict(title="CRAG: answer a question", use_attribute_docstrings=True)

    question: Annotated[str, Field(examples=["When was Marie Curie born?"])] = ""
    """What to answer."""
    documents: Annotated[
        list[Document], Field(examples=[[{"text": "Marie Curie (born 7 November 1867) …"}]])
    ] = []
    """What was retrieved; a corpus may serve instead."""
    messages: Annotated[list[AnyMessage], add_messages] = []
    """The chat face: a question from a person."""


class Crag(Request):
    """Carry a run from step to step; refining and searching may go side by side."""

    scores: dict[str, float | None] = {}
    """The evaluator's score by the retrieved document's id."""
    action: Action = "ambiguous"
    internal: list[Knowledge] = []
    """Strips of what was retrieved."""
    queries: list[str] = []
    found: SearchResult | None = None
    pages: list[Document] = []
    """What was read on the web."""
    external: list[Knowledge] = []
    """Paragraphs of what was read."""
    knowledge: list[Knowledge] = []
    response: str = ""
    method: str = "crag"
    usage: Annotated[dict[str, Any], billed] = {}
    notes: Annotated[list[str], add] = []


class Result(BaseModel):
    """Give an Answer's fields, and the response as a chat message."""

    method: str = "crag"
    question: str = ""
    response: str = ""
    action: Action = "ambiguous"
    documents: list[Document] = []
    scores: dict[str, float | None] = {}
    knowledge: list[Knowledge] = []
    queries: list[str] = []
    usage: Usage = Usage()
    notes: list[str] = []
    messages: Annotated[list[AnyMessage], add_messages] = []


def settings(runtime: Runtime[CragContext] | None) -> CragContext:
    """Give the run's settings; LangGraph has none where the caller gave none, or edits a state."""
    return (runtime and runtime.context) or CragContext()
