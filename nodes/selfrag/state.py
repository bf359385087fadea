"""Read this first: what Self-RAG takes, carries, gives, and lets a run set."""

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from errata.core.records import Knowledge
from errata.nodes.answers import AnswerContext, AnswerState
from errata.nodes.checked import checked
from errata.nodes.crag.web import WEB, WebContext, of_crag
from errata.nodes.profiles import Published
from errata.nodes.settings import Flag, Remote
from errata.nodes.templates import EditablePrompt, editable
from errata.tools.local.refine import as_knowledge
from errata.tools.models.reflection import WEIGHTS, Aspect


class SelfragContext(WebContext):
    """Self-RAG's settings."""

    ROLES: ClassVar[tuple[str, ...]] = (*WebContext.ROLES, "decide", "generate")
    PAPER: ClassVar[tuple[Published, ...]] = (
        Published("top_k", 5, "section 4.3: the top five documents"),
        Published("abstain", False, "section 3.1, algorithm 1: it always answers"),
        Published("retrieval", "adaptive", "section 3.3"),
        Published("retrieval_threshold", 0.2, "section 4.3: for most tasks"),
        Published("critique_weights", WEIGHTS, "section 4.3; equations 3 and 4"),
        *of_crag(*WEB),
    )

    retrieval: Annotated[Literal["adaptive", "always", "never"], Remote.FREE, Flag()] = "adaptive"
    """Retrieve where the model says that the question needs it, for every question, or for none."""
    retrieval_threshold: Annotated[float, Field(ge=0, lt=1), Remote.FREE] = 0.2
    """Retrieve if that is needed with more than this probability; chat models say 0 or 1."""
    critique_weights: Annotated[dict[Aspect, float], Remote.FREE] = WEIGHTS
    """How much each critique counts when answers are ranked; `likely`: the answer's own
    probability, which a Self-RAG checkpoint alone gives."""
    max_passages: Annotated[int, Field(ge=1), Remote.CAPPED] = 20
    """The most passages to answer by, the first ones; each takes a call to a model."""
    decide_prompt: EditablePrompt = editable("selfrag/decide.v1")
    """The prompt for deciding whether to retrieve."""
    generate_prompt: EditablePrompt = editable("selfrag/generate.v1")
    """The prompt for answering without retrieval."""
    generate_passage_prompt: EditablePrompt = editable("selfrag/generate.passage.v1")
    """The prompt for answering by one passage, with critiques."""


@checked
class Selfrag(AnswerState):
    """What a run carries from step to step."""

    CONTEXT: ClassVar[type[AnswerContext]] = SelfragContext

    method: str = "selfrag"
    need: Annotated[float, Field(ge=0, le=1)] = 1.0
    """The probability that the question needs retrieval."""

    @property
    def passages(self) -> list[list[Knowledge]]:
        """What to answer by, each on its own: the documents, and the web's paragraphs."""
        return [*([as_knowledge(d)] for d in self.documents), *([k] for k in self.external)]
