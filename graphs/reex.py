"""RE-EX: ask sub-questions, gather answers, explain the factual errors, revise the draft.

Revising after explanation (arXiv:2402.17097). Two-step asks a model three times, one-step twice.

Unlike the paper:
- a role that is filled by `local` runs code of ours instead of a model;
- answers are filtered to what speaks of their question (`filter_evidence=False`: the paper's form);
- documents and a corpus may serve as evidence beside a search, or instead of one;
- where all documents are shown, no sub-questions are asked; a strip stands in the prompt once;
- a model also says what no answer shows, and cites the answers that show an error, which are then
  part of the prompt for revising;
- each explanation is placed in the draft, and claims get verdicts by it;
- what a model rewrites freely is turned into edits, each tied to the explanations it rests on.
"""

from collections.abc import Hashable

from langgraph.graph import END, START

from errata.nodes.ends import receive
from errata.nodes.reex.evidence import answer, ask
from errata.nodes.reex.explain import explain, report
from errata.nodes.reex.revise import explain_and_revise, revise
from errata.nodes.reex.state import Reex, after_explain, after_receive, onward
from errata.nodes.review import propose, review
from errata.nodes.state import Method, graph_of

ONWARD: dict[Hashable, str] = {
    "two steps": "explain",
    "one step": "explain_and_revise",
    "no explanation": "revise",
}

graph = (
    graph_of(Reex, "RE-EX: explain and revise")
    .add_node(receive)  # messages -> question, draft
    .add_node(ask)  # question, draft -> sub-questions
    .add_node(answer)  # sub-questions -> answers, documents
    .add_node(explain)  # draft, answers -> claims, explanations
    .add_node(revise)  # draft, explanations -> edits
    .add_node(explain_and_revise)  # draft, answers -> explanations, edits
    .add_sequence([propose, review, report])  # edits -> those that a person accepts -> response
    .add_edge(START, "receive")
    .add_conditional_edges("receive", after_receive, {"evidence": "ask", **ONWARD})
    .add_edge("ask", "answer")
    .add_conditional_edges("answer", onward, ONWARD)
    .add_conditional_edges(
        "explain", after_explain, {"errors": "revise", "no errors or check only": "report"}
    )
    .add_edge("revise", "propose")
    .add_edge("explain_and_revise", "propose")
    .add_edge("report", END)
    .compile(name="RE-EX")
)

method = Method(
    "reex", "Correct a draft: ask sub-questions, gather answers, explain the errors, revise.", graph
)
