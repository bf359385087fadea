"""EVER (arXiv:2311.09114): ask about each concept of a sentence, validate it, rectify the sentence.

Unlike the paper:
- it corrects a draft that is given, all sentences at once (EVER*, arXiv:2410.15667, table 5), and
  writes none; what it rewrote is not validated again (`guard` looks at it);
- a concept is searched for by its question (RAC's table 1: three queries);
- a role that is filled by `local` runs code of ours, by which claims stand for concepts;
- documents and a corpus may serve as evidence beside a search, the model's own knowledge never;
- where evidence is silent the sentence stays (`extrinsic="rewrite"`: the paper's form), and what
  stays unsupported is flagged in verdicts and notes, never inside the text;
- what a model rewrites is turned into edits, each tied to the claims it rests on.
"""

from dataclasses import replace
from typing import Literal, NamedTuple

from langgraph.graph import END, START
from langgraph.runtime import Runtime

from errata.core.records import INCONCLUSIVE, Claim, VerdictLabel
from errata.nodes.ask import ask_all, question_for, read_claims
from errata.nodes.claims import split_locally
from errata.nodes.ends import receive, report
from errata.nodes.review import propose, review
from errata.nodes.settings import Published
from errata.nodes.state import CorrectionState, Method, RevisionContext, graph_of
from errata.nodes.step import Update
from errata.tools.local.extract import stating_sentences
from errata_baselines import replies_to
from errata_baselines.evidence import ReadingContext, find_evidence, select_evidence
from errata_baselines.mend import revise_locally, rewrite_failed
from errata_baselines.verdicts import Values, judge_claims, read_last_label

LABELS: dict[str, VerdictLabel] = {
    "true": "supported",
    "false": "refuted",
    **dict.fromkeys(
        ("not mentioned", "not enough information", "not enough info"), "not_mentioned"
    ),
    "nei": "not_mentioned",
}


class EverContext(ReadingContext, RevisionContext):
    """EVER's settings."""

    ROLES = ("verify", "revise")
    PAPER = (
        Published("extrinsic", "rewrite", "rectification; RAC's table 1 counts it"),
        Published("guard", False, "rectification; RAC's table 1: validated again instead"),
    )

    extrinsic: Literal["flag", "rewrite"] = "flag"
    """What becomes of a sentence on which the evidence is silent."""


class Ever(CorrectionState):
    """What a run carries from step to step."""

    CONTEXT = EverContext
    TRAIL = ("concepts", "questions")

    concepts: list[str] = []
    questions: list[str] = []
    """What each claim is about (by local code the claim itself), and what validates it."""


class Concept(NamedTuple):
    """What a sentence says of one thing, as a question and as a statement."""

    name: str
    question: str
    statement: str


async def verify(state: Ever, runtime: Runtime[EverContext]) -> Update:
    """Validate every concept of the draft; what nothing decides says so."""
    context = runtime.context
    found = await _find_concepts(state, context)
    claims = [replace(c, id=f"c{n}", text=own.statement) for n, (c, own) in enumerate(found, 1)]
    questions = [concept.question for _, concept in found]
    asked = questions[: context.deployment.max_claims]
    documents, each = await find_evidence(asked, state.documents, context, "verify")
    shown = await select_evidence(asked, each, context)
    rows = zip(claims, found, shown, strict=False)
    requests = {c.id: {"claim": q.question, "documents": text} for c, (_, q), text in rows if text}
    now = state.model_copy(update={"claims": claims, "documents": documents})
    return {
        "claims": claims,
        "concepts": [concept.name for _, concept in found],
        "questions": questions,
        "documents": documents,
        "verdicts": await judge_claims(now, context, "ever/verify", requests, read_decision),
    }


async def _find_concepts(state: Ever, context: EverContext) -> list[tuple[Claim, Concept]]:
    """The concepts of sentences by a model, with their sentences; claims as such by local code."""
    if not context.by_model("verify"):
        return [(c, as_concept(c)) for c in await split_locally(state)]
    sentences = stating_sentences(state.draft)
    lost = [f"“{sentence.text}” was validated as a whole" for sentence in sentences]
    about = {"question": state.question, "draft": state.draft}
    values = [{**about, "claim": sentence.text} for sentence in sentences]
    replies = await ask_all(context, "verify", "ever/verify.questions", values, lost)
    pairs = zip(sentences, replies, strict=True)
    return [(own, c) for own, r in pairs for c in read_concepts(r.text) or [as_concept(own)]]


def read_concepts(reply: str) -> list[Concept]:
    """A concept, its question and its statement a line; the question again without a statement.

    >>> read_concepts("1. in 1815 | Was Ada born in 1815? | Ada was born in 1815.")
    [Concept(name='in 1815', question='Was Ada born in 1815?', statement='Ada was born in 1815.')]
    """
    rows = [[part.strip() for part in line.split("|")] for line in read_claims(reply)]
    asked = [row for row in rows if len(row) > 1 and row[1].endswith("?")]
    return [Concept(row[0], row[1], "".join(row[2:3]) or row[1]) for row in asked]


def as_concept(claim: Claim) -> Concept:
    """A claim that is asked about as it stands."""
    return Concept(claim.text, question_for(claim), claim.text)


def read_decision(reply: str, _: Values) -> tuple[VerdictLabel, str]:
    """The label that a reply ends in, and the reasons before it."""
    return read_last_label(reply, LABELS)


async def revise(state: Ever, runtime: Runtime[EverContext]) -> Update:
    """Rectify the sentences that the evidence contradicts, or where it is silent (extrinsic)."""
    context = runtime.context
    if context.check_only:
        return {"edits": []}
    if not context.by_model("revise"):
        return {"edits": await revise_locally(state, context, "revise")}
    templates: dict[VerdictLabel, str] = {"refuted": "ever/revise"}
    if context.extrinsic == "rewrite":
        templates |= dict.fromkeys(INCONCLUSIVE, "ever/revise.extrinsic")
    return {"edits": await rewrite_failed(state, context, templates, context.passage_tokens)}


graph = (
    graph_of(Ever, "EVER: validate and rectify by sentences")
    .add_sequence(
        [
            receive,  # messages -> question, draft
            verify,  # draft -> concepts, questions, evidence, verdicts
            revise,  # verdicts -> edits
            propose,  # edits -> those that a person decides on
        ]
    )
    .add_sequence([review, report])  # edits -> those that a person lets stand -> response
    .add_edge(START, "receive")
    .add_edge("propose", "review")
    .add_edge("report", END)
    .compile(name="EVER")
)

method = Method(
    "ever",
    "Correct a draft by sentences: ask about each concept, validate it, rectify the sentence.",
    graph,
    replies=replies_to("ever"),
)
