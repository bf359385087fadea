"""Write the draft, or take the given one, and judge each sentence as it ends."""

from asyncio import create_task, to_thread
from collections.abc import Sequence

from langgraph.runtime import Runtime

from errata.core.errors import ChatError, InputError, ReplyError
from errata.core.records import Document
from errata.nodes.answer import FROM_MEMORY, NOTHING, titled
from errata.nodes.ask import Tell, ask, number_documents
from errata.nodes.errata.judging import Judging
from errata.nodes.errata.state import Errata, ErrataContext
from errata.nodes.step import Update, note
from errata.tools.local.generate import generate as generate_locally


async def generate(state: Errata, runtime: Runtime[ErrataContext]) -> Update:
    """Write by the knowledge unless a draft is given; judge claims while the text goes on.

    Raises CutError with what was written and judged if a model's answer breaks off, InputError if
    local code finds nothing to write, ChatError or ReplyError if the model fails.
    """
    context = runtime.context
    documents, knowledge = [*state.documents, *state.pages], [*state.internal, *state.external]
    judging = Judging(state, context, documents)
    strips = titled(knowledge, documents)
    warming = create_task(judging.warm())
    try:
        draft = state.draft or await write_answer(state.question, strips, context, judging.hear)
        return {**await judging.finish(draft), "knowledge": knowledge}
    except (ChatError, ReplyError) as error:
        cut = await judging.cut(error)
        if not cut.draft:
            raise
        raise cut from error
    finally:
        warming.cancel()
        judging.stop()


async def write_answer(
    question: str, strips: Sequence[Document], context: ErrataContext, tell: Tell
) -> str:
    """An answer by some strips.

    Raises InputError if local code finds nothing to say, ChatError or ReplyError if a model fails.
    """
    if context.model_for("generate") is None:
        text = await to_thread(generate_locally, question, strips)
        if not text:
            raise InputError(
                "no draft was given, and local code found nothing in the documents to answer with; "
                "give a draft, documents, or a model for generate"
            )
        note("no draft was given: it was put together from sentences of the documents")
        return text
    if not strips and context.abstain:
        note("nothing was found to answer from")
        return NOTHING
    if not strips:
        note(FROM_MEMORY)
    template = "rac/generate.rag" if strips else "rac/generate"
    values = {"question": question, "documents": number_documents(strips)}
    shown = context.hold == "none"
    reply = await ask(context, "generate", template, 0, tell, shown, **values)
    return reply.text_or_raise()
