"""Read this first: what CRAG takes, carries, gives, lets a run set, and which way a run goes."""

from typing import Annotated, Any, ClassVar, Literal

from langgraph.runtime import Runtime
from pydantic import Field

from errata.core.errors import SettingError
from errata.core.records import Action, Knowledge
from errata.nodes.answer import Origin
from errata.nodes.run_settings import ModelSpec
from errata.nodes.settings import Published
from errata.nodes.state import AnswerContext, AnswerState
from errata.tools.judges.evaluator import Evaluator, LocalEvaluator, evaluator_for, is_evaluator

FLOOR = -0.5
"""The score that a strip needs in the paper (appendix B.3)."""
WEB = (
    Published("strip_top_k", 5, "appendix B.3, internal knowledge"),
    Published("strip_threshold", FLOOR, "appendix B.3, internal knowledge"),
    Published("rewriting", True, "section 4.5; table 3"),
    Published("search_top_k", 5, "appendix B.3, external knowledge"),
    Published("selection", True, "appendix B.3, external knowledge; table 3"),
)
"""The search of the published form."""


class WebContext(AnswerContext):
    """The settings of CRAG's search, for CRAG and for what its tables compare with it."""

    ROLES: ClassVar[tuple[str, ...]] = ("evaluate", "rewrite")
    PROMPTS: ClassVar[tuple[str, ...]] = ("crag",)
    JUDGES: ClassVar[bool] = False
    """Whether a chat model may evaluate documents, too; where strips alone are scored, none can."""
    LEAST: ClassVar[int] = 0
    """The strips that a model reads of what no score speaks for (section 4.3: none)."""

    strip_top_k: Annotated[int, Field(ge=1)] = 5
    """The most strips to keep (appendix B.3)."""
    strip_threshold: Annotated[float | None, Field(ge=-1, le=1)] = None
    """Drop strips scored below this; None: -0.5 where a model reads the strips that `local` scored,
    else the evaluator's own threshold."""
    rewriting: bool = True
    """Rewrite the question into at most three keywords for the search (table 3)."""
    search_top_k: Annotated[int, Field(ge=1, le=20)] = 5
    """The most web pages to read (appendix B.3)."""
    selection: bool = True
    """Select paragraphs of the pages; without, the whole pages are the knowledge (table 3)."""

    def check_spec(self, role: str, spec: ModelSpec) -> None:
        """Raise SettingError for what cannot fill a role; `evaluate` takes an evaluator."""
        if role == "evaluate" and is_evaluator(spec):
            evaluator_for(spec)
        elif role == "evaluate" and not self.JUDGES:
            raise SettingError(
                f"evaluate={spec!r}: in {self.method_name()} an evaluator alone can fill this "
                "role, such as local or t5:FOLDER"
            )
        else:
            super().check_spec(role, spec)

    def models_named(self, role: str) -> tuple[Any, ...]:
        """What names a role's models; none for local code and for an evaluator."""
        return () if role == "evaluate" and self.evaluator else super().models_named(role)

    @property
    def evaluator(self) -> Evaluator | None:
        """What scores documents; None where a chat model does."""
        spec = self.roles.get("evaluate", "local")
        return evaluator_for(spec) if is_evaluator(spec) else None

    @property
    def chooses(self) -> bool:
        """Whether a model reads strips by our rules; with a threshold, by the paper's."""
        return self.strip_threshold is None and self.by_model("generate")

    @property
    def kept(self) -> int:
        """The strips to keep where no score speaks for any; local code would answer from them."""
        return self.LEAST if self.chooses else 0

    @property
    def floor(self) -> float:
        """The score that a strip needs: the run's, for a model the paper's, or the evaluator's."""
        if self.strip_threshold is not None:
            return self.strip_threshold
        own = self.strip_evaluator
        is_read = self.by_model("generate") and isinstance(own, LocalEvaluator)
        return FLOOR if is_read else own.floor

    @property
    def strip_evaluator(self) -> Evaluator:
        """What scores strips and paragraphs: local code where a chat model evaluates."""
        return self.evaluator or super().strip_evaluator


THRESHOLDS: dict[str, tuple[float, float]] = {
    "popqa": (0.59, -0.99),
    "pubhealth": (0.5, -0.91),
    "arc": (0.5, -0.91),
    "biography": (0.95, -0.91),
}
"""The paper's upper and lower thresholds for its T5 evaluator (appendix B.3)."""
ACTIONS: tuple[Action, ...] = ("correct", "incorrect", "ambiguous")
KNOWLEDGE = (
    Published("actions", ACTIONS, "section 4.3"),
    Published("refinement", True, "section 4.4; table 3"),
    Published("strips", "excerption", "section 4.4; appendix B.3"),
    *WEB,
)
"""The published form of what comes before the answer."""


class KnowledgeContext(WebContext):
    """The settings of CRAG's steps up to the knowledge, whatever then answers."""

    JUDGES = True
    LEAST = 2

    evaluation: Literal["direct", "cot", "few_shot"] = "direct"
    """How a chat model evaluates (tables 8 to 10), if `roles` names one for `evaluate`."""
    upper: Annotated[float | None, Field(ge=-1, le=1)] = None
    """If any document scores above this, the retrieval is correct; None: the evaluator's own."""
    lower: Annotated[float | None, Field(ge=-1, le=1)] = None
    """If all documents score below this, the retrieval is incorrect; None: the evaluator's own."""
    actions: tuple[Action, ...] = ACTIONS
    """The allowed actions; without one, or with one alone, the ablations of tables 2 and 11."""
    refinement: bool = True
    """Refine documents into strips; without, the whole documents are the knowledge (table 3)."""
    strips: Literal["excerption", "fixed_num", "selection"] = "excerption"
    """Cut documents into strips of three sentences, of fifty words, or not at all."""

    @property
    def answers_first(self) -> bool:
        """Whether the documents are answered from before the web is searched."""
        return False

    def check(self) -> None:
        """Refuse a run without any action, too."""
        super().check()
        if not self.actions:
            raise SettingError(f"actions is empty; allow some of {', '.join(ACTIONS)}")


class CragContext(KnowledgeContext):
    """CRAG's settings."""

    ROLES = (*KnowledgeContext.ROLES, "generate")
    PAPER = (
        Published("top_k", 10, "section 4.2: ten documents for a question"),
        Published("abstain", False, "section 4.1, algorithm 1: the generator always answers"),
        Published("prompts", {"generate": "crag/generate.v3"}, "section 4.1: the same"),
        *KNOWLEDGE,
    )

    searching: Literal["action", "needed"] = "action"
    """`action`: search where the action says so; `needed`: where the documents' answer is from
    memory, a guess, or none."""

    @property
    def answers_first(self) -> bool:
        """Whether they are, as `searching` says, if there is anything to search."""
        return self.searching == "needed" and self.search != "none"


class Crag(AnswerState):
    """What a run carries from step to step; refining and searching may go side by side."""

    CONTEXT: ClassVar[type[AnswerContext]] = CragContext

    action: Action | Literal[""] = "ambiguous"
    internal: list[Knowledge] = []
    """Strips of what was retrieved."""
    attempted: tuple[str, Origin] | None = None
    """An answer by the documents that these do not hold, and its origin."""


Way = Literal["documents", "web"]


def after_evaluate(state: Crag, runtime: Runtime[KnowledgeContext]) -> list[Way]:
    """Refine what is correct, search where it is incorrect, do both at once between (4.3)."""
    context = runtime.context
    discarded = state.action == "incorrect" and not context.kept
    waits = context.answers_first and bool(state.documents) and not discarded
    searches = state.action != "correct" and not waits
    ways: dict[Way, bool] = {"documents": not discarded, "web": searches}
    return [way for way, taken in ways.items() if taken]


def after_refine(state: Crag, runtime: Runtime[CragContext]) -> Literal["attempt", "generate"]:
    """Answer from the documents alone where a search waits for that."""
    return "attempt" if runtime.context.answers_first and state.documents else "generate"


def after_attempt(state: Crag) -> Literal["answered", "search"]:
    """Search for what the documents do not answer."""
    return "answered" if state.response else "search"


def after_knowledge(state: Crag) -> Literal["answered", "generate"]:
    """Answer unless the documents have done so."""
    return "answered" if state.response else "generate"
