"""Look for evidence on each claim, where that on the question may be silent."""

from asyncio import gather, to_thread
from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import TypedDict, TypeVar

from errata.bounds import in_time
from errata.budgets import admit_some
from errata.errors import InputError
from errata.nodes.ledger import note, note_once, note_unpaid, spend
from errata.nodes.rac.retrieve import NO_DOCUMENT_AT_ALL, describe_read
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.shared.retrieve import shorten, trim
from errata.nodes.shared.web import find_hits, read_hits
from errata.nodes.step import step
from errata.records import Claim, Document, Usage
from errata.tools.judges.topics import drop_off_topic, find_unspoken
from errata.tools.retrieval.filters import assign_ids
from errata.tools.retrieval.retrieve import retrieve_each
from errata.tools.text.questions import question_entity
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
    found = await _ask_corpus(state.question, claims, context)
    documents = await to_thread(add_documents, state, found, context)
    if context.search != "none" and context.claim_searches:
        silent = await to_thread(find_unspoken, state.question, claims, documents)
        searched = silent[: context.claim_searches]
        found += await _search(state.question, searched, documents, context)
        documents = await to_thread(add_documents, state, found, context)
    more = len(documents) - len(state.documents)
    note(f"{describe_read(state.documents)}, {more} more for the claims")
    if not documents:
        note(NO_DOCUMENT_AT_ALL)
    return {"documents": documents}


def _claims_to_look_up(state: Rac, context: RacContext) -> list[Claim]:
    """The claims that are checked, up to a limit."""
    claims = state.claims[: context.max_claims]
    if over := len(claims[MAX_LOOKED_UP:]):
        note(f"{over} claims after the first {MAX_LOOKED_UP} were not looked up")
    return claims[:MAX_LOOKED_UP]


async def _ask_corpus(
    question: str, claims: Sequence[Claim], context: RacContext
) -> list[Document]:
    """The corpus's best documents for each claim; a failure is noted and leaves what is there."""
    if not (context.corpus and context.documents_per_claim):
        return []
    queries = [query_for(claim, question) for claim in claims]
    source = (context.corpus, context.documents_per_claim, context.encoding)
    try:
        async with in_time():
            with admit_some("searches", len(queries)) as admission:
                number = admission.reserved.searches
                spend(Usage(searches=number, by_role={"look_up": {"searches": number}}))
                if admission.fault:
                    note_unpaid(admission.fault)
                return list(_take_turns(await retrieve_each(queries[:number], *source)))
    except InputError as error:
        note(f"the corpus was not asked about the claims: {error}")
        return []


async def _search(
    question: str, claims: Sequence[Claim], known: Iterable[Document], context: RacContext
) -> list[Document]:
    """The best web pages for each claim that were not read yet, as many as the run may add."""
    queries = [query_for(claim, question) for claim in claims]
    found = await gather(*(find_hits(query, context, "look_up", HITS) for query in queries))
    best = (result.hits[: context.documents_per_claim or 1] for result in found if result)
    urls = {document.url for document in known}
    hits = [hit for hit in distinct_pages(_take_turns(best)) if hit.url not in urls]
    return await read_hits(hits[: context.max_claim_documents], context, "look_up")


def _take_turns(ranked: Iterable[Sequence[T]]) -> Iterator[T]:
    """The first of each, then the second of each, and so on."""
    return (each for turn in zip_longest(*ranked) for each in turn if each is not None)


def query_for(claim: Claim, question: str) -> str:
    """What to look a claim up by: its text, after the name in the question if it lacks that."""
    entity = question_entity(question)
    is_named = entity.casefold() in claim.text.casefold()
    return claim.text if is_named else f"{entity} {claim.text}"


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
        note_once(f"{len(over)} documents for the claims over {limit} were left out")
    return trim([*known, *related[: context.max_claim_documents]], context)
