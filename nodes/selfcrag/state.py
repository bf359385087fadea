"""Read this first: what Self-CRAG takes, carries, gives, and lets a run set."""

from typing import ClassVar

from errata.core.records import Knowledge
from errata.nodes.answers import AnswerContext
from errata.nodes.checked import checked
from errata.nodes.crag.state import KNOWLEDGE, Crag, KnowledgeContext
from errata.nodes.crag.web import of_crag
from errata.nodes.profiles import Published
from errata.nodes.selfrag.state import Selfrag, SelfragContext

_TOP_K = Published("top_k", 10, "section 4.2: ten documents for a question")
_PAPER = (*SelfragContext.PAPER, *of_crag(_TOP_K, *KNOWLEDGE))


class SelfcragContext(SelfragContext, KnowledgeContext):
    """Self-CRAG's settings: Self-RAG's, and CRAG's up to the knowledge."""

    PAPER: ClassVar[tuple[Published, ...]] = tuple({p.setting: p for p in _PAPER}.values())


@checked
class Selfcrag(Selfrag, Crag):
    """What a run carries from step to step."""

    CONTEXT: ClassVar[type[AnswerContext]] = SelfcragContext

    method: str = "selfcrag"

    @property
    def passages(self) -> list[list[Knowledge]]:
        """At most three: what the action left of the retrieval, of the web, and of both."""
        parts = [part for part in (self.internal, self.external) if part]
        return [*parts, [*self.internal, *self.external]] if len(parts) > 1 else parts
