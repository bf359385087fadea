"""Answer from the knowledge that the action left (section 4.1, algorithm 1)."""

from errata.core.records import Document
from errata.nodes.answer import (
    FROM_MEMORY,
    NOTHING,
    Origin,
    answer_locally,
    hand_out,
    in_form,
    read_origin,
    titled,
)
from errata.nodes.ask import ask, number_documents
from errata.nodes.crag.state import Crag, CragContext
from errata.nodes.ledger import note
from errata.nodes.state import Task
from errata.nodes.step import Update, step
from errata.tools.local.generate import find_unread

TEMPLATES: dict[Task, str] = {
    "": "crag/generate",
    "popqa": "crag/generate.short",
    "biography": "crag/generate.long",
    "pubhealth": "crag/generate.verdict",
    "arc": "crag/generate.choice",
}
"""The prompt of each form of answer."""
ORIGIN_NOTES: dict[Origin, str] = {
    "memory": FROM_MEMORY,
    "both": "part of the answer is not from the documents: the model gave it from memory",
    "guess": "the answer is not from the documents: it is a guess of the model's",
}
"""What a result says of an answer that the knowledge does not hold."""


@step
async def generate(state: Crag, context: CragContext) -> Update:
    """Answer by the internal and the external knowledge; a model answers without any, too.

    Raises ChatError or ReplyError if the model that has to answer fails.
    """
    knowledge = [*state.internal, *state.external]
    if not knowledge:
        note("nothing relevant was found to answer from")
    strips = titled(knowledge, [*state.documents, *state.pages])
    if context.model_for("generate") is None:
        response = await answer_locally(state.question, strips, context)
    elif context.abstain and not strips:
        response = NOTHING
    else:
        response = await _ask(state.question, strips, context)
    return await hand_out(state, response, knowledge)


async def _ask(question: str, strips: list[Document], context: CragContext) -> str:
    """A model's answer in the form of the run's task; what of it no document holds is noted."""
    template = TEMPLATES[context.task]
    values = {"question": question, "knowledge": number_documents(strips)}
    reply = await ask(context, "generate", template, **values)
    if reply.unpaid:
        return NOTHING
    text, origin = read_origin(reply.text_or_raise())
    if text.rstrip(".").lower() == NOTHING.rstrip(".").lower():
        return NOTHING
    origin = origin if strips or origin == "guess" else "memory"
    if context.abstain and origin in ("memory", "guess"):
        note(f"an answer was left out: {ORIGIN_NOTES[origin]}")
        return NOTHING
    answer = in_form(question, text, context, context.template(template).tag)
    if origin in ORIGIN_NOTES:
        note(ORIGIN_NOTES[origin])
    else:
        read = [question, *(f"{strip.title} {strip.text}" for strip in strips)]
        unread = find_unread(answer, read)
        note(*(f"the answer names {n!r}, which nothing that was read holds" for n in unread))
    return answer
