"""Retrieve once, by what was asked; split the draft; look for more on each claim (3.2, 3.3, A)."""

from asyncio import to_thread
from collections.abc import Iterable, Sequence
from itertools import zip_longest

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
from errata.tools.web.search import HITS, engine_answers, is_wikipedia

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
            found = await to_thread(lambda: keep_on_subject(found, _sentences(state.draft)))
    found = [*found, *await search_pages(state, context)]
    if question and context.deployment.max_document_tokens and not context.retrieval:
        stays = "what was retrieved stays in the order in which it was found"
        found = await in_thread_or(found, stays, _rank, question, found)
    documents = trim([*state.documents, *found], context)
    if not (documents or context.looks_up):
        note(NO_DOCUMENT_AT_ALL)
    return {"documents": documents}


def _sentences(draft: str) -> list[str]:
    return [draft[start:end] for start, end in split_sentences(draft)]


def _rank(question: str, documents: Sequence[Document]) -> list[Document]:
    texts = [(document.title, document.text) for document in documents]
    scores = load_local_evaluator().score(question, texts)
    ranked = sorted(zip(scores, documents, strict=True), key=lambda pair: -pair[0])
    return [document for _, document in ranked]


def asks_at_once(state: Rac, context: RacContext) -> bool:
    """Whether the corpus is asked before there are claims: for a question, without documents."""
    has_given = any(document.source == "given" for document in state.documents)
    by_claim = context.looks_up and bool(state.draft)
    return not (by_claim and (has_given or not state.question))


async def search_pages(state: Rac, context: RacContext) -> list[Document]:
    """The pages of one web search for the question, or for the draft's first sentence."""
    if context.search == "none":
        return []
    biography, most = context.retrieval == "biography", context.search_top_k
    query = state.question or "".join(_sentences(state.draft)[:1])
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


async def look_up(state: Rac, runtime: Runtime[RacContext]) -> Update:
    """Add what the corpus has on each claim that no given document speaks of."""
    question, context = state.question, runtime.context.for_question(state.question)
    claims = state.claims[: context.deployment.max_claims]
    if over := len(claims[MAX_LOOKED_UP:]):
        note(f"{count(over, 'claim')} after the first {MAX_LOOKED_UP} not looked up")
    found = await look_claims_up(question, claims[:MAX_LOOKED_UP], state.documents, context)
    documents = await to_thread(add_documents, state, found, context)
    if not documents:
        note(NO_DOCUMENT_AT_ALL)
    return {"documents": documents}


async def look_claims_up(
    question: str, claims: Sequence[Claim], documents: Iterable[Document], context: ClaimContext
) -> list[Document]:
    """What the corpus has on each claim that no given document speaks of."""
    given = [document for document in documents if document.source == "given"]
    queries = await to_thread(
        lambda: [q for q in queries_for(claims, question) if not is_covered(q, given)]
    )
    return await ask_by_query(queries, context, "look_up")


async def ask_by_query(queries: Sequence[str], context: ClaimContext, role: str) -> list[Document]:
    """The corpus's best documents for each query, the best of each first; a failure is noted."""
    k, encoding = context.documents_per_claim, context.deployment.encoding
    try:
        async with in_time():
            with admit_some("searches", len(queries)) as admission:
                number = admission.reserved.searches
                spend(Usage(searches=number, by_role={role: {"searches": number}}))
                if admission.fault:
                    note_unpaid(admission.fault)
                found = await retrieve_each(queries[:number], context.corpus, k, encoding)
    except InputError as error:
        note(f"the corpus was not asked about the claims: {error}")
        return []
    pairs = zip(queries, found, strict=False)
    turns = zip_longest(*(keep_on_subject(own, [query]) for query, own in pairs))
    return [document for turn in turns for document in turn if document is not None]


def queries_for(claims: Iterable[Claim], question: str) -> list[str]:
    """What to look claims up by: each with the name in the question, or in a claim before."""
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
    """The documents and what was found for claims, none twice, off the topic, or over the limit."""
    known = state.documents
    texts = {document.text for document in known}
    short = (shorten(document, context) for document in found)
    new = {document.text: document for document in short if document.text not in texts}
    added = assign_ids([*known, *new.values()])[len(known) :]
    related = drop_off_topic(state.question, known, added)
    if over := related[most:]:
        note(f"{count(over, 'document')} for the claims over {MOST_ADDED} left out")
    return trim([*known, *related[:most]], context)
