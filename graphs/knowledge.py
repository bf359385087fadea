"""CRAG's sub-graph: judge what was retrieved, refine it, search the web, or both (section 4)."""

from collections.abc import Callable
from typing import Any

from langgraph.graph import END, START

from errata.nodes.crag.knowledge import evaluate, read, refine, rewrite, search, select
from errata.nodes.crag.state import Crag
from errata.nodes.state import graph_of


def knowledge_steps(state: type[Crag], after_evaluate: Callable[..., Any], **others: str) -> Any:
    """The steps from documents to knowledge, for a method's own state and way after `refine`."""
    return (
        graph_of(state)
        .add_node(evaluate)  # question, documents -> scores, action
        .add_node(refine)  # documents -> internal knowledge
        .add_sequence([rewrite, search, read, select])  # question -> external knowledge
        .add_edge(START, "evaluate")
        .add_conditional_edges(
            "evaluate", after_evaluate, {"documents": "refine", "web": "rewrite", **others}
        )
        .add_edge("select", END)
    )
