"""Score every document's relevance, and choose an action by it (sections 4.2 and 4.3)."""

import re
from asyncio import gather, to_thread
from collections.abc import Sequence
from typing import TypedDict

from langchain_core.language_models import BaseChatModel
from langgraph.runtime import Runtime

from errata.errors import ChatError, ReplyError
from errata.nodes.ask import asked, joined, spent
from errata.nodes.crag.state import THRESHOLDS, Crag, CragContext, settings
from errata.nodes.step import step
from errata.records import Action, Document, Usage

YES, NO = 1.0, -1.0
PROMPTS = {
    "direct": "crag/evaluate.direct.v1",
    "cot": "crag/evaluate.cot.v1",
    "few_shot": "crag/evaluate.few_shot.v1",
}
Scores = tuple[list[float | None], Usage, list[str]]
"""A score in [-1, 1] or None for each document, what they cost, and what went wrong."""
_WORD = re.compile(r"\b(yes|no)\b", re.IGNORECASE)


class Evaluated(TypedDict):
    """Add the scores, and what is to be done."""

    scores: dict[str, float | None]
    action: Action
    usage: Usage
    notes: list[str]


@step
async def evaluate(state: Crag, runtime: Runtime[CragContext]) -> Evaluated:
    """Score all documents at once; one that cannot be scored has no say."""
    context = settings(runtime)
    scores, usage, notes = await scores_of(state.question, state.documents, context)
    action = action_for(scores, *thresholds(context), context.actions)
    by_id = dict(zip((d.id for d in state.documents), scores, strict=True))
    return {"scores": by_id, "action": action, "usage": usage, "notes": notes}


async def scores_of(question: str, documents: Sequence[Document], context: CragContext) -> Scores:
    """Score documents by whatever fills the role: an evaluator, or calls to a chat model."""
    model = context.filler("evaluate")
    if model is not None:
        return await _asked(question, documents, context, model)
    texts = [(document.title, document.text) for document in documents]
    scores = await to_thread(context.strip_evaluator.score, question, texts)
    return list(scores), Usage(), []


def thresholds(context: CragContext) -> tuple[float, float]:
    """Give the upper and the lower threshold: the run's, its task's, or the evaluator's own."""
    evaluator = context.evaluator
    own = (evaluator.upper, evaluator.lower) if evaluator else (0.0, 0.0)
    upper, lower = THRESHOLDS.get(context.task, own)
    return (
        upper if context.upper is None else context.upper,
        lower if context.lower is None else context.lower,
    )


def action_for(
    scores: Sequence[float | None], upper: float, lower: float, allowed: Sequence[Action]
) -> Action:
    """Choose: one score above the upper, all below the lower, or neither (section 4.3).

    An action that is not allowed gives way to `ambiguous`; where that is not allowed either, the
    upper threshold alone decides (section 5.4).
    """
    known = [score for score in scores if score is not None]
    correct = any(score > upper for score in known)
    hopeless = len(known) == len(scores) and all(score < lower for score in known)
    chosen: Action = "correct" if correct else "incorrect" if hopeless else "ambiguous"
    if chosen in allowed:
        return chosen
    if "ambiguous" in allowed:
        return "ambiguous"
    return allowed[0] if len(allowed) == 1 else "correct" if correct else "incorrect"


async def _asked(
    question: str, documents: Sequence[Document], context: CragContext, model: BaseChatModel
) -> Scores:
    """Ask a chat model about each document, all at once."""

    async def one(document: Document) -> tuple[float | None, Usage, list[str]]:
        name = PROMPTS[context.evaluation]
        values = {"question": question, "document": joined([document])}
        try:
            reply = await asked(context, model, "evaluate", name, **values)
        except (ChatError, ReplyError) as error:
            return None, spent(error), [f"document {document.id} was not judged: {error}"]
        score = read_judgement(reply.text)
        notes = (
            [] if score is not None else [f"the reply to {name} on {document.id} has no yes or no"]
        )
        return score, reply.usage, notes

    parts = await gather(*(one(document) for document in documents))
    usage = sum((part[1] for part in parts), Usage())
    return [part[0] for part in parts], usage, [note for part in parts for note in part[2]]


def read_judgement(reply: str) -> float | None:
    """Read yes as 1 and no as -1; the last of them holds, and a reply with neither says nothing.

    >>> read_judgement("Step by step: no page ... So the answer is **Yes**.")
    1.0
    """
    found = _WORD.findall(reply)
    return (YES if found[-1].lower() == "yes" else NO) if found else None
