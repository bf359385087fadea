"""Retrieve once, by what was asked (section 3.2, appendix A)."""

from asyncio import to_thread
from collections.abc import Sequence
from typing import TypedDict

from errata.core.errors import OutOfTimeError, count
from errata.core.records import Document, Hit
from errata.nodes.ledger import note
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.shared.retrieve import ask_corpus, trim
from errata.nodes.shared.web import find_hits, read_hits
from errata.nodes.step import step
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.retrieval.filters import cut_evenly, keep_longer, keep_mentioning, keep_on_subject
from errata.tools.retrieval.retrieve import check_corpus
from errata.tools.text.sentences import split_sentences
from errata.tools.web.engines import HITS
from errata.tools.web.search import engine_answers, is_wikipedia

NO_DOCUMENT_AT_ALL = "there is no document to judge by: no claim can be checked"


class Retrieved(TypedDict):
    """The documents that everything rests on."""

    documents: list[Document]


@step
async def retrieve(state: Rac, context: RacContext) -> Retrieved:
    """Add the corpus's best documents and the best web pages to the given ones, and trim all."""
    context = context.for_question(state.question)
    found = await _ask_corpus(state, context)
    pages = await search_pages(state, context)
    best = await _rerank(state.question, [*found, *pages], context)
    documents = trim([*state.documents, *best], context)
    if (context.corpus or context.search != "none") and not context.looks_up:
        note(describe_read(documents))
    if not (documents or context.looks_up):
        note(NO_DOCUMENT_AT_ALL)
    return {"documents": documents}


async def _ask_corpus(state: Rac, context: RacContext) -> list[Document]:
    """The corpus's best documents for the question; for a draft without one, on its subjects."""
    if not asks_at_once(state, context):
        check_corpus(context.corpus)
        return []
    found = await ask_corpus(state.question or state.draft, context)
    sentences = (state.draft[start:end] for start, end in split_sentences(state.draft))
    return found if state.question else keep_on_subject(found, sentences)


def asks_at_once(state: Rac, context: RacContext) -> bool:
    """Whether the corpus is asked before there are claims to ask it about.

    It is not for a draft without a question, nor beside given documents, which come first.
    """
    has_given = any(document.source == "given" for document in state.documents)
    by_claim = context.asks_by_claim and bool(state.draft)
    return not (by_claim and (has_given or not state.question))


async def _rerank(question: str, documents: list[Document], context: RacContext) -> list[Document]:
    """What was retrieved, the most relevant to the question first, if the run says so."""
    if not (context.rerank and question):
        return documents
    texts = [(document.title, document.text) for document in documents]
    try:
        scores = await to_thread(load_local_evaluator().score, question, texts)
    except OutOfTimeError as error:
        note(f"what was retrieved stays in the order in which it was found: {error}")
        return documents
    ranked = sorted(zip(scores, documents, strict=True), key=lambda pair: -pair[0])
    return [document for _, document in ranked]


def describe_read(documents: Sequence[Document]) -> str:
    """How many documents were read for the question, given ones aside."""
    number = sum(document.source != "given" for document in documents)
    return f"{count(number, 'document', 'was')} read for the question"


async def search_pages(state: Rac, context: RacContext) -> list[Document]:
    """The pages that one web search for the question leads to; none without a search engine."""
    if context.search == "none":
        return []
    query, count = query_for(state, context), max(HITS, context.search_top_k)
    found = await find_hits(query, context, "retrieve", count)
    if found is None:
        return []
    if not found.hits:
        note(f"{context.search} found nothing for {query!r}")
    if context.retrieval == "biography":
        if not context.entity:
            note("retrieval=biography: the question has no name; name the person by entity")
        return await _read_biography(found.hits, context)
    pages = await read_hits(found.hits[: context.search_top_k], context, "retrieve")
    if context.retrieval == "truthfulqa":
        return cut_evenly(keep_longer(pages), context.max_document_tokens)
    return [*engine_answers(found), *pages]


def query_for(state: Rac, context: RacContext) -> str:
    """What to search the web for: the question, or without one the draft's first sentence."""
    if context.retrieval == "biography" and context.entity:
        return f"{context.entity} Wikipedia"
    first = next((state.draft[start:end] for start, end in split_sentences(state.draft)), "")
    return state.question or first


async def _read_biography(hits: Sequence[Hit], context: RacContext) -> list[Document]:
    """The first pages that mention the person: Wikipedia's, or without one the others."""
    for wikipedia in (True, False):
        group = [hit for hit in hits if is_wikipedia(hit.url) == wikipedia]
        pages = keep_mentioning(await read_hits(group, context, "retrieve"), context.entity)
        if pages:
            return pages[: context.search_top_k]
    if hits:
        note(f"retrieval=biography: no page that was found has the name {context.entity!r}")
    return []
