"""Write a draft where none was given: from the documents with RAG, from the question without."""

from asyncio import to_thread
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.errors import InputError
from errata.nodes.ask import asked, joined
from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.step import step
from errata.records import Usage
from errata.tools.local.generate import generate as local


class Generated(TypedDict):
    """Add the draft."""

    draft: str
    usage: Usage
    notes: list[str]


@step
async def generate(state: Rac, runtime: Runtime[RacContext]) -> Generated:
    """Answer the question.

    Raises InputError where local code should write and the documents hold nothing to say.
    """
    context = settings(runtime)
    model = context.filler("generate")
    if model is None:
        draft = await to_thread(local, state.question, state.documents)
        if not draft:
            raise InputError(
                "no draft was given, and the local filler of generate found nothing in the "
                "documents to answer with; give a draft, documents, or a model for generate"
            )
        note = "the draft was put together from sentences of the documents"
        return {"draft": draft, "usage": Usage(), "notes": [note]}
    values = {"question": state.question}
    if context.rag:
        values["documents"] = joined(state.documents)
    reply = await asked(context, model, "generate", template(context), **values)
    return {"draft": reply.text, "usage": reply.usage, "notes": []}


def template(context: RacContext) -> str:
    """Name the prompt of table 8 for the run's form of answer."""
    if not context.rag:
        return "rac/generate.v1"
    return "rac/generate.rag.short.v1" if context.answers == "short" else "rac/generate.rag.v1"
