"""CRAG's answer by the knowledge, and where it is from (section 4.1)."""

from collections.abc import Mapping, Sequence

from langgraph.runtime import Runtime

from errata.core.errors import ChatError, ReplyError
from errata.core.records import Document, Knowledge
from errata.nodes.answer import (
    FROM_MEMORY,
    NOTHING,
    Origin,
    answer_locally,
    hand_out_answer,
    in_form,
    read_origin,
    titled,
)
from errata.nodes.ask import ask_role, number_documents
from errata.nodes.crag.state import Crag, CragContext
from errata.nodes.state import Task
from errata.nodes.step import Update, note

FORM_TEMPLATES: dict[Task, str] = {
    "": "crag/generate",
    "popqa": "crag/generate.short",
    "biography": "crag/generate.long",
    "pubhealth": "crag/generate.verdict",
    "arc": "crag/generate.choice",
}
MORE, CLOSE = 2, 1.0
"""How many strips more than of either a model reads of documents and web, and how far below the
best one these may score."""
ORIGIN_NOTES: dict[Origin, str] = {
    "memory": FROM_MEMORY,
    "both": "part of the answer is not from the documents: the model gave it from memory",
    "guess": "the answer is not from the documents: it is a guess of the model's",
}
"""What a result says of an answer that the knowledge does not hold."""
UNFOUND: tuple[Origin, ...] = ("memory", "guess")
"""The origins of answers that the knowledge does not hold."""


async def attempt(state: Crag, runtime: Runtime[CragContext]) -> Update:
    """Answer by the documents; an answer that these do not hold is left to a search."""
    context = runtime.context
    knowledge, response, origin = await _answer(state, context)
    if response == NOTHING or origin in UNFOUND:
        return {"attempted": (response, origin)}
    return await _hand_out(state, context, knowledge, response, origin)


async def generate(state: Crag, runtime: Runtime[CragContext]) -> Update:
    """Answer by the knowledge; raises ChatError or ReplyError if the model that has to fails."""
    context = runtime.context
    return await _hand_out(state, context, *await _answer(state, context))


async def _answer(state: Crag, context: CragContext) -> tuple[list[Knowledge], str, Origin]:
    """Knowledge, the answer by it, and whence; the attempted one where nothing more was found."""
    knowledge, documents = [*state.internal, *state.external], [*state.documents, *state.pages]
    if context.chooses:
        titles = {document.id: document.title for document in documents}
        knowledge = _choose(knowledge, titles, context.strip_top_k + MORE, context.floor)
    if state.attempted and not state.external:
        return knowledge, *state.attempted
    if not knowledge:
        note("nothing relevant was found to answer from")
    strips = titled(knowledge, documents)
    if not context.by_model("generate"):
        return knowledge, await answer_locally(state.question, strips, context), "knowledge"
    if context.abstain and not strips:
        return knowledge, NOTHING, ""
    try:
        return knowledge, *await _ask_for_answer(state.question, strips, context)
    except (ChatError, ReplyError) as error:
        if not state.attempted:
            raise
        note(f"the answer is by the documents alone: {error}")
        return knowledge, *state.attempted


async def _hand_out(
    state: Crag, context: CragContext, knowledge: Sequence[Knowledge], response: str, origin: Origin
) -> Update:
    """The result; an answer from memory is noted, or left out where a run abstains from it."""
    origin = "" if response == NOTHING else origin
    left_out = context.abstain and origin in UNFOUND
    if why := ORIGIN_NOTES.get(origin):
        note(f"an answer was left out: {why}" if left_out else why)
    if left_out:
        response, origin = NOTHING, ""
    return await hand_out_answer(state, context, response, knowledge, origin=origin)


def _choose(
    knowledge: Sequence[Knowledge], titles: Mapping[str, str], most: int, floor: float
) -> list[Knowledge]:
    """The best strips, each once and near the best of all; below the floor only if all are."""
    best, chosen = max(map(_score, knowledge), default=0.0), list[Knowledge]()
    least = max(best - CLOSE, floor if best >= floor else -1.0)
    for strip in sorted(knowledge, key=_score, reverse=True):
        is_new = not any(_repeats(strip, other, titles) for other in chosen)
        if is_new and len(chosen) < most and _score(strip) >= least:
            chosen = [o for o in chosen if not _repeats(o, strip, titles)] + [strip]
    return [strip for strip in knowledge if strip in chosen]


def _score(strip: Knowledge) -> float:
    return strip.score or 0.0


def _repeats(strip: Knowledge, other: Knowledge, titles: Mapping[str, str]) -> bool:
    """Whether a strip stands in another under that title, to which a site may add its name."""
    title, longer = sorted((titles[strip.document], titles[other.document]), key=len)
    return title in longer and " ".join(strip.text.split()) in " ".join(other.text.split())


async def _ask_for_answer(
    question: str, strips: list[Document], context: CragContext
) -> tuple[str, Origin]:
    """A model's answer in the form of the run's task, and its origin."""
    template = FORM_TEMPLATES[context.task]
    values = {"question": question, "knowledge": number_documents(strips)}
    reply = await ask_role(context, "generate", template, **values)
    if reply.unpaid:
        return NOTHING, ""
    text, origin = read_origin(reply.text_or_raise())
    if text.rstrip(".").lower() == NOTHING.rstrip(".").lower():
        return NOTHING, ""
    origin = origin if strips or origin == "guess" else "memory"
    return in_form(text, context, context.template(template).tag), origin
