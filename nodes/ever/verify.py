"""Validate the concepts of sentences: name them, ask about each, look up, decide."""

from dataclasses import replace

from errata.core.records import Claim, Document
from errata.nodes.ask import ask_all
from errata.nodes.ever.state import Ever, EverContext
from errata.nodes.shared.claims import Extracted, split_locally
from errata.nodes.shared.evidence import show_each
from errata.nodes.shared.listing import Concept, as_concept, read_concepts
from errata.nodes.shared.replies import read_decision
from errata.nodes.shared.verdicts import Judged, judge_claims
from errata.nodes.step import step
from errata.tools.local.extract import stating_sentences
from errata.tools.text.questions import question_entity


class Verified(Extracted, Judged):
    """What was asked, and what the evidence says."""

    concepts: list[str]
    questions: list[str]
    documents: list[Document]


@step
async def verify(state: Ever, context: EverContext) -> Verified:
    """Validate every concept of the sentences under check; what nothing decides says so."""
    found, entity = await _find_concepts(state, context), question_entity(state.question)
    claims = [replace(c, id=f"c{n}", text=own.statement) for n, (c, own) in enumerate(found, 1)]
    queries = [(c.question, c.statement, f"{entity} {c.name}")[: context.queries] for _, c in found]
    documents, shown = await show_each(queries, state.documents, context, "ever/verify.answer")
    rows = zip(claims, found, shown, strict=False)
    requests = {c.id: {"claim": q.question, "documents": text} for c, (_, q), text in rows if text}
    now = state.model_copy(update={"claims": claims, "documents": documents})
    return {
        "claims": claims,
        "concepts": [concept.name for _, concept in found],
        "questions": [concept.question for _, concept in found],
        "documents": documents,
        "verdicts": await judge_claims(now, context, "ever/verify", requests, read_decision),
    }


async def _find_concepts(state: Ever, context: EverContext) -> list[tuple[Claim, Concept]]:
    """The concepts of sentences by a model, with their sentences; claims as such by local code."""
    if not context.by_model("verify"):
        return [(c, as_concept(c)) for c in state.under_check(await split_locally(state))]
    sentences = state.under_check(stating_sentences(state.draft))
    lost = [f"“{sentence.text}” was validated as a whole" for sentence in sentences]
    about = {"question": state.question, "draft": state.draft}
    values = [{**about, "claim": sentence.text} for sentence in sentences]
    replies = await ask_all(context, "verify", "ever/verify.questions", values, lost)
    pairs = zip(sentences, replies, strict=True)
    return [(own, c) for own, r in pairs for c in read_concepts(r.text) or [as_concept(own)]]
