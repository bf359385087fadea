"""RAC: split a draft into claims, verify them, correct the refuted ones, revise the draft.

Retrieval-Augmented Correction (arXiv:2410.15667). It corrects once; it retrieves once, and then
once more for the claims where there is a corpus.

Unlike the paper:
- a role that is filled by `local` runs code of ours instead of a model;
- a draft may be given instead of generated;
- a corpus is asked about each claim as well (`documents_per_claim=0`: the paper retrieves once);
- a model's verdict says what mends the claim: one that says it unclearly is corrected by a call;
- free rewriting by a model is turned into edits, each tied to the claims it rests on.
"""

from collections.abc import Hashable

from langgraph.graph import END, START

from errata.nodes.ends import receive, report
from errata.nodes.generate import after_retrieve, generate
from errata.nodes.rac.correct import correct
from errata.nodes.rac.evidence import extract, look_up, retrieve
from errata.nodes.rac.revise import revise
from errata.nodes.rac.state import Rac, after_correct, after_extract, after_look_up, after_verify
from errata.nodes.rac.verify import verify
from errata.nodes.review import propose, review
from errata.nodes.state import Method, graph_of

ONWARD: dict[Hashable, str] = {"with RAG": "verify", "without RAG": "correct"}

graph = (
    graph_of(Rac, "RAC: correct a draft")
    .add_node(receive)  # messages -> question, draft
    .add_node(retrieve)  # question -> documents
    .add_node(generate)  # question, documents -> draft
    .add_node(extract)  # draft -> claims
    .add_node(look_up)  # claims -> more documents
    .add_node(verify)  # claims, documents -> verdicts, mends
    .add_node(correct)  # claims, documents, mends -> fixes
    .add_node(revise)  # draft, fixes -> edits
    .add_sequence([propose, review, report])  # edits -> those that a person accepts -> response
    .add_edge(START, "receive")
    .add_edge("receive", "retrieve")
    .add_conditional_edges(
        "retrieve", after_retrieve, {"draft given": "extract", "no draft": "generate"}
    )
    .add_edge("generate", "extract")
    .add_conditional_edges("extract", after_extract, {"look_up": "look_up", **ONWARD})
    .add_conditional_edges("look_up", after_look_up, ONWARD)
    .add_conditional_edges("verify", after_verify, {"correct": "correct", "check only": "report"})
    .add_conditional_edges(
        "correct", after_correct, {"revise": "revise", "nothing to revise": "report"}
    )
    .add_edge("revise", "propose")
    .add_edge("report", END)
    .compile(name="RAC")
)

method = Method(
    "rac",
    "Correct a draft: split it into claims, verify them by documents, correct the refuted ones, "
    "revise.",
    graph,
)
