"""Read this first: what CRAG takes, carries, gives, and lets a run set."""

from typing import Annotated, Any, ClassVar, Literal

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AnyMessage
from langgraph.graph.message import add_messages
from pydantic import BaseModel, ConfigDict, Field

from errata.errors import SettingError
from errata.nodes.checked import checked
from errata.nodes.context import Filler
from errata.nodes.crag.forms import Task
from errata.nodes.profiles import Published
from errata.nodes.search import SearchContext
from errata.nodes.settings import Flag, Remote
from errata.nodes.step import add_notes, add_prompts, add_usage
from errata.nodes.templates import EditablePrompt, editable
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
    """CRAG's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ("evaluate", "rewrite", "generate")
    COMMAND: ClassVar[str] = "answer"
    PAPER: ClassVar[tuple[Published, ...]] = (
        Published("top_k", 10, "section 4.2: ten documents for a question"),
        Published("abstain", False, "section 4.1, algorithm 1: the generator always answers"),
        Published("prompts", {"generate": "crag/generate.v2"}, "section 4.1: the same"),
        Published("actions", ACTIONS, "section 4.3"),
        Published("refinement", True, "section 4.4; table 3"),
        Published("strips", "excerption", "section 4.4; appendix B.3"),
        Published("strip_top_k", 5, "appendix B.3, internal knowledge"),
        Published("strip_threshold", -0.5, "appendix B.3, internal knowledge"),
        Published("rewriting", True, "section 4.5; table 3"),
        Published("search_top_k", 5, "appendix B.3, external knowledge"),
        Published("prefer_wikipedia", True, "section 4.5; appendix B.3"),
        Published("selection", True, "appendix B.3, external knowledge; table 3"),
    )

    evaluation: Annotated[Literal["direct", "cot", "few_shot"], Remote.FREE] = "direct"
    """How a chat model evaluates (tables 8 to 10), if `roles` names one for `evaluate`."""
    task: Annotated[Task, Remote.FREE, Flag()] = ""
    """Answer in the form of a task of the paper, and use its thresholds: `popqa` a few words,
    `biography` a detailed text, `pubhealth` true or false, `arc` the letter of one choice."""
    abstain: Annotated[bool, Remote.FREE, Flag()] = False
    """Give no answer that the knowledge does not hold; without, a model then answers from memory,
    with a note. Local code never does."""
    upper: Annotated[float | None, Field(ge=-1, le=1), Remote.FREE] = None
    """If any document scores above this, the retrieval is correct; None: the evaluator's own."""
    lower: Annotated[float | None, Field(ge=-1, le=1), Remote.FREE] = None
    """If all documents score below this, the retrieval is incorrect; None: the evaluator's own."""
    actions: Annotated[tuple[Action, ...], Remote.FREE] = ACTIONS
    """The allowed actions; without one, or with one alone, the ablations of tables 2 and 11."""
    refinement: Annotated[bool, Remote.FREE] = True
    """Refine documents into strips; without, the whole documents are the knowledge (table 3)."""
    strips: Annotated[Literal["excerption", "fixed_num", "selection"], Remote.FREE] = "excerption"
    """Cut documents into strips of three sentences, of fifty words, or not at all."""
    strip_top_k: Annotated[int, Field(ge=1), Remote.FREE] = 5
    """The most strips to keep (appendix B.3)."""
    strip_threshold: Annotated[float | None, Field(ge=-1, le=1), Remote.FREE] = None
    """Drop strips scored below this; None: the evaluator's own threshold (B.3: -0.5)."""
    rewriting: Annotated[bool, Remote.FREE] = True
    """Rewrite the question into at most three keywords for the search (table 3)."""
    search_top_k: Annotated[int, Field(ge=1, le=20), Remote.FREE] = 5
    """The most web pages to read (appendix B.3)."""
    prefer_wikipedia: Annotated[bool, Remote.FREE] = True
    """Read Wikipedia's pages first (section 4.5)."""
    selection: Annotated[bool, Remote.FREE] = True
    """Select paragraphs of the pages; without, the whole pages are the knowledge (table 3)."""
    max_paragraphs: Annotated[int, Field(ge=1), Remote.CAPPED] = 40
    """Score at most this many of the pages' paragraphs, those that share most with the question."""
    evaluate_direct_prompt: EditablePrompt = editable("crag/evaluate.direct.v1")
    """The prompt for evaluating a document directly."""
    evaluate_cot_prompt: EditablePrompt = editable("crag/evaluate.cot.v1")
    """The prompt for evaluating a document after steps of reasoning."""
    evaluate_few_shot_prompt: EditablePrompt = editable("crag/evaluate.few_shot.v1")
    """The prompt for evaluating a document by examples."""
    rewrite_prompt: EditablePrompt = editable("crag/rewrite.v1")
    """The prompt for rewriting the question."""
    rewrite_chat_prompt: EditablePrompt = editable("crag/rewrite.chat.v1")
    """The prompt for rewriting a question that comes after other turns of a chat."""
    generate_prompt: EditablePrompt = editable("crag/generate.v2")
    """The prompt for answering."""
    generate_short_prompt: EditablePrompt = editable("crag/generate.short.v1")
    """The prompt for answering in a few words."""
    generate_long_prompt: EditablePrompt = editable("crag/generate.long.v1")
    """The prompt for a detailed text."""
    generate_verdict_prompt: EditablePrompt = editable("crag/generate.verdict.v1")
    """The prompt for judging a statement."""
    generate_choice_prompt: EditablePrompt = editable("crag/generate.choice.v1")
    """The prompt for choosing an answer."""

    def model_post_init(self, context: Any) -> None:
        """Refuse a run without any action before anything runs."""
        super().model_post_init(context)
        if not self.actions:
            raise SettingError(f"actions is empty; allow some of {', '.join(ACTIONS)}")

    def check_filler(self, role: str, spec: Filler) -> None:
        """Refuse what cannot fill a role of CRAG; evaluators fill `evaluate` alone.

        Raises SettingError.
        """
        if role == "evaluate" and is_evaluator(spec):
            evaluator_for(spec)
        else:
            super().check_filler(role, spec)

    def model_for(self, role: str) -> BaseChatModel | None:
        """The model that fills a role; None for local code and for an evaluator."""
        return None if role == "evaluate" and self.evaluator else super().model_for(role)

    def by_model(self, role: str) -> bool:
        """Whether a chat model fills a role; `evaluate` is local unless roles name one."""
        return super().by_model(role) and not (role == "evaluate" and self.evaluator)

    @property
    def evaluator(self) -> Evaluator | None:
        """What scores documents; None where a chat model does."""
        spec = self.roles.get("evaluate", "local")
        return evaluator_for(spec) if is_evaluator(spec) else None

    @property
    def floor(self) -> float:
        """The score that a strip needs: the run's, or the evaluator's own."""
        own = self.strip_evaluator.floor
        return own if self.strip_threshold is None else self.strip_threshold

    @property
    def strip_evaluator(self) -> Evaluator:
        """What scores strips and paragraphs: local code where a chat model evaluates."""
        return self.evaluator or evaluator_for("local")


@checked
class Request(BaseModel):
    """A request for an answer: fields, or a chat whose last message is the question."""

    model_config = ConfigDict(title="CRAG: answer a question", use_attribute_docstrings=True)

    question: Annotated[str, Field(examples=["When was Marie Curie born?"])] = ""
    """What to answer."""
    documents: Annotated[
        list[Document], Field(examples=[[{"text": "Marie Curie (born 7 November 1867) …"}]])
    ] = []
    """The retrieved documents; a corpus may provide more."""
    messages: Annotated[list[AnyMessage], add_messages] = []
    """A chat in place of the question: its last message is the question."""


@checked
class Crag(Request):
    """What a run carries from step to step; refining and searching may go side by side."""

    REQUEST: ClassVar[type[BaseModel]] = Request
    CONTEXT: ClassVar[type[SearchContext]] = CragContext

    scores: dict[str, float | None] = {}
    """The evaluator's score by the retrieved document's id."""
    action: Action = "ambiguous"
    internal: list[Knowledge] = []
    """Strips of what was retrieved."""
    queries: list[str] = []
    found: SearchResult | None = None
    """What the search engine answered."""
    pages: list[Document] = []
    """What was read on the web."""
    external: list[Knowledge] = []
    """Paragraphs of what was read."""
    knowledge: list[Knowledge] = []
    response: str = ""
    method: str = "crag"
    usage: Annotated[dict[str, Any], add_usage] = {}
    """A Usage as JSON; every step adds its share."""
    prompts: Annotated[dict[str, str], add_prompts] = {}
    notes: Annotated[list[str], add_notes] = []


class Result(BaseModel):
    """An Answer's fields, and the response as a chat message."""

    method: str = "crag"
    question: str = ""
    response: str = ""
    action: Action = "ambiguous"
    documents: list[Document] = []
    scores: dict[str, float | None] = {}
    knowledge: list[Knowledge] = []
    queries: list[str] = []
    usage: Usage = Usage()
    prompts: dict[str, str] = {}
    notes: list[str] = []
    messages: Annotated[list[AnyMessage], add_messages] = []
