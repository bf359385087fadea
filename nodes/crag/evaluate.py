"""Score every document's relevance, and choose an action by it (sections 4.2 and 4.3)."""

import re
from asyncio import to_thread
from collections.abc import Sequence
from typing import TypedDict

from errata.core.errors import OutOfTimeError
from errata.core.records import Action, Document
from errata.nodes.ask import ask_all, number_documents
from errata.nodes.crag.state import THRESHOLDS, Crag, KnowledgeContext
from errata.nodes.ledger import note
from errata.nodes.step import step
from errata.tools.judges.checkpoints import T5Evaluator

YES, NO = 1.0, -1.0
TEMPLATES = {
    "direct": "crag/evaluate.direct",
    "cot": "crag/evaluate.cot",
    "few_shot": "crag/evaluate.few_shot",
}
_WORD = re.compile(r"\b(yes|no)\b", re.IGNORECASE)


class Evaluated(TypedDict):
    """The scores, and the action they lead to."""

    scores: dict[str, float | None]
    action: Action


@step
async def evaluate(state: Crag, context: KnowledgeContext) -> Evaluated:
    """Score all documents at once; one that cannot be scored has no say."""
    scores = await score_documents(state.question, state.documents, context)
    action = action_for(scores, *thresholds(context), context.actions)
    by_id = dict(zip((d.id for d in state.documents), scores, strict=True))
    return {"scores": by_id, "action": action}


async def score_documents(
    question: str, documents: Sequence[Document], context: KnowledgeContext
) -> list[float | None]:
    """A score in [-1, 1] for each document, from an evaluator or from calls to a chat model.

    A document that could not be scored has None, and a note.
    """
    if context.model_for("evaluate") is None:
        return await _score_locally(question, documents, context)
    template = TEMPLATES[context.evaluation]
    requests = [{"question": question, "document": number_documents([d])} for d in documents]
    consequences = [f"document {document.id} was not judged" for document in documents]
    replies = await ask_all(context, "evaluate", template, requests, consequences)
    scores = [None if reply.failure else read_judgement(reply.text) for reply in replies]
    for document, reply, score in zip(documents, replies, scores, strict=True):
        if score is None and not reply.failure:
            note(f"the reply to {context.template(template).tag} on {document.id} has no yes or no")
    return scores


async def _score_locally(
    question: str, documents: Sequence[Document], context: KnowledgeContext
) -> list[float | None]:
    texts = [(document.title, document.text) for document in documents]
    try:
        return list(await to_thread(context.strip_evaluator.score, question, texts))
    except OutOfTimeError as error:
        note(f"no document was judged: {error}")
        return [None] * len(documents)


def thresholds(context: KnowledgeContext) -> tuple[float, float]:
    """The upper and the lower threshold: the run's, or the evaluator's own; of a T5 its task's."""
    evaluator = context.evaluator
    upper, lower = (evaluator.upper, evaluator.lower) if evaluator else (0.0, 0.0)
    if isinstance(evaluator, T5Evaluator):
        upper, lower = THRESHOLDS.get(context.task, (upper, lower))
    return (
        upper if context.upper is None else context.upper,
        lower if context.lower is None else context.lower,
    )


def action_for(
    scores: Sequence[float | None], upper: float, lower: float, allowed: Sequence[Action]
) -> Action:
    """The action: one score above the upper, all below the lower, or neither (section 4.3).

    An action that is not allowed gives way to `ambiguous`; where that is not allowed either, the
    upper threshold alone decides (section 5.4).
    """
    known = [score for score in scores if score is not None]
    correct = any(score > upper for score in known)
    hopeless = len(known) == len(scores) and all(score < lower for score in known)
    action: Action = "correct" if correct else "incorrect" if hopeless else "ambiguous"
    if action in allowed:
        return action
    if "ambiguous" in allowed:
        return "ambiguous"
    return allowed[0] if len(allowed) == 1 else "correct" if correct else "incorrect"


def read_judgement(reply: str) -> float | None:
    """Yes as 1 and no as -1; the last of them counts, and a reply with neither says nothing.

    >>> read_judgement("Step by step: no page ... So the answer is **Yes**.")
    1.0
    """
    answers = _WORD.findall(reply)
    return (YES if answers[-1].lower() == "yes" else NO) if answers else None
