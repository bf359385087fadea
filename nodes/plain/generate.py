"""Answer in one go: from memory, or by all that was retrieved."""

from errata.core.records import Document
from errata.nodes.ask import number_documents
from errata.nodes.forms import read_answer, read_conclusion
from errata.nodes.ledger import note
from errata.nodes.plain.state import Plain, PlainContext
from errata.nodes.shared.answer import (
    Answered,
    answer_from_memory,
    answer_locally,
    ask_for_answer,
    hand_out,
    titled,
)
from errata.nodes.step import step
from errata.tools.local.refine import as_knowledge


@step
async def generate(state: Plain, context: PlainContext) -> Answered:
    """Answer by the whole documents and the web's paragraphs, or from memory.

    Raises ChatError or ReplyError if the model that has to answer fails.
    """
    if state.documents and not context.rag:
        note("rag is off: the documents were not read")
    knowledge = [*map(as_knowledge, state.documents), *state.external] if context.rag else []
    strips = titled(knowledge, [*state.documents, *state.pages])
    return await hand_out(state, await _answer(state.question, strips, context), knowledge)


async def _answer(question: str, strips: list[Document], context: PlainContext) -> str:
    """The answer, without the steps that led to it."""
    read = read_conclusion if context.chain_of_thought else read_answer
    if not strips:
        template = "plain/generate.cot" if context.chain_of_thought else "plain/generate"
        return await answer_from_memory(question, context, template, read)
    if context.model_for("generate") is None:
        return await answer_locally(question, strips, context)
    template = "plain/generate.rag.cot" if context.chain_of_thought else "plain/generate.rag"
    texts = {"knowledge": number_documents(strips)}
    return await ask_for_answer(question, context, template, read, **texts)
