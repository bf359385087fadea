"""What methods take, carry, give and declare: those that correct a draft, those that answer."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, get_type_hints

from langchain_core.messages import AnyMessage
from langgraph.channels import LastValue
from langgraph.graph.message import add_messages
from pydantic import BaseModel, ConfigDict, Field, ValidationError, create_model

from errata.core.errors import InputError
from errata.core.jsonable import adapter_of, describe_faults, from_json, to_json
from errata.core.records import (
    Action,
    Answer,
    Claim,
    Correction,
    Document,
    Edit,
    Knowledge,
    ResponseLabel,
    SearchResult,
    Skipped,
    Verdict,
)
from errata.nodes.context import Context, SearchContext
from errata.nodes.step import MethodGraph, add_entries, add_notes, add_usage
from errata.tools.judges.evaluator import Evaluator, evaluator_for
from errata.tools.retrieval.langchain import GivenDocument

NAME = "errata"
"""The author of our own messages, which are no drafts to correct."""
Task = Literal["", "popqa", "pubhealth", "arc", "biography"]


class Checked(LastValue[Any]):
    """A field of a state, which refuses values of another type when they are written.

    LangGraph checks values when a step reads them, which is too late: a malformed value would stop
    every later run on the thread.
    """

    def update(self, values: Sequence[Any]) -> bool:
        """Take the value of a step, or of whoever edits the state. Raises InputError."""
        for value in values:
            try:
                adapter_of(self.typ).validate_python(value)
            except ValidationError as error:
                faults = describe_faults(error, self.key)
                raise InputError(f"the state cannot hold this: {faults}") from error
        return super().update(values)


def result_of(record: type[Correction] | type[Answer]) -> type[BaseModel]:
    """What a graph hands out: a record's fields but its documents, and the response in a chat."""
    hints, fields = get_type_hints(record), dict[str, Any]()
    for own in (each for each in dataclasses.fields(record) if each.name != "documents"):
        default = ... if own.default is dataclasses.MISSING else own.default
        if own.default_factory is not dataclasses.MISSING:
            default = own.default_factory()
        fields[own.name] = (hints[own.name], default)
    chat = Annotated[list[AnyMessage], add_messages]
    return create_model(f"{record.__name__}Result", **fields, messages=(chat, []))


class RunState(BaseModel):
    """What every run carries."""

    response: str = ""
    method: str = ""
    trail: dict[str, Any] = {}
    usage: Annotated[dict[str, Any], add_usage] = {}
    """A Usage as JSON; every step adds its share."""
    before: dict[str, Any] = {}
    """In a sub-graph, the usage of the steps before it."""
    prompts: Annotated[dict[str, str], add_entries] = {}
    """The digests of the templates that were sent, by name."""
    notes: Annotated[list[str], add_notes] = []
    samples: Annotated[dict[str, int], add_entries] = {}
    """How often the run has asked a model the same, by a digest of what was asked."""


class CorrectionContext(Context):
    """The settings that the methods which correct a draft share."""

    DECIDING: ClassVar[str] = "verify"
    """The role that finds the errors: where its model fails, nothing was judged."""

    check_only: bool = False
    """Judge and change nothing: the response is the draft."""

    @property
    def deciding_role(self) -> str:
        """The role that finds the errors under these settings."""
        return self.DECIDING

    @property
    def draft_template(self) -> str:
        """The template by which a model writes a draft, in a method with a role `generate`."""
        return f"{self.method_name()}/generate"


class RevisionContext(CorrectionContext):
    """The settings that the methods which change a draft share."""

    MOVES_MARKS: ClassVar[bool] = False
    """Whether edits may move, put in and take out citation marks."""

    guard: bool = True
    """Leave a sentence as it was if a model's revision of it loses supported content, or adds facts
    that are in no document and no correction."""
    review: Literal["none", "all", "refuted", "low_confidence"] = "none"
    """Which edits wait for a person: none, all, those of refuted claims, or the unsure ones."""
    review_below: Annotated[float, Field(ge=0, le=1)] = 0.9
    """With `low_confidence`: review an edit if the probability that its claim is wrong is below
    this, or unknown."""


class CorrectionRequest(BaseModel):
    """A request for a correction: fields, or a chat whose last message is a question or a draft."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    question: Annotated[str, Field(examples=["Who was Marie Curie?"])] = ""
    """What the draft answers."""
    draft: Annotated[str, Field(examples=["Marie Curie was born in Warsaw in 1865."])] = ""
    """The text to correct; if it is empty, the method writes one first, by the question."""
    documents: Annotated[
        list[GivenDocument], Field(examples=[[{"text": "Marie Curie (born 7 November 1867) …"}]])
    ] = []
    """The evidence to correct it by; a corpus may provide more."""
    messages: Annotated[list[AnyMessage], add_messages] = []
    """A chat in place of question and draft: a question, and perhaps the answer to correct."""
    protected: Annotated[
        list[tuple[int, int] | str], Field(examples=[["Marie Curie was born in Warsaw"]])
    ] = []
    """What no edit may change: stretches of the draft, by start and end in characters, or texts."""


class CorrectionState(CorrectionRequest, RunState):
    """What a run carries from step to step; a method adds its own fields."""

    REQUEST: ClassVar[type[BaseModel]] = CorrectionRequest
    CONTEXT: ClassVar[type[CorrectionContext]] = CorrectionContext
    RESULT: ClassVar[type[BaseModel]] = result_of(Correction)
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
    changed: bool = False
    label: ResponseLabel = "not_mentioned"


class AnswerContext(SearchContext):
    """The settings that the methods which answer a question share."""

    task: Task = ""
    """Answer in the form of a task of CRAG's paper, whose thresholds a T5 goes by: `popqa` a few
    words, `biography` a detailed text, `pubhealth` true or false, `arc` the letter of a choice."""
    abstain: bool = False
    """Give no answer that the knowledge does not hold; without, a model then answers from memory,
    with a note; local code never does."""

    @property
    def strip_evaluator(self) -> Evaluator:
        """What scores strips and paragraphs; loading it may raise OutOfTimeError."""
        return evaluator_for("local")


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


class AnswerState(AnswerRequest, RunState):
    """What a run carries from step to step; a method adds its own fields."""

    REQUEST: ClassVar[type[BaseModel]] = AnswerRequest
    CONTEXT: ClassVar[type[AnswerContext]] = AnswerContext
    RESULT: ClassVar[type[BaseModel]] = result_of(Answer)

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


def graph_of(state: type[CorrectionState] | type[AnswerState], title: str = "") -> MethodGraph:
    """A graph without nodes: from a titled request to the result, or a sub-graph between states."""
    kind = state.REQUEST
    form: dict[str, Any] = {"__doc__": kind.__doc__, "__cls_kwargs__": {"title": title}}
    ends = {
        "input_schema": create_model("Request", __base__=kind, **form),
        "output_schema": state.RESULT,
    }
    graph = MethodGraph(state, state.CONTEXT, **(ends if title else {}))
    for name, info in state.model_fields.items():
        if isinstance(graph.channels[name], LastValue):
            graph.channels[name] = Checked(info.rebuild_annotation(), name)
    return graph


_CORRECTED = ("draft", "claims", "verdicts", "edits", "unmended", "label")
"""What an answer's trail holds of its correction."""


@dataclass(frozen=True)
class Method:
    """One method, as the module of its graph declares it under the name `method`."""

    name: str
    description: str
    """What it does, in one line; `langgraph.json` says the same of what a server runs."""
    graph: Any
    """The compiled graph, without a checkpointer."""
    record: type[Correction] | type[Answer] = Correction
    answers: bool = False
    """Whether a method that corrects also answers a question that comes without a draft."""
    revises: bool = True
    """Whether it changes a draft; a method that only detects errors hands the draft out."""
    replies: Mapping[str, Any] = field(default_factory=dict)
    """A model's replies to its prompts in the tests' worked example, as a script of them says; for
    a method of another package."""

    @property
    def context(self) -> type[Context]:
        """The class of the method's settings; its `ROLES` are the steps that models may fill."""
        context: type[Context] = self.graph.builder.context_schema
        return context

    @property
    def corrects(self) -> bool:
        """Whether it corrects a draft; the others answer a question."""
        return self.record is Correction

    def read(
        self, output: Mapping[str, Any], record: type[Correction] | type[Answer] | None = None
    ) -> Correction | Answer:
        """A graph's output as its record, or as an Answer, with the correction in its trail."""
        record = record or self.record
        names, values = record.__dataclass_fields__, dict(output)
        if record is not self.record:
            trail = {name: to_json(output[name]) for name in _CORRECTED}
            values |= {**output["trail"], "trail": trail}
        return from_json(record, {name: values[name] for name in values if name in names})
