"""Read this first: what CRAG takes, carries, gives, and lets a run set."""

from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from errata.core.errors import SettingError
from errata.core.records import Action, Knowledge
from errata.nodes.answers import AnswerContext, AnswerResult, AnswerState
from errata.nodes.checked import checked
from errata.nodes.context import Context
from errata.nodes.crag.web import WEB, WebContext
from errata.nodes.filled import Filler
from errata.nodes.profiles import Published
from errata.nodes.settings import Remote
from errata.nodes.templates import EditablePrompt, editable

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

    evaluation: Annotated[Literal["direct", "cot", "few_shot"], Remote.FREE] = "direct"
    """How a chat model evaluates (tables 8 to 10), if `roles` names one for `evaluate`."""
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
    evaluate_direct_prompt: EditablePrompt = editable("crag/evaluate.direct.v1")
    """The prompt for evaluating a document directly."""
    evaluate_cot_prompt: EditablePrompt = editable("crag/evaluate.cot.v1")
    """The prompt for evaluating a document after steps of reasoning."""
    evaluate_few_shot_prompt: EditablePrompt = editable("crag/evaluate.few_shot.v1")
    """The prompt for evaluating a document by examples."""

    def model_post_init(self, context: Any) -> None:
        """Refuse a run without any action before anything runs."""
        super().model_post_init(context)
        if not self.actions:
            raise SettingError(f"actions is empty; allow some of {', '.join(ACTIONS)}")

    def check_judge(self, spec: Filler) -> None:
        """Take a chat model in the role `evaluate`, too.

        Raises SettingError if the spec names none.
        """
        Context.check_filler(self, "evaluate", spec)


class CragContext(KnowledgeContext):
    """CRAG's settings."""

    ROLES: ClassVar[tuple[str, ...]] = (*KnowledgeContext.ROLES, "generate")
    PAPER: ClassVar[tuple[Published, ...]] = (
        Published("top_k", 10, "section 4.2: ten documents for a question"),
        Published("abstain", False, "section 4.1, algorithm 1: the generator always answers"),
        Published("prompts", {"generate": "crag/generate.v2"}, "section 4.1: the same"),
        *KNOWLEDGE,
    )

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


@checked
class Crag(AnswerState):
    """What a run carries from step to step; refining and searching may go side by side."""

    CONTEXT: ClassVar[type[AnswerContext]] = CragContext

    method: str = "crag"
    action: Action | Literal[""] = "ambiguous"
    internal: list[Knowledge] = []
    """Strips of what was retrieved."""


class Result(AnswerResult):
    """An Answer's fields, and the response as a chat message."""

    method: str = "crag"
