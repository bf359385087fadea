"""Write the draft or take it, judge it as it goes on and by a model, mend it, end the stream."""

from asyncio import create_task, to_thread
from collections.abc import Sequence

from langgraph.runtime import Runtime

from errata.core.errors import ChatError, ReplyError
from errata.core.events import Judged, closing_events
from errata.core.records import Document
from errata.nodes.answer import FROM_MEMORY, NOTHING, titled
from errata.nodes.ask import OnText, ask_role, number_documents
from errata.nodes.claims import label_for, within_limit
from errata.nodes.decide import Brief, choose_mends
from errata.nodes.ends import hand_out
from errata.nodes.errata.judging import Judging, to_mend, weigh
from errata.nodes.errata.state import Errata, ErrataContext
from errata.nodes.generate import generate_locally
from errata.nodes.rac.verify import judge_again, judge_of_draft
from errata.nodes.step import Update, note, tell_event


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
    question: str, strips: Sequence[Document], context: ErrataContext, on_text: OnText
) -> str:
    """An answer by some strips; raises InputError, or for a model ChatError or ReplyError."""
    if not context.by_model("generate"):
        return await generate_locally(question, strips)
    if not strips and context.abstain:
        note("nothing was found to answer from")
        return NOTHING
    if not strips:
        note(FROM_MEMORY)
    template = "rac/generate.rag" if strips else "rac/generate"
    values = {"question": question, "documents": number_documents(strips)}
    shown = context.hold == "none"
    reply = await ask_role(context, "generate", template, on_text, shown, **values)
    return reply.text_or_raise()


async def verify(state: Errata, runtime: Runtime[ErrataContext]) -> Update:
    """Judge once more what is unsure or refuted, or let the decision model that judged mend it."""
    context = runtime.context
    decides = not context.check_only and context.sole_deciders("verify")
    models = not state.asked and (context.by_model("verify") or context.passes_on("verify"))
    if not (decides or models):
        return {}
    claims, over = within_limit(state.claims, context)
    first = state.verdicts[: len(claims)]
    brief = Brief(state.question, claims, state.documents)
    if decides:
        return {"mends": await choose_mends(brief, first, context)}
    if context.cascades("verify"):
        second = await judge_again(brief, first, context, to_mend(first, context))
        verdicts = weigh(first, second.verdicts)
    else:
        second = await judge_of_draft(state, claims, state.documents, context)
        verdicts = second.verdicts
    for claim, old, new in zip(claims, first, verdicts, strict=True):
        if new != old:
            tell_event(Judged(claim=claim, verdict=new))
    return {"verdicts": [*verdicts, *over], "mends": second.mends}


async def report(state: Errata, runtime: Runtime[ErrataContext]) -> Update:
    """Apply the edits, sum up the verdicts, and end the stream."""
    update = await to_thread(hand_out, state, runtime.context, label_for(state.verdicts))
    for event in closing_events(state.draft, update["edits"], state.held):
        tell_event(event)
    return update
