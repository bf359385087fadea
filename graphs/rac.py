"""RAC: split a draft into claims, verify them, correct the refuted ones, revise the draft.

Retrieval-Augmented Correction (arXiv:2410.15667). It retrieves once and corrects once.

Unlike the paper:
- a role that is filled by `local` runs code of ours instead of a model;
- a draft may be given instead of generated;
- free rewriting by a model is turned into edits, each tied to the claims it rests on.
"""

from langgraph.graph import END, START, StateGraph

from errata.nodes.rac.correct import correct
from errata.nodes.rac.extract import extract
from errata.nodes.rac.revise import revise
from errata.nodes.rac.routes import after_correct, after_extract, after_verify
from errata.nodes.rac.state import Rac, RacContext, Request, Result
from errata.nodes.rac.verify import verify
from errata.nodes.shared.generate import generate
from errata.nodes.shared.propose import propose
from errata.nodes.shared.receive import receive
from errata.nodes.shared.report import report
from errata.nodes.shared.retrieve import retrieve
from errata.nodes.shared.review import review
from errata.nodes.shared.routes import after_propose, after_retrieve

graph = (
    StateGraph(Rac, RacContext, input_schema=Request, output_schema=Result)
    .add_node(receive)  # messages -> question, draft
    .add_node(retrieve)  # question -> documents
    .add_node(generate)  # question, documents -> draft
    .add_node(extract)  # draft -> claims
    .add_node(verify)  # claims, documents -> verdicts
    .add_node(correct)  # claims, documents -> fixes
    .add_node(revise)  # draft, fixes -> edits
    .add_node(propose)  # edits -> those that a person decides on
    .add_node(review)  # edits -> those that a person lets stand
    .add_node(report)  # draft, edits -> response
    .add_edge(START, "receive")
    .add_edge("receive", "retrieve")
    .add_conditional_edges(
        "retrieve", after_retrieve, {"draft given": "extract", "no draft": "generate"}
    )
    .add_edge("generate", "extract")
    .add_conditional_edges(
        "extract", after_extract, {"with RAG": "verify", "without RAG": "correct"}
    )
    .add_conditional_edges("verify", after_verify, {"correct": "correct", "check only": "report"})
    .add_conditional_edges(
        "correct", after_correct, {"revise": "revise", "nothing to revise": "report"}
    )
    .add_edge("revise", "propose")
    .add_conditional_edges("propose", after_propose, {"review": "review", "no review": "report"})
    .add_edge("review", "report")
    .add_edge("report", END)
    .compile(name="RAC")
)
