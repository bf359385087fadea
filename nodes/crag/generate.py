"""Answer from the knowledge that the action left (section 4.1, algorithm 1)."""

from asyncio import to_thread
from typing import TypedDict

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from errata.nodes.ask import asked
from errata.nodes.crag.state import Crag, CragContext, settings
from errata.nodes.shared.receive import NAME
from errata.nodes.step import step
from errata.records import Document, Knowledge, Usage
from errata.tools.local.generate import generate_answer as local

NOTHING = "No answer found."


class Generated(TypedDict):
    """Add the answer, and what it rests on."""

    response: str
    method: str
    documents: list[Document]
    knowledge: list[Knowledge]
    messages: list[AIMessage]
    usage: Usage
    notes: list[str]


@step
async def generate(state: Crag, runtime: Runtime[CragContext]) -> Generated:
    """Answer by the internal and the external knowledge; by none, say so.

    Raises ChatError or ReplyError where the model that had to answer failed.
    """
    context = settings(runtime)
    knowledge = [*state.internal, *state.external]
    model, usage, notes = context.filler("generate"), Usage(), list[str]()
    if not knowledge:
        response, notes = NOTHING, ["nothing relevant was found to answer from"]
    elif model is None:
        texts = titled(knowledge, [*state.documents, *state.pages])
        response = await to_thread(local, state.question, texts, context.strip_evaluator)
        notes = ["the answer was put together from strips of the documents"]
    else:
        values = {"question": state.question, "knowledge": listed(knowledge)}
        reply = await asked(context, model, "generate", "crag/generate.v1", **values)
        response, usage = reply.text, reply.usage
    return {
        "response": response,
        "method": "crag",
        "documents": [*state.documents, *state.pages],
        "knowledge": knowledge,
        "messages": [AIMessage(response, name=NAME)],
        "usage": usage,
        "notes": notes,
    }


def titled(knowledge: list[Knowledge], documents: list[Document]) -> list[Document]:
    """Give each strip as a document under the title of the one it comes from."""
    titles = {document.id: document.title for document in documents}
    return [
        Document(id=str(n), text=strip.text, title=titles[strip.document])
        for n, strip in enumerate(knowledge)
    ]


def listed(knowledge: list[Knowledge]) -> str:
    """Write knowledge one strip a paragraph."""
    return "\n\n".join(strip.text.strip() for strip in knowledge)
