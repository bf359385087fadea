"""Read this first: what RARR carries, and lets a run set."""

from typing import Annotated, ClassVar

from pydantic import Field

from errata.core.edits import apply_edits
from errata.core.records import Attribution
from errata.nodes.checked import checked
from errata.nodes.profiles import Published
from errata.nodes.rarr.distance import preservation
from errata.nodes.settings import Remote
from errata.nodes.shared.research import ResearchContext, ResearchState
from errata.nodes.state import CorrectionContext, CorrectionRequest
from errata.nodes.templates import EditablePrompt, editable


class RarrContext(ResearchContext, CorrectionContext):
    """RARR's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ("ask", "agree", "edit")
    DECIDING: ClassVar[str] = "agree"
    PAPER: ClassVar[tuple[Published, ...]] = (
        Published(
            "sampling", {"temperature": 0.0, "ask.temperature": 0.7}, "section 3.1; its program"
        ),
        Published("question_sets", 3, "section 3.1: asked three times, and the union taken"),
        Published("search_top_k", 5, "section 3.1: K = 5 pages a query"),
        Published("passage_sentences", 4, "section 3.1: a sliding window of four sentences"),
        Published("passages_per_query", 1, "section 3.1: J = 1, the best passage"),
        Published("max_edit", 50, "section 3.2, footnote: larger edits are rejected"),
        Published("max_edit_share", 0.5, "section 3.2, footnote: larger edits are rejected"),
        Published("guard", False, "section 3.2: an edit stands"),
    )

    question_sets: Annotated[int, Field(ge=1, le=10), Remote.FREE] = 1
    """How often a model is asked for questions; what any reply holds is looked up once."""
    max_questions: Annotated[int, Field(ge=1), Remote.CAPPED] = 20
    """The most questions to look up."""
    max_edit: Annotated[int, Field(ge=0), Remote.FREE] = 50
    """Refuse an edit that changes more characters than this."""
    max_edit_share: Annotated[float, Field(ge=0, le=1), Remote.FREE] = 0.5
    """Refuse an edit that changes a larger share of the text's characters than this."""
    ask_prompt: EditablePrompt = editable("rarr/ask.v1")
    """The prompt for asking questions about the draft."""
    revise_agree_prompt: EditablePrompt = editable("rarr/revise.agree.v1")
    """The prompt for telling whether a passage agrees with the text."""
    revise_edit_prompt: EditablePrompt = editable("rarr/revise.edit.v1")
    """The prompt for editing the text by a passage that disagrees."""


class Request(CorrectionRequest, title="RARR: find passages, and edit by them"):
    """A request for a correction: fields, or a chat."""


@checked
class Rarr(ResearchState):
    """What a run carries from step to step."""

    CONTEXT: ClassVar[type[CorrectionContext]] = RarrContext
    TRAIL: ClassVar[tuple[str, ...]] = ("answers", "attribution", "preservation")

    method: str = "rarr"
    attribution: list[Attribution] = []
    """What each passage says of the text, in the order in which they were read."""

    @property
    def preservation(self) -> float:
        """Prev_Lev (section 4): 1 less the characters changed over the draft's, at least 0."""
        return preservation(self.draft, apply_edits(self.draft, self.edits))
