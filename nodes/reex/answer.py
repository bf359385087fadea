"""Answer the sub-questions, all at once (section 2, step 1; table 3)."""

from asyncio import gather, to_thread
from collections.abc import Iterable, Sequence
from typing import TypedDict

from langchain_core.language_models import BaseChatModel
from langgraph.runtime import Runtime

from errata.errors import ChatError, ReplyError, SearchError, SettingError
from errata.nodes.ask import asked, spent
from errata.nodes.reex.state import Reex, ReexContext, settings
from errata.nodes.shared.receive import retrieved
from errata.nodes.step import step
from errata.records import Document, Knowledge, SearchResult, SubAnswer, Usage
from errata.tools.judges.checkpoints import evaluator_for
from errata.tools.local.refine import as_knowledge, refine
from errata.tools.retrieval.filters import assign_ids, drop_domains
from errata.tools.text.words import count_tokens
from errata.tools.web.search import engine_answers, search_web

Found = tuple[list[Document], Usage, list[str]]
"""Documents for one sub-question, what they cost, and what went wrong."""


class Answered(TypedDict):
    """Add the answers, and the documents they are from."""

    documents: list[Document]
    answers: list[SubAnswer]
    usage: Usage
    notes: list[str]


@step
async def answer(state: Reex, runtime: Runtime[ReexContext]) -> Answered:
    """Find evidence for every sub-question; one that fails is noted and has none."""
    context = settings(runtime)
    if context.evidence == "internal":
        model = context.filler("answer")
        if model is None:
            raise SettingError("internal evidence is a model's own: name one for the role answer")
        parts = await gather(*(_recalled(context, model, question) for question in state.questions))
    else:
        parts = await gather(*(_looked_up(context, question) for question in state.questions))
    documents = assign_ids([*state.documents, *_distinct(d for part in parts for d in part[0])])
    by_text = {document.text: document for document in documents}
    own = [[by_text[d.text] for d in (*state.documents, *part[0])] for part in parts]
    answers = await to_thread(_answers, state.questions, own, context)
    usage = sum((part[1] for part in parts), Usage())
    notes = list(dict.fromkeys(note for part in parts for note in part[2]))
    return {"documents": documents, "answers": answers, "usage": usage, "notes": notes}


async def _looked_up(context: ReexContext, question: str) -> Found:
    """Look in the corpus, and search the web, for one sub-question."""
    documents, usage = await retrieved(question, (), context)
    if context.search == "none":
        return documents, usage, []
    usage += Usage(searches=1, by_role={"answer": {"searches": 1}})
    try:
        found = await search_web(question, context.search, context.limits, context.cache)
    except SearchError as error:
        return documents, usage, [str(error)]
    hits = drop_domains(snippets(found), context.blocked_domains)[: context.top_k]
    return [*documents, *engine_answers(found), *hits], usage, []


def snippets(found: SearchResult) -> list[Document]:
    """Give what an engine showed of its results as documents, with their addresses."""
    shown = ((hit, hit.text or hit.snippet) for hit in found.hits)
    return [
        Document(text=text, title=hit.title, url=hit.url, source="web")
        for hit, text in shown
        if text.strip()
    ]


async def _recalled(context: ReexContext, model: BaseChatModel, question: str) -> Found:
    """Have a model answer one sub-question out of itself."""
    try:
        reply = await asked(context, model, "answer", "reex/answer.v1", question=question)
    except (ChatError, ReplyError) as error:
        return [], spent(error), [f"{question!r} was not answered: {error}"]
    return [Document(text=reply.text, title="the model's answer", source="model")], reply.usage, []


def _distinct(documents: Iterable[Document]) -> list[Document]:
    return list({document.text: document for document in documents}.values())


def _answers(
    questions: Sequence[str], documents: Sequence[Sequence[Document]], context: ReexContext
) -> list[SubAnswer]:
    """Give each sub-question its strips; a strip answers the first question it is found for."""
    evaluator, count = evaluator_for("local:lexical"), context.strips_per_question
    answers, taken = [], set[tuple[str, int]]()
    for question, own in zip(questions, documents, strict=True):
        if context.filter_evidence:
            strips = refine(question, own, "excerption", evaluator, count, evaluator.floor)
        else:
            strips = [as_knowledge(document) for document in own]
        new = [strip for strip in strips if (strip.document, strip.start) not in taken]
        taken |= {(strip.document, strip.start) for strip in new}
        answers.append(SubAnswer(question=question, evidence=tuple(new)))
    return _within(answers, context.evidence_tokens) if context.filter_evidence else answers


def _within(answers: Sequence[SubAnswer], budget: int) -> list[SubAnswer]:
    """Keep of all answers the best strips that fit a budget of tokens."""
    strips = [strip for answer in answers for strip in answer.evidence]
    kept: set[Knowledge] = set()
    for strip in sorted(strips, key=lambda strip: -(strip.score or 0.0)):
        budget -= count_tokens(strip.text)
        if budget >= 0:
            kept.add(strip)
    return [
        SubAnswer(question=a.question, evidence=tuple(s for s in a.evidence if s in kept))
        for a in answers
    ]
