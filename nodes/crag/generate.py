"""Answer from the knowledge that the action left (section 4.1, algorithm 1)."""

from asyncio import to_thread
from typing import TypedDict

from langchain_core.messages import AIMessage

from errata.errors import OutOfTimeError
from errata.nodes.ask import ask, number_documents
from errata.nodes.crag.forms import FORMS, Origin, read_origin
from errata.nodes.crag.state import Crag, CragContext
from errata.nodes.ledger import note
from errata.nodes.shared.receive import NAME
from errata.nodes.step import step
from errata.records import Document, Knowledge, to_json
from errata.tools.judges.disputes import find_disputes
from errata.tools.local.fill_form import choose, judge_statement
from errata.tools.local.generate import find_unread, generate_answer

NOTHING = "No answer found."
ORIGIN_NOTES: dict[Origin, str] = {
    "memory": "the answer is not from the documents: the model gave it from memory",
    "both": "part of the answer is not from the documents: the model gave it from memory",
    "guess": "the answer is not from the documents: it is a guess of the model's",
}
"""What a result says of an answer that the knowledge does not hold."""


class Generated(TypedDict):
    """The answer, and what it rests on."""

    response: str
    method: str
    documents: list[Document]
    knowledge: list[Knowledge]
    messages: list[AIMessage]


@step
async def generate(state: Crag, context: CragContext) -> Generated:
    """Answer by the internal and the external knowledge; a model answers without any, too.

    Raises ChatError or ReplyError if the model that has to answer fails.
    """
    knowledge = [*state.internal, *state.external]
    documents = [*state.documents, *state.pages]
    response = await _answer(state.question, knowledge, documents, context)
    await _note_disputes(state.question, response, documents)
    record = {
        "method": state.method,
        "action": state.action,
        "knowledge": to_json(knowledge),
        "queries": state.queries,
    }
    return {
        "response": response,
        "method": state.method,
        "documents": documents,
        "knowledge": knowledge,
        "messages": [AIMessage(response, name=NAME, additional_kwargs={"errata": record})],
    }


async def _answer(
    question: str, knowledge: list[Knowledge], documents: list[Document], context: CragContext
) -> str:
    """The answer, from a model or from sentences of the knowledge."""
    if not knowledge:
        note("nothing relevant was found to answer from")
    strips = titled(knowledge, documents)
    if context.model_for("generate") is None:
        return await _answer_locally(question, strips, context) if strips else NOTHING
    return NOTHING if context.abstain and not strips else await _ask(question, strips, context)


async def _ask(question: str, strips: list[Document], context: CragContext) -> str:
    """A model's answer in the form of the run's task; what of it no document holds is noted."""
    form = FORMS[context.task]
    values = {"question": question, "knowledge": number_documents(strips)}
    reply = (await ask(context, "generate", form.template, **values)).text_or_raise()
    text, origin = read_origin(reply)
    if text.rstrip(".").lower() == NOTHING.rstrip(".").lower():
        return NOTHING
    origin = origin if strips or origin == "guess" else "memory"
    if context.abstain and origin in ("memory", "guess"):
        note(f"an answer was left out: {ORIGIN_NOTES[origin]}")
        return NOTHING
    answer = _in_form(question, text, context)
    note(*_doubts(question, answer, origin, strips))
    return answer


def _in_form(question: str, text: str, context: CragContext) -> str:
    """The answer in the form's own words; one in another form as it stands, with a note."""
    form = FORMS[context.task]
    answer = form.read(question, text)
    if not answer:
        tag = context.template(form.template).tag
        note(f"the reply to {tag} has no answer in the form of {form.name}")
    return answer or text or NOTHING


def _doubts(question: str, answer: str, origin: Origin, strips: list[Document]) -> list[str]:
    """What of an answer is not from the documents: as the model says, or by its names."""
    if origin in ORIGIN_NOTES:
        return [ORIGIN_NOTES[origin]]
    names = find_unread(answer, [question, *(f"{s.title} {s.text}" for s in strips)])
    return [f"the answer names {name!r}, which nothing that was read holds" for name in names]


async def _note_disputes(question: str, response: str, documents: list[Document]) -> None:
    """Note on what of the answer the documents disagree, if there is time left to look."""
    try:
        for dispute in await to_thread(find_disputes, question, response, documents):
            note(dispute)
    except OutOfTimeError as error:
        note(f"whether the documents disagree was not checked: {error}")


async def _answer_locally(question: str, strips: list[Document], context: CragContext) -> str:
    """The answer of local code, or that nothing was found if the run's time is over."""
    try:
        answer = await to_thread(_fill_form, question, strips, context)
    except OutOfTimeError as error:
        note(f"no answer was put together: {error}")
        return NOTHING
    if not answer:
        note(f"local code found no answer in the form of {FORMS[context.task].name}")
    return answer or NOTHING


def _fill_form(question: str, strips: list[Document], context: CragContext) -> str:
    """An answer in the form of the run's task as far as local code has it, else sentences."""
    match context.task:
        case "pubhealth":
            note("the statement was judged by how its words compare to the documents'")
            return judge_statement(question, strips)
        case "arc":
            note("the choice was made by the words that it shares with the documents")
            return choose(question, strips, context.strip_evaluator)
    note("the answer was put together from strips of the documents")
    return generate_answer(question, strips, context.strip_evaluator)


def titled(knowledge: list[Knowledge], documents: list[Document]) -> list[Document]:
    """Each strip as a document under the title of the one it comes from."""
    titles = {document.id: document.title for document in documents}
    return [
        Document(id=str(n), text=strip.text, title=titles[strip.document])
        for n, strip in enumerate(knowledge)
    ]
