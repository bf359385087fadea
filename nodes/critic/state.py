"""Read this first: what CRITIC carries, and lets a run set."""

from typing import Annotated, ClassVar

from pydantic import Field

from errata.core.records import Critique
from errata.nodes.checked import checked
from errata.nodes.profiles import Published
from errata.nodes.settings import Remote
from errata.nodes.shared.critiques import CritiqueContext
from errata.nodes.state import CorrectionContext, CorrectionRequest, CorrectionState
from errata.nodes.templates import EditablePrompt, editable


class CriticContext(CritiqueContext):
    """CRITIC's settings."""

    ROLES: ClassVar[tuple[str, ...]] = ("verify", "correct")
    PAPER: ClassVar[tuple[Published, ...]] = (
        Published("sampling", {"temperature": 0.0}, "section 4.1; its program: temperature"),
        Published("rounds", 3, "section 4.1: three rounds at most"),
        Published("stable_rounds", 2, "section 4.1: the answer the same for two corrections"),
        Published("searches_per_round", 6, "section 4.1; its program: 7 replies a round"),
        Published("search_top_k", 1, "section 3.2; its program: the first result"),
        Published("evidence_characters", 400, "section 4.1; its program: evidence_length"),
        Published("guard", False, "section 3.4: the corrected output stands"),
    )

    rounds: Annotated[int, Field(ge=1, le=8), Remote.FREE] = 3
    """The most rounds of verifying and correcting."""
    stable_rounds: Annotated[int, Field(ge=1, le=8), Remote.FREE] = 1
    """Stop when so many rounds, one after another, leave the text as it was."""
    verify_prompt: EditablePrompt = editable("critic/verify.v1")
    """The prompt for the critique, and for what to search for."""
    verify_answer_prompt: EditablePrompt = editable("critic/verify.answer.v1")
    """The same where the model also corrects: it ends with the corrected text."""
    correct_prompt: EditablePrompt = editable("critic/correct.v1")
    """The prompt for correcting the text by the critique."""


class Request(CorrectionRequest, title="CRITIC: criticise and correct in rounds"):
    """A request for a correction: fields, or a chat."""


@checked
class Critic(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT: ClassVar[type[CorrectionContext]] = CriticContext
    TRAIL: ClassVar[tuple[str, ...]] = ("critiques",)

    method: str = "critic"
    critiques: list[Critique] = []
    """One for each round, the last one perhaps under way."""

    @property
    def text(self) -> str:
        """The text as the rounds so far have made it."""
        return next((c.revised for c in reversed(self.critiques) if c.revised), self.draft)
