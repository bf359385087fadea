"""errata: CRAG decides what is read, each sentence is judged as it ends, what is wrong is mended.

The steps of CRAG (arXiv:2401.15884) up to the knowledge, and those of RAC (arXiv:2410.15667) with
an explanation of each error, as RE-EX has it (arXiv:2402.17097), in one run and as a stream.

Unlike the paper:
- a draft is judged sentence by sentence while it is written, by local code; a model judges what
  that is unsure of, a few claims at once, and in the same reply says what is wrong, why, and what
  is right;
- a draft that is given is judged alike; it needs no knowledge to be written by;
- local code splits the draft into claims, for a model would have to wait for its end;
- the web is searched where CRAG's action says so, and what it brings is evidence, too.
"""

from langgraph.graph import END, START

from errata.graphs.knowledge import knowledge_steps
from errata.nodes.crag.knowledge import retrieve
from errata.nodes.ends import receive
from errata.nodes.errata.draft import generate, report, verify
from errata.nodes.errata.state import Errata, after_evaluate, after_receive, after_retrieve
from errata.nodes.rac.correct import correct
from errata.nodes.rac.revise import revise
from errata.nodes.rac.state import after_verify
from errata.nodes.review import propose, review
from errata.nodes.state import Method, graph_of

knowledge = (
    knowledge_steps(Errata, after_evaluate, enough=END)
    .add_edge("refine", END)
    .compile(name="knowledge")
)

graph = (
    graph_of(Errata, "errata: correct while it is written")
    .add_node(receive)  # messages -> question, draft
    .add_node(retrieve)  # question -> documents
    .add_node("knowledge", knowledge)  # documents, web -> knowledge
    .add_node(generate)  # knowledge -> draft, and by sentence its claims, verdicts
    .add_node(verify)  # unsure and refuted claims -> verdicts, mends
    .add_node(correct)  # claims, mends -> fixes
    .add_node(revise)  # draft, fixes -> edits
    .add_sequence([propose, review, report])  # edits -> those that a person accepts -> response
    .add_edge(START, "receive")
    .add_conditional_edges(
        "receive", after_receive, {"question": "retrieve", "draft alone": "generate"}
    )
    .add_conditional_edges(
        "retrieve", after_retrieve, {"knowledge": "knowledge", "generate": "generate"}
    )
    .add_edge("knowledge", "generate")
    .add_edge("generate", "verify")
    .add_conditional_edges("verify", after_verify, {"correct": "correct", "check only": "report"})
    .add_edge("correct", "revise")
    .add_edge("revise", "propose")
    .add_edge("report", END)
    .compile(name="errata")
)

method = Method(
    "errata",
    "Answer or correct as a stream: judge each sentence as it ends, mend what is wrong.",
    graph,
    answers=True,
)
