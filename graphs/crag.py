"""CRAG: judge what was retrieved, refine it or search the web or do both, and answer.

Corrective Retrieval Augmented Generation (arXiv:2401.15884). It rewrites and searches at most once.

Unlike the paper:
- a role that is filled by `local` runs code of ours instead of a model;
- thresholds belong to the evaluator, unless a task or the run names others;
- where a chat model evaluates the documents, the local evaluator scores strips and paragraphs;
- the run's model rewrites only in a chat, or if it is named in that role;
- a model that answers reads the two best strips of an incorrect retrieval, too, none twice, none
  that scores far below the best, three of the web beside the documents', and some in any case;
- where brackets after a title say that other things bear the name asked about, the corpus is asked
  for these, and the answer names up to three;
- `searching="needed"` answers from the documents first, and searches only if they lack the answer;
- what a search engine answers by itself is kept as knowledge beside the pages;
- without relevant knowledge it says so instead of answering.
"""

from langgraph.graph import END, START

from errata.core.records import Answer
from errata.graphs.knowledge import knowledge_steps
from errata.nodes.crag.generate import attempt, generate
from errata.nodes.crag.knowledge import receive, retrieve
from errata.nodes.crag.state import (
    Crag,
    after_attempt,
    after_evaluate,
    after_knowledge,
    after_refine,
)
from errata.nodes.state import Method, graph_of

knowledge = (
    knowledge_steps(Crag, after_evaluate)
    .add_node(attempt)  # internal knowledge -> response, if it holds that
    .add_conditional_edges("refine", after_refine, {"attempt": "attempt", "generate": END})
    .add_conditional_edges("attempt", after_attempt, {"answered": END, "search": "rewrite"})
    .compile(name="knowledge")
)

graph = (
    graph_of(Crag, "CRAG: answer a question")
    .add_node(receive)  # messages -> question
    .add_node(retrieve)  # question -> documents
    .add_node("knowledge", knowledge)  # documents, web -> knowledge
    .add_node(generate)  # knowledge -> response
    .add_edge(START, "receive")
    .add_edge("receive", "retrieve")
    .add_edge("retrieve", "knowledge")
    .add_conditional_edges("knowledge", after_knowledge, {"answered": END, "generate": "generate"})
    .add_edge("generate", END)
    .compile(name="CRAG")
)

method = Method(
    "crag",
    "Answer a question: judge what was retrieved, refine it, search the web, or both.",
    graph,
    record=Answer,
)
