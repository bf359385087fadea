"""Answer by each passage, judge the answers, hand out the best; or from memory (section 3.3)."""

from asyncio import to_thread
from functools import partial

from errata.core.records import Candidate, Document
from errata.nodes.forms import closed_reader
from errata.nodes.ledger import note
from errata.nodes.selfrag.state import Selfrag, SelfragContext
from errata.nodes.shared import answer as ending
from errata.nodes.step import step
from errata.tools.local.passages import Reflection, find_doubts, rank, write_locally
from errata.tools.models.reflection import read_reflection, read_text


@step
async def generate(state: Selfrag, context: SelfragContext) -> ending.Answered:
    """Write and judge all answers at once; without a passage, answer from memory.

    Raises ChatError or ReplyError if the model that has to answer fails.
    """
    passages = state.passages if state.need > context.retrieval_threshold else []
    if len(passages) > context.max_passages:
        note(f"passages over max_passages={context.max_passages} were left out")
    passages, documents = passages[: context.max_passages], [*state.documents, *state.pages]
    texts = [ending.titled(passage, documents) for passage in passages]
    written = await _write(state.question, texts, context)
    reader, weights = closed_reader(context.task, state.question), context.critique_weights
    ranked = rank(passages, written, weights, reader, supported=context.abstain)
    answer = await _choose(state.question, ranked, context)
    used = ranked[0].passage if ranked else ()
    return await ending.hand_out(state, answer, used, need=state.need, candidates=ranked)


async def _write(
    question: str, texts: list[list[Document]], context: SelfragContext
) -> list[Reflection]:
    """An answer by each passage, with its critiques."""
    if context.model_for("generate"):
        replies = await ending.ask_by_each(question, texts, context, "selfrag/generate.passage")
        return [read_reflection(reply) for reply in replies]
    fill = partial(ending.fill_form, question, context=context)
    return await to_thread(write_locally, question, texts, fill, lambda: context.strip_evaluator)


async def _choose(question: str, ranked: list[Candidate], context: SelfragContext) -> str:
    """The best answer, with a note on what its critiques hold against it."""
    if not ranked:
        return await ending.answer_from_memory(question, context, "selfrag/generate", read_text)
    note(*find_doubts(ranked[0]))
    tag = context.template("selfrag/generate.passage").tag
    return ending.in_form(question, ranked[0].text, context, tag)
