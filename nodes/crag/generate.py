"""Answer from the knowledge that the action left (section 4.1, algorithm 1)."""

from asyncio import to_thread
from typing import TypedDict

from langchain_core.messages import AIMessage

from errata.errors import OutOfTimeError
from errata.nodes.ask import ask
from errata.nodes.crag.state import Crag, CragContext
from errata.nodes.ledger import note
from errata.nodes.shared.receive import NAME
from errata.nodes.step import step
from errata.records import Document, Knowledge, to_json
from errata.tools.judges.disputes import find_disputes
from errata.tools.local.generate import generate_answer

NOTHING = "No answer found."


class Generated(TypedDict):
    """The answer, and what it rests on."""

    response: str
    method: str
    documents: list[Document]
    knowledge: list[Knowledge]
    messages: list[AIMessage]


@step
async def generate(state: Crag, context: CragContext) -> Generated:
    """Answer by the internal and the external knowledge; without any, say so.

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
        return NOTHING
    if context.model_for("generate") is None:
        return await _answer_locally(question, titled(knowledge, documents), context)
    values = {"question": question, "knowledge": join_strips(knowledge)}
    reply = await ask(context, "generate", "crag/generate", **values)
    return reply.text_or_raise()


async def _note_disputes(question: str, response: str, documents: list[Document]) -> None:
    """Note on what of the answer the documents disagree, if there is time left to look."""
    try:
        for dispute in await to_thread(find_disputes, question, response, documents):
            note(dispute)
    except OutOfTimeError as error:
        note(f"whether the documents disagree was not checked: {error}")


async def _answer_locally(question: str, strips: list[Document], context: CragContext) -> str:
    """Sentences of the strips, or that nothing was found if the run's time is over."""
    try:
        answer = await to_thread(generate_answer, question, strips, context.strip_evaluator)
    except OutOfTimeError as error:
        note(f"no answer was put together: {error}")
        return NOTHING
    note("the answer was put together from strips of the documents")
    return answer


def titled(knowledge: list[Knowledge], documents: list[Document]) -> list[Document]:
    """Each strip as a document under the title of the one it comes from."""
    titles = {document.id: document.title for document in documents}
    return [
        Document(id=str(n), text=strip.text, title=titles[strip.document])
        for n, strip in enumerate(knowledge)
    ]


def join_strips(knowledge: list[Knowledge]) -> str:
    """The knowledge, one strip a paragraph."""
    return "\n\n".join(strip.text.strip() for strip in knowledge)
