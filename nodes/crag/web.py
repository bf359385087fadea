"""What a run can set of CRAG's search: keywords, pages, and what of these is kept."""

from typing import Annotated, Any, ClassVar

from pydantic import Field

from errata.core.errors import SettingError
from errata.nodes.answers import AnswerContext
from errata.nodes.filled import Filler
from errata.nodes.profiles import Published
from errata.nodes.settings import Remote
from errata.nodes.templates import EditablePrompt, editable
from errata.tools.judges.checkpoints import evaluator_for, is_evaluator
from errata.tools.judges.evaluator import Evaluator

WEB = (
    Published("strip_top_k", 5, "appendix B.3, internal knowledge"),
    Published("strip_threshold", -0.5, "appendix B.3, internal knowledge"),
    Published("rewriting", True, "section 4.5; table 3"),
    Published("search_top_k", 5, "appendix B.3, external knowledge"),
    Published("prefer_wikipedia", True, "section 4.5; appendix B.3"),
    Published("selection", True, "appendix B.3, external knowledge; table 3"),
)
"""The search of the published form."""


def of_crag(*published: Published) -> tuple[Published, ...]:
    """The same for another paper's method: the places are named as CRAG's."""
    return tuple(each._replace(source=f"CRAG, {each.source}") for each in published)


class WebContext(AnswerContext):
    """The settings of CRAG's search, for CRAG and for what its tables compare with it."""

    ROLES: ClassVar[tuple[str, ...]] = ("evaluate", "rewrite")

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
    rewrite_prompt: EditablePrompt = editable("crag/rewrite.v1")
    """The prompt for rewriting the question."""
    rewrite_chat_prompt: EditablePrompt = editable("crag/rewrite.chat.v1")
    """The prompt for rewriting a question that comes after other turns of a chat."""

    def check_filler(self, role: str, spec: Filler) -> None:
        """Refuse what cannot fill a role; `evaluate` takes an evaluator.

        Raises SettingError.
        """
        if role != "evaluate":
            super().check_filler(role, spec)
        elif is_evaluator(spec):
            evaluator_for(spec)
        else:
            self.check_judge(spec)

    def check_judge(self, spec: Filler) -> None:
        """Refuse a chat model in the role `evaluate`, where strips alone are scored.

        Raises SettingError.
        """
        raise SettingError(
            f"evaluate={spec!r}: in {self.method_name()} an evaluator alone can fill this role, "
            "such as local or t5:FOLDER"
        )

    def models_named(self, role: str) -> tuple[Any, ...]:
        """What names a role's models; none for local code and for an evaluator.

        `evaluate` is local unless roles name a model.
        """
        return () if role == "evaluate" and self.evaluator else super().models_named(role)

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
        return self.evaluator or super().strip_evaluator
