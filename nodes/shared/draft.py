"""Write a draft where none was given."""

from asyncio import to_thread
from typing import TypedDict

from errata.errors import InputError
from errata.nodes.ask import ask, number_documents
from errata.nodes.ledger import note
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.tools.local.generate import generate as generate_locally


class Drafted(TypedDict):
    """The draft."""

    draft: str


async def write_draft(
    state: CorrectionState, context: CorrectionContext, template: str, *, rag: bool
) -> Drafted:
    """An answer to the question: from the documents with RAG, from the model alone without.

    Raises InputError if local code should write and no document holds anything to say, ChatError
    or ReplyError if the model fails.
    """
    if context.model_for("generate") is None:
        return {"draft": await _write_locally(state)}
    documents = {"documents": number_documents(state.documents)} if rag else {}
    reply = await ask(context, "generate", template, question=state.question, **documents)
    return {"draft": reply.text_or_raise()}


async def _write_locally(state: CorrectionState) -> str:
    draft = await to_thread(generate_locally, state.question, state.documents)
    if not draft:
        raise InputError(
            "no draft was given, and the local filler of generate found nothing in the "
            "documents to answer with; give a draft, documents, or a model for generate"
        )
    note("the draft was put together from sentences of the documents")
    return draft
