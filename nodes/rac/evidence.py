"""Retrieve once, by what was asked; split the draft; look for more on each claim (3.2, 3.3, A)."""

from asyncio import to_thread
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TypeVar

from langgraph.runtime import Runtime

from errata.core.budgets import admit_some
from errata.core.errors import InputError, count
from errata.core.limits import in_time
from errata.core.records import Claim, Document, Hit, Usage
from errata.nodes.claims import split_into_claims
from errata.nodes.evidence import ask_corpus, find_hits, is_covered, read_hits, shorten, trim
from errata.nodes.rac.state import ClaimContext, Rac, RacContext
from errata.nodes.step import Update, in_thread_or, note, note_unpaid, spend
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.local.refine import drop_off_topic
from errata.tools.retrieval.filters import (
    assign_ids,
    cut_evenly,
    keep_longer,
    keep_mentioning,
    keep_on_subject,
)
from errata.tools.retrieval.retrieve import check_corpus, retrieve_each
from errata.tools.text.questions import question_entity, question_names
from errata.tools.text.sentences import split_sentences
from errata.tools.web.engines import HITS
from errata.tools.web.search import engine_answers, is_wikipedia

NO_DOCUMENT_AT_ALL = "there is no document to judge by: no claim can be checked"


async def retrieve(state: Rac, runtime: Runtime[RacContext]) -> Update:
    """Add the corpus's best documents and the best web pages to the given ones, and trim all."""
    question, context = state.question, runtime.context.for_question(state.question)
    found = list[Document]()
    if not asks_at_once(state, context):
        check_corpus(context.corpus)
    else:
        found = await ask_corpus(question or state.draft, context)
        if found and not question:
            found = await to_thread(_on_subject, found, state.draft)
    found = [*found, *await search_pages(state, context)]
    if question and context.deployment.max_document_tokens and not context.retrieval:
        texts = [(document.title, document.text) for document in found]
        stays = "what was retrieved stays in the order in which it was found"
        scores = await in_thread_or(
            None, stays, lambda: load_local_evaluator().score(question, texts)
        )
        if scores is not None:
            ranked = sorted(zip(scores, found, strict=True), key=lambda pair: -pair[0])
            found = [document for _, document in ranked]
    documents = trim([*state.documents, *found], context)
    if (context.corpus or context.search != "none") and not context.looks_up:
        note(describe_read(documents))
    if not (documents or context.looks_up):
        note(NO_DOCUMENT_AT_ALL)
    return {"documents": documents}


def _on_subject(found: list[Document], draft: str) -> list[Document]:
    places = split_sentences(draft)
    return keep_on_subject(found, (draft[start:end] for start, end in places))


def asks_at_once(state: Rac, context: RacContext) -> bool:
    """Whether the corpus is asked before there are claims to ask it about.

    It is not for a draft without a question, nor beside given documents, which come first.
    """
    has_given = any(document.source == "given" for document in state.documents)
    by_claim = context.looks_up and bool(state.draft)
    return not (by_claim and (has_given or not state.question))


def describe_read(documents: Sequence[Document]) -> str:
    """How many documents were read for the question, given ones aside."""
    number = sum(document.source != "given" for document in documents)
    return f"{count(number, 'document', 'was')} read for the question"


async def search_pages(state: Rac, context: RacContext) -> list[Document]:
    """The pages that one web search for the question leads to; none without a search engine.

    A draft without a question is searched for by its first sentence.
    """
    if context.search == "none":
        return []
    biography, most = context.retrieval == "biography", context.search_top_k
    places = split_sentences(state.draft)[:1]
    query = state.question or "".join(state.draft[start:end] for start, end in places)
    if biography and context.entity:
        query = f"{context.entity} Wikipedia"
    found = await find_hits(query, context, "retrieve", max(HITS, most))
    if found is None:
        return []
    if not found.hits:
        note(f"{context.engine} found nothing for {query!r}")
    if biography:
        return await _read_biography(found.hits, context)
    pages = await read_hits(found.hits[:most], context, "retrieve")
    if context.retrieval == "truthfulqa":
        return cut_evenly(keep_longer(pages), context.deployment.max_document_tokens)
    return [*engine_answers(found), *pages]


async def _read_biography(hits: Sequence[Hit], context: RacContext) -> list[Document]:
    """The first pages that mention the person: Wikipedia's, or without one the others."""
    if not context.entity:
        note("retrieval=biography: the question has no name; name the person by entity")
    for wikipedia in (True, False):
        group = [hit for hit in hits if is_wikipedia(hit.url) == wikipedia]
        pages = keep_mentioning(await read_hits(group, context, "retrieve"), context.entity)
        if pages:
            return pages[: context.search_top_k]
    if hits:
        note(f"retrieval=biography: no page that was found has the name {context.entity!r}")
    return []


async def extract(state: Rac, runtime: Runtime[ClaimContext]) -> Update:
    """Split the draft into self-contained claims, each with its sentence's place."""
    return {"claims": await split_into_claims(state, runtime.context)}


MAX_LOOKED_UP = 200
"""How many claims are looked up: a corpus may be a service that is asked about each."""
MOST_ADDED = 50
"""The most documents to add for all claims together; the best of each claim come first."""
T = TypeVar("T")


async def look_up(state: Rac, runtime: Runtime[RacContext]) -> Update:
    """Add what the corpus has on each claim that no given document speaks of."""
    question, context = state.question, runtime.context.for_question(state.question)
    claims = state.claims[: context.deployment.max_claims]
    if over := len(claims[MAX_LOOKED_UP:]):
        note(f"{count(over, 'claim')} after the first {MAX_LOOKED_UP} not looked up")
        claims = claims[:MAX_LOOKED_UP]
    found = await look_claims_up(question, claims, state.documents, context)
    documents = await to_thread(add_documents, state, found, context)
    more = len(documents) - len(state.documents)
    if asks_at_once(state, context) or context.search != "none":
        note(f"{describe_read(state.documents)}, {more} more for the claims")
    else:
        note(f"{count(more, 'document', 'was')} read for the claims")
    if not documents:
        note(NO_DOCUMENT_AT_ALL)
    return {"documents": documents}


async def look_claims_up(
    question: str, claims: Sequence[Claim], documents: Iterable[Document], context: ClaimContext
) -> list[Document]:
    """What the corpus has on each claim that no given document speaks of."""
    given = [document for document in documents if document.source == "given"]

    def queries_unspoken_of() -> list[str]:
        return [q for q in queries_for(claims, question) if not is_covered(q, given)]

    queries = await to_thread(queries_unspoken_of)
    return await ask_by_query(queries, context.documents_per_claim, context, "look_up")


async def ask_by_query(
    queries: Sequence[str], k: int, context: ClaimContext, role: str
) -> list[Document]:
    """The corpus's k best documents for each query, on its subject; the best of each come first.

    A failure is noted and leaves what is there.
    """
    try:
        async with in_time():
            with admit_some("searches", len(queries)) as admission:
                number = admission.reserved.searches
                spend(Usage(searches=number, by_role={role: {"searches": number}}))
                if admission.fault:
                    note_unpaid(admission.fault)
                encoding = context.deployment.encoding
                found = await retrieve_each(queries[:number], context.corpus, k, encoding)
    except InputError as error:
        note(f"the corpus was not asked about the claims: {error}")
        return []
    pairs = zip(queries, found, strict=False)
    return list(take_turns([keep_on_subject(own, [query]) for query, own in pairs]))


def take_turns(ranked: Iterable[Sequence[T]]) -> Iterator[T]:
    """The first of each, then the second of each, and so on."""
    return (each for turn in zip_longest(*ranked) for each in turn if each is not None)


def queries_for(claims: Iterable[Claim], question: str) -> list[str]:
    """What to look claims up by: their texts, each after the name in the question if it lacks that.

    Without a name in the question: after that in the last claim with one, if it has none itself.
    """
    about, queries = question_entity(question), list[str]()
    for claim in claims:
        names = question_names(claim.text)
        if names and not question_entity(question):
            about = names[0]
        is_named = about.casefold() in claim.text.casefold()
        queries.append(claim.text if is_named else f"{about} {claim.text}")
    return queries


def add_documents(
    state: Rac, found: Iterable[Document], context: ClaimContext, most: int = MOST_ADDED
) -> list[Document]:
    """The run's documents, then what was found for claims, as many as the run may add.

    None comes twice, and none is on another topic than the question's.
    """
    known = state.documents
    texts = {document.text for document in known}
    short = (shorten(document, context) for document in found)
    new = {document.text: document for document in short if document.text not in texts}
    added = assign_ids([*known, *new.values()])[len(known) :]
    related = drop_off_topic(state.question, known, added)
    if over := related[most:]:
        note(f"{count(over, 'document')} for the claims over {MOST_ADDED} left out")
    return trim([*known, *related[:most]], context)
