"""Look for evidence on each claim, where that on the question may be silent."""

from asyncio import gather, to_thread
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TypedDict, TypeVar

from errata.core.budgets import admit_some
from errata.core.errors import InputError, count
from errata.core.limits import in_time
from errata.core.records import Claim, Document, Usage
from errata.nodes.ledger import note, note_once, note_unpaid, spend
from errata.nodes.rac.retrieve import NO_DOCUMENT_AT_ALL, asks_at_once, describe_read
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.shared.retrieve import is_spoken_of, shorten, trim
from errata.nodes.shared.web import find_hits, read_hits
from errata.nodes.step import step
from errata.tools.local.excerpts import drop_off_topic, find_unspoken
from errata.tools.retrieval.filters import assign_ids, keep_on_subject
from errata.tools.retrieval.retrieve import retrieve_each
from errata.tools.text.questions import question_entity, question_names
from errata.tools.web.engines import HITS
from errata.tools.web.search import distinct_pages

MAX_LOOKED_UP = 200
"""How many claims are looked up: a corpus may be a service that is asked about each."""
T = TypeVar("T")


class LookedUp(TypedDict):
    """The documents, with more on single claims."""

    documents: list[Document]


@step
async def look_up(state: Rac, context: RacContext) -> LookedUp:
    """Add what the corpus has on each claim, and the web on those that all this is silent on."""
    context = context.for_question(state.question)
    claims = _claims_to_look_up(state, context)
    found = await _ask_corpus(state, claims, context)
    documents = await to_thread(add_documents, state, found, context)
    if context.search != "none" and context.claim_searches:
        silent = await to_thread(find_unspoken, state.question, claims, documents)
        searched = silent[: context.claim_searches]
        found += await _search(state.question, searched, documents, context)
        documents = await to_thread(add_documents, state, found, context)
    more, first = len(documents) - len(state.documents), describe_read(state.documents)
    own = count(more, "document", "was") + " read for the claims"
    has_first = asks_at_once(state, context) or context.search != "none"
    note(f"{first}, {more} more for the claims" if has_first else own)
    if not documents:
        note(NO_DOCUMENT_AT_ALL)
    return {"documents": documents}


def _claims_to_look_up(state: Rac, context: RacContext) -> list[Claim]:
    """The claims that are checked, up to a limit."""
    claims = state.claims[: context.max_claims]
    if over := len(claims[MAX_LOOKED_UP:]):
        note(f"{count(over, 'claim')} after the first {MAX_LOOKED_UP} not looked up")
    return claims[:MAX_LOOKED_UP]


async def _ask_corpus(state: Rac, claims: Sequence[Claim], context: RacContext) -> list[Document]:
    """The corpus's best documents on the subject of each claim that no given document speaks of.

    A failure is noted and leaves what is there.
    """
    if not context.asks_by_claim:
        return []
    given = [document for document in state.documents if document.source == "given"]
    everything = queries_for(claims, state.question)
    queries = await to_thread(_find_unspoken, everything, given)
    source = (context.corpus, context.documents_per_claim, context.encoding)
    try:
        async with in_time():
            with admit_some("searches", len(queries)) as admission:
                number = admission.reserved.searches
                spend(Usage(searches=number, by_role={"look_up": {"searches": number}}))
                if admission.fault:
                    note_unpaid(admission.fault)
                found = await retrieve_each(queries[:number], *source)
    except InputError as error:
        note(f"the corpus was not asked about the claims: {error}")
        return []
    pairs = zip(queries, found, strict=False)
    return list(_take_turns([keep_on_subject(own, [query]) for query, own in pairs]))


def _find_unspoken(queries: Sequence[str], given: Sequence[Document]) -> list[str]:
    """The queries of which no given document speaks."""
    return [query for query in queries if not is_spoken_of(query, given)]


async def _search(
    question: str, claims: Sequence[Claim], known: Iterable[Document], context: RacContext
) -> list[Document]:
    """The best web pages for each claim that were not read yet, as many as the run may add."""
    queries = queries_for(claims, question)
    found = await gather(*(find_hits(query, context, "look_up", HITS) for query in queries))
    best = (result.hits[: context.documents_per_claim or 1] for result in found if result)
    urls = {document.url for document in known}
    hits = [hit for hit in distinct_pages(_take_turns(best)) if hit.url not in urls]
    return await read_hits(hits[: context.max_claim_documents], context, "look_up")


def _take_turns(ranked: Iterable[Sequence[T]]) -> Iterator[T]:
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


def add_documents(state: Rac, found: Iterable[Document], context: RacContext) -> list[Document]:
    """The run's documents, then what was found for claims, as many as the run may add.

    None comes twice, and none is on another topic than the question's.
    """
    known = state.documents
    texts = {document.text for document in known}
    short = (shorten(document, context) for document in found)
    new = {document.text: document for document in short if document.text not in texts}
    added = assign_ids([*known, *new.values()])[len(known) :]
    related = drop_off_topic(state.question, known, added)
    if over := related[context.max_claim_documents :]:
        limit = f"max_claim_documents={context.max_claim_documents}"
        note_once(f"{count(over, 'document')} for the claims over {limit} left out")
    return trim([*known, *related[: context.max_claim_documents]], context)
