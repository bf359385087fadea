"""CoVe (arXiv:2309.11495): plan questions about a draft, answer each by itself, compare, revise.

Unlike the paper:
- a role that is filled by `local` runs code of ours instead of a model;
- documents, a corpus and a search may answer (`evidence="internal"`: the paper's form);
- one call compares all answers; the draft is rewritten whole, and stays if no fact is inconsistent;
- each fact gets a verdict, and free rewriting is turned into edits tied to the facts.
"""

from asyncio import to_thread
from dataclasses import replace
from typing import Literal

from langgraph.graph import END, START
from langgraph.runtime import Runtime

from errata.core.records import VerdictLabel
from errata.nodes.ask import INSTEAD, LIST_MARK, ask_role, question_for, repeats
from errata.nodes.claims import split_locally, unchecked
from errata.nodes.ends import receive, report
from errata.nodes.evidence import recall, recalled
from errata.nodes.generate import after_retrieve, generate
from errata.nodes.review import propose, review
from errata.nodes.rewrite import rewrite_draft
from errata.nodes.settings import Published
from errata.nodes.state import CorrectionState, Method, RevisionContext, graph_of
from errata.nodes.step import Update
from errata.tools.local.extract import place_claims
from errata.tools.retrieval.filters import assign_ids
from errata_baselines import replies_to
from errata_baselines.evidence import ReadingContext, read_answers
from errata_baselines.mend import revise_locally, settle_edits
from errata_baselines.verdicts import Values, judge_claims, read_first_label


class CoveContext(ReadingContext, RevisionContext):
    """CoVe's settings."""

    ROLES = ("generate", "ask", "answer", "cross_check", "revise")
    PAPER = (
        Published("sampling", {"temperature": 0.0}, "section 4.2: greedy decoding"),
        Published("variant", "factor_revise", "section 7, figure 3: the best for long texts"),
        Published("evidence", "internal", "section 3.3: the model alone, no tools"),
        Published("guard", False, "section 3.4: the final response stands"),
    )

    evidence: Literal["external", "internal"] = "external"
    """What answers the questions: documents and search, or a model's own knowledge alone."""
    variant: Literal["factor_revise", "factored"] = "factor_revise"
    """Compare answers with facts before revising; `factored`, a model's, gives no verdicts."""

    @property
    def deciding_role(self) -> str:
        """Revising, for a factored run of a model's; a check, and local code, always compare."""
        factored = self.variant == "factored" and not self.check_only and self.by_model("revise")
        return "revise" if factored else "cross_check"


class Cove(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT = CoveContext
    TRAIL = ("questions", "answers")

    questions: list[str] = []
    answers: list[str] = []
    """One to each question, which are in the order of their claims; empty where there is none."""


async def ask(state: Cove, runtime: Runtime[CoveContext]) -> Update:
    """Plan questions; local code asks about each claim, also where a model plans none."""
    context = runtime.context
    if context.by_model("ask"):
        values = {"question": state.question, "draft": state.draft}
        reply = await ask_role(context, "ask", "cove/ask", if_failed=INSTEAD, **values)
        if plan := read_plan(reply.text):
            texts = [fact or question for fact, question in plan]
            placed = await to_thread(place_claims, state.draft, texts)
            claims = [
                # a question without a fact is about its sentence
                claim if fact else replace(claim, text=state.draft[claim.start : claim.end])
                for claim, (fact, _) in zip(placed, plan, strict=True)
            ]
            return {"claims": claims, "questions": [question for _, question in plan]}
    claims = await split_locally(state)
    return {"claims": claims, "questions": [question_for(claim) for claim in claims]}


def read_plan(reply: str) -> list[tuple[str, str]]:
    r"""A fact and its question a line, parted by a bar; the fact is empty where only one came.

    >>> read_plan("1. Ada died in 1852. | When did Ada die?\n2. Who was Ada?\nThat is all.")
    [('Ada died in 1852.', 'When did Ada die?'), ('', 'Who was Ada?')]
    """
    by_question = dict[str, str]()
    for line in (LIST_MARK.sub("", line).strip(" \t|*") for line in reply.splitlines()):
        fact, _, question = line.rpartition("|")
        if question.endswith("?"):
            by_question.setdefault(question.strip(), fact.strip())
    return [(fact, question) for question, fact in by_question.items()]


async def answer(state: Cove, runtime: Runtime[CoveContext]) -> Update:
    """Answer by documents, or from a model's memory; what fails is noted and has no answer."""
    context = runtime.context
    questions = state.questions[: context.deployment.max_claims]
    if context.evidence == "internal":
        answers = await recall(questions, state.documents, context, "cove/answer")
        return {"documents": assign_ids(recalled(answers)), "answers": answers}
    return await read_answers(questions, state.documents, context, "cove/answer.documents")


LABELS: dict[str, VerdictLabel] = {"consistent": "supported", "not told": "not_mentioned"}
LABELS |= dict.fromkeys(("inconsistent", "partially consistent", "not consistent"), "refuted")


async def cross_check(state: Cove, runtime: Runtime[CoveContext]) -> Update:
    """Judge each fact by the answer to its question; the factored variant judges none."""
    context = runtime.context
    if context.deciding_role == "revise":
        return {"verdicts": unchecked(state.claims)}
    rows = zip(state.claims, state.questions, state.answers, strict=False)
    asked = {c.id: {"claim": c.text, "question": q, "answers": a} for c, q, a in rows if a}
    return {"verdicts": await judge_claims(state, context, "cove/cross_check", asked, read_check)}


def read_check(reply: str, values: Values) -> tuple[VerdictLabel, str]:
    """The label of a reply on a fact, explained by its question, its answer and the reply."""
    label = (
        "unreadable" if repeats(reply, values.get("claim", "")) else read_first_label(reply, LABELS)
    )
    return label, f"{values['question']} {values['answers']} {reply}"


async def revise(state: Cove, runtime: Runtime[CoveContext]) -> Update:
    """Mend what is inconsistent; where nothing is, or nothing was answered, the draft stays."""
    context = runtime.context
    refuted = any(verdict.label == "refuted" for verdict in state.verdicts)
    factored = context.deciding_role == "revise" and any(state.answers)
    if context.check_only or not (refuted or factored):
        return {"edits": []}
    if not context.by_model("revise"):
        return {"edits": await revise_locally(state, context, "revise")}
    rows = zip(state.questions, state.answers, state.verdicts, strict=False)
    said = ((v.label == "refuted" and v.explanation) or f"{q} {a}" for q, a, v in rows if a)
    values = {"question": state.question, "answers": "\n".join(said)}
    edits = await rewrite_draft(context, "revise", "cove/revise", state.draft, **values)
    return {"edits": await settle_edits(state, context, edits)}


graph = (
    graph_of(Cove, "CoVe: cross-check a draft")
    .add_node(receive)  # messages -> question, draft
    .add_sequence(
        [
            generate,  # question -> draft
            ask,  # draft -> claims, questions
            answer,  # questions -> answers, documents
            cross_check,  # claims, answers -> verdicts
            revise,  # draft, answers, verdicts -> edits
            propose,  # edits -> those that a person decides on
        ]
    )
    .add_sequence([review, report])  # edits -> those that a person lets stand -> response
    .add_edge(START, "receive")
    .add_conditional_edges(
        "receive", after_retrieve, {"draft given": "ask", "no draft": "generate"}
    )
    .add_edge("propose", "review")
    .add_edge("report", END)
    .compile(name="CoVe")
)

method = Method(
    "cove",
    "Correct a draft: plan questions about it, answer each by itself, cross-check, revise.",
    graph,
    replies=replies_to("cove"),
)
