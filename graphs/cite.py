"""Cite: judge each sentence of a draft by the sources that it cites, and repair its marks.

Citation recall and precision (ALCE, arXiv:2305.14627, section 4.3): a sentence is supported if all
its sources together support it; a source counts if it does so alone or the others need it.

Unlike the paper:
- each sentence is judged claim by claim, by any filler that RAC's `verify` takes;
- sentences without a mark are judged too, by all sources;
- whether a source is there, and whether it has the words of a quotation, is told apart from whether
  it supports the sentence;
- what is wrong is repaired: RAC's own steps mend contradicted claims, and marks are moved to the
  source that supports their sentence.
"""

from langgraph.graph import END, START

from errata.nodes.cite.fetch import extract, fetch, read
from errata.nodes.cite.repair import repair
from errata.nodes.cite.state import Cite
from errata.nodes.cite.verify import verify
from errata.nodes.ends import receive, report
from errata.nodes.rac.correct import correct
from errata.nodes.rac.revise import revise
from errata.nodes.rac.state import after_verify
from errata.nodes.review import propose, review
from errata.nodes.state import Method, graph_of

graph = (
    graph_of(Cite, "Cite: audit and repair citations")
    .add_node(receive)  # messages -> draft
    .add_node(read)  # draft -> sentences with marks, references
    .add_node(fetch)  # references -> sources, documents
    .add_node(extract)  # draft -> claims
    .add_node(verify)  # claims, sources -> verdicts, findings
    .add_node(correct)  # contradicted claims -> fixes
    .add_node(revise)  # draft, fixes -> edits
    .add_node(repair)  # findings -> edits of marks and quotations
    .add_sequence([propose, review, report])  # edits -> those that a person accepts -> response
    .add_edge(START, "receive")
    .add_edge("receive", "read")
    .add_edge("read", "fetch")
    .add_edge("fetch", "extract")
    .add_edge("extract", "verify")
    .add_conditional_edges("verify", after_verify, {"correct": "correct", "check only": "report"})
    .add_edge("correct", "revise")
    .add_edge("revise", "repair")
    .add_edge("repair", "propose")
    .add_edge("report", END)
    .compile(name="Cite")
)

method = Method(
    "cite",
    "Audit a draft's citations: open the sources, judge each sentence by those it cites and by the "
    "others, repair marks and sentences.",
    graph,
)
