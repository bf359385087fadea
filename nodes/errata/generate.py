"""Write the draft, or take the given one, and judge each sentence as it ends."""

from asyncio import create_task, to_thread
from collections.abc import Sequence

from errata.core.errors import ChatError, CutError, InputError, ReplyError
from errata.core.records import Document
from errata.nodes.answer import FROM_MEMORY, NOTHING, titled
from errata.nodes.ask import Tell, ask, number_documents
from errata.nodes.errata.judging import Judging
from errata.nodes.errata.pen import Pen
from errata.nodes.errata.state import Errata, ErrataContext
from errata.nodes.step import Update, kept, note, step
from errata.tools.local.generate import generate as generate_locally

DONE = "done"


@step
async def generate(state: Errata, context: ErrataContext) -> Update:
    """Write by the knowledge unless a draft is given; judge claims while the text goes on.

    Raises CutError with what was written and judged if a model's answer breaks off, InputError if
    local code finds nothing to write, ChatError or ReplyError if the model fails.
    """
    documents, knowledge = [*state.documents, *state.pages], [*state.internal, *state.external]
    judging = Judging(state, context, documents)
    strips = titled(knowledge, documents)

    async def text(before: str, tell: Tell) -> str:
        if state.draft:
            return state.draft[len(before) :]
        return await compose(state.question, strips, before, context, tell)

    pen = judging.pen = Pen(text, judging.tell)
    warming = create_task(judging.warm())
    try:
        while sentence := (await kept("errata.sentence", pen.take, judging.draft))["text"]:
            judging.take(sentence)
        return {**await judging.finish(), "knowledge": knowledge}
    except (ChatError, ReplyError) as error:
        if not judging.draft:
            raise
        claims, verdicts = await judging.judged()
        cut = CutError(str(error))
        cut.draft, cut.claims, cut.verdicts = judging.draft, tuple(claims), tuple(verdicts)
        raise cut from error
    finally:
        pen.stop()
        warming.cancel()
        judging.stop()


async def compose(
    question: str, strips: Sequence[Document], before: str, context: ErrataContext, tell: Tell
) -> str:
    """An answer by some strips, or what follows of one that is begun.

    Raises InputError if local code finds nothing to say, ChatError or ReplyError if a model fails.
    """
    if context.model_for("generate") is None:
        text = await to_thread(generate_locally, question, strips)
        if not text and not before:
            raise InputError(
                "no draft was given, and local code found nothing in the documents to answer with; "
                "give a draft, documents, or a model for generate"
            )
        note("no draft was given: it was put together from sentences of the documents")
        return text[len(before) :]
    if not strips and context.abstain:
        note("nothing was found to answer from")
        return "" if before else NOTHING
    if not strips:
        note(FROM_MEMORY)
    template = "rac/generate.rag" if strips else "rac/generate"
    template = "errata/generate.more" if before else template

    def pass_on(text: str) -> None:
        if not (before and DONE.startswith(text.strip(" .").lower())):
            tell(text)

    values = {"question": question, "documents": number_documents(strips), "draft": before}
    shown = context.hold == "none"
    reply = await ask(context, "generate", template, 0, pass_on, shown, **values)
    text = reply.text_or_raise()
    return "" if before and text.strip(" .").lower() == DONE else text
