"""Write a draft where none was given."""

from asyncio import to_thread
from typing import TypedDict

from errata.core.errors import InputError
from errata.nodes.ask import ask, number_documents
from errata.nodes.ledger import note
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import step
from errata.tools.local.generate import generate as generate_locally


class Generated(TypedDict):
    """The draft."""

    draft: str


@step
async def generate(state: CorrectionState, context: CorrectionContext) -> Generated:
    """Answer the question: by the documents, if the method's template takes any.

    Raises InputError if local code should write and no document holds anything to say, ChatError
    or ReplyError if the model fails.
    """
    template = context.draft_template
    if context.model_for("generate") is None:
        if "documents" not in context.template(template).head.variables:
            note("the local filler of generate writes by the documents; it cannot do without")
        return {"draft": await _generate_locally(state)}
    values = {"question": state.question, "documents": number_documents(state.documents)}
    reply = await ask(context, "generate", template, **values)
    return {"draft": reply.text_or_raise()}


async def _generate_locally(state: CorrectionState) -> str:
    draft = await to_thread(generate_locally, state.question, state.documents)
    if not draft:
        raise InputError(
            "no draft was given, and the local filler of generate found nothing in the "
            "documents to answer with; give a draft, documents, or a model for generate"
        )
    note("the draft was put together from sentences of the documents")
    return draft
