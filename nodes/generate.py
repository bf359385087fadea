"""Write a draft where none was given."""

from asyncio import to_thread
from collections.abc import Sequence
from typing import Literal

from langgraph.runtime import Runtime

from errata.core.errors import InputError
from errata.core.records import Document
from errata.nodes.ask import ask_role, number_documents
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import Update, note
from errata.tools.local.generate import generate as generate_from


def after_retrieve(state: CorrectionState) -> Literal["draft given", "no draft"]:
    """Write a draft only where none was given."""
    return "draft given" if state.draft else "no draft"


async def generate(state: CorrectionState, runtime: Runtime[CorrectionContext]) -> Update:
    """Answer the question: by the documents, if the method's template takes any.

    Raises InputError if local code should write and no document holds anything to say, ChatError
    or ReplyError if the model fails.
    """
    context = runtime.context
    template = context.draft_template
    if context.by_model("generate"):
        values = {"question": state.question, "documents": number_documents(state.documents)}
        reply = await ask_role(context, "generate", template, **values)
        draft = reply.text_or_raise()
        note("no draft was given: a model wrote one")
        return {"draft": draft}
    if "documents" not in context.template(template).head.variables:
        note("local code writes from the documents; it cannot do without")
    return {"draft": await generate_locally(state.question, state.documents)}


async def generate_locally(question: str, documents: Sequence[Document]) -> str:
    """A draft of sentences of the documents; raises InputError if these hold nothing to say."""
    draft = await to_thread(generate_from, question, documents)
    if not draft:
        raise InputError(
            "no draft was given, and local code found nothing in the documents to answer with; "
            "give a draft, documents, or a model for generate"
        )
    note("no draft was given: it was put together from sentences of the documents")
    return draft
