"""Self-CRAG: Self-RAG, which answers by CRAG's knowledge in place of what was retrieved.

CRAG (arXiv:2401.15884, sections 4 and 5.3, appendix B.3) put into Self-RAG (arXiv:2310.11511): at
most three passages, the correct, the incorrect and the ambiguous content (table 6).

Unlike the paper:
- all that `graphs/crag.py` and `selfrag.py` say of their steps;
- content that there is none of is no passage: where the action is correct or incorrect, there is
  one passage, where it is ambiguous, there are up to three.
"""

from langgraph.graph import END, START

from errata.core.records import Answer, Knowledge
from errata.nodes.crag.knowledge import (
    evaluate,
    read,
    receive,
    refine,
    retrieve,
    rewrite,
    search,
    select,
)
from errata.nodes.crag.state import KNOWLEDGE, Crag, KnowledgeContext, after_evaluate
from errata.nodes.settings import Published
from errata.nodes.state import Method, graph_of
from errata_baselines import replies_to
from errata_baselines.answers import of_crag
from errata_baselines.selfrag import Selfrag, SelfragContext, after_decide, decide, generate

_TOP_K = Published("top_k", 10, "section 4.2: ten documents for a question")
_PAPER = (*SelfragContext.PAPER, *of_crag(_TOP_K, *KNOWLEDGE))


class SelfcragContext(SelfragContext, KnowledgeContext):
    """Self-CRAG's settings: Self-RAG's, and CRAG's up to the knowledge."""

    PAPER = tuple({p.setting: p for p in _PAPER}.values())
    PROMPTS = ("crag", "selfrag")

    LEAST = 0
    """Each kind of content is a call."""


class Selfcrag(Selfrag, Crag):
    """What a run carries from step to step."""

    CONTEXT = SelfcragContext

    @property
    def passages(self) -> list[list[Knowledge]]:
        """At most three: what the action left of the retrieval, of the web, and of both."""
        parts = [part for part in (self.internal, self.external) if part]
        return [*parts, [*self.internal, *self.external]] if len(parts) > 1 else parts


graph = (
    graph_of(Selfcrag, "Self-CRAG: answer a question")
    .add_sequence([receive, decide])  # messages -> question -> whether to retrieve
    .add_sequence([retrieve, evaluate])  # question -> documents -> scores, action
    .add_node(refine)  # documents -> internal knowledge
    .add_sequence([rewrite, search, read, select])  # question -> external knowledge
    .add_node(generate, defer=True)  # knowledge -> candidates, response
    .add_edge(START, "receive")
    .add_conditional_edges(
        "decide", after_decide, {"retrieval": "retrieve", "no retrieval": "generate"}
    )
    .add_conditional_edges("evaluate", after_evaluate, {"documents": "refine", "web": "rewrite"})
    .add_edge("refine", "generate")
    .add_edge("select", "generate")
    .add_edge("generate", END)
    .compile(name="Self-CRAG")
)

method = Method(
    "selfcrag",
    "Answer a question: as Self-RAG, by the knowledge that CRAG makes of what it found.",
    graph,
    record=Answer,
    replies=replies_to("selfrag"),
)
