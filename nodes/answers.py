"""What the methods that answer a question take, carry and give."""

from typing import Annotated, Any, ClassVar, Literal

from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import BaseModel, ConfigDict, Field

from errata.core.records import Action, Document, Knowledge, SearchResult, Usage
from errata.nodes.checked import checked
from errata.nodes.forms import Task
from errata.nodes.search import SearchContext
from errata.nodes.settings import Flag, Remote
from errata.nodes.step import add_notes, add_prompts, add_samples, add_usage
from errata.tools.judges.checkpoints import evaluator_for
from errata.tools.judges.evaluator import Evaluator
from errata.tools.retrieval.langchain import GivenDocument


class AnswerContext(SearchContext):
    """The settings that the methods which answer a question share."""

    COMMAND: ClassVar[str] = "answer"

    task: Annotated[Task, Remote.FREE, Flag()] = ""
    """Answer in the form of a task of CRAG's paper, whose thresholds a T5 goes by: `popqa` a few
    words, `biography` a detailed text, `pubhealth` true or false, `arc` the letter of a choice."""
    abstain: Annotated[bool, Remote.FREE, Flag()] = False
    """Give no answer that the knowledge does not hold; without, a model then answers from memory,
    with a note. Local code never does."""

    @property
    def strip_evaluator(self) -> Evaluator:
        """What scores strips and paragraphs.

        Raises OutOfTimeError if it has to be loaded and no time is left.
        """
        return evaluator_for("local")


@checked
class AnswerRequest(BaseModel):
    """A request for an answer: fields, or a chat whose last message is the question."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    question: Annotated[str, Field(examples=["When was Marie Curie born?"])] = ""
    """What to answer."""
    documents: Annotated[
        list[GivenDocument], Field(examples=[[{"text": "Marie Curie (born 7 November 1867) …"}]])
    ] = []
    """The retrieved documents; a corpus may provide more."""
    messages: Annotated[list[AnyMessage], add_messages] = []
    """A chat in place of the question: its last message is the question."""


def request_for(method: str) -> type[AnswerRequest]:
    """The request as a method's form shows it, under the method's name."""

    class Request(AnswerRequest):
        """A request for an answer: fields, or a chat whose last message is the question."""

        model_config = ConfigDict(
            title=f"{method}: answer a question", use_attribute_docstrings=True
        )

    return Request


@checked
class AnswerState(AnswerRequest):
    """What a run carries from step to step; a method adds its own fields."""

    REQUEST: ClassVar[type[BaseModel]] = AnswerRequest
    CONTEXT: ClassVar[type[AnswerContext]] = AnswerContext

    scores: dict[str, float | None] = {}
    """How relevant each retrieved document is, in [-1, 1], by its id."""
    action: Action | Literal[""] = ""
    queries: list[str] = []
    found: SearchResult | None = None
    """What the search engine answered."""
    pages: list[Document] = []
    """What was read on the web."""
    external: list[Knowledge] = []
    """Paragraphs of what was read."""
    knowledge: list[Knowledge] = []
    response: str = ""
    method: str = ""
    trail: dict[str, Any] = {}
    usage: Annotated[dict[str, Any], add_usage] = {}
    """A Usage as JSON; every step adds its share."""
    prompts: Annotated[dict[str, str], add_prompts] = {}
    notes: Annotated[list[str], add_notes] = []
    samples: Annotated[dict[str, int], add_samples] = {}
    """How often the run has asked a model the same, by a digest of what was asked."""


class AnswerResult(BaseModel):
    """An Answer's fields, and the response as a chat message."""

    method: str = ""
    question: str = ""
    response: str = ""
    action: Action | Literal[""] = ""
    documents: list[Document] = []
    scores: dict[str, float | None] = {}
    knowledge: list[Knowledge] = []
    queries: list[str] = []
    trail: dict[str, Any] = {}
    usage: Usage = Usage()
    prompts: dict[str, str] = {}
    notes: list[str] = []
    messages: Annotated[list[AnyMessage], add_messages] = []
