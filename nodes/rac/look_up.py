"""Look for evidence on each claim, where that on the question may be silent."""

from asyncio import gather, to_thread
from collections.abc import Iterable, Sequence
from itertools import zip_longest
from typing import TypedDict

from errata.bounds import in_time
from errata.errors import InputError
from errata.nodes.ledger import note, spend
from errata.nodes.rac.retrieve import describe_read
from errata.nodes.rac.state import Rac, RacContext
from errata.nodes.shared.retrieve import trim
from errata.nodes.shared.web import find_hits, read_hits
from errata.nodes.step import step
from errata.records import Claim, Document, Usage
from errata.tools.judges.topics import drop_off_topic, find_unspoken
from errata.tools.retrieval.filters import assign_ids
from errata.tools.retrieval.retrieve import retrieve_each
from errata.tools.text.questions import question_entity
from errata.tools.web.engines import HITS


class LookedUp(TypedDict):
    """The documents, with more on single claims."""

    documents: list[Document]


@step
async def look_up(state: Rac, context: RacContext) -> LookedUp:
    """Add what the corpus has on each claim, and the web on those that all this is silent on."""
    context = context.for_question(state.question)
    claims = state.claims[: context.max_claims]
    found = await _ask_corpus(state.question, claims, context)
    documents = await to_thread(add_documents, state, state.documents, found, context)
    if context.search != "none" and context.claim_searches:
        silent = await to_thread(find_unspoken, state.question, claims, documents)
        pages = await _search(state.question, silent[: context.claim_searches], context)
        documents = await to_thread(add_documents, state, documents, pages, context)
    more = len(documents) - len(state.documents)
    note(f"{describe_read(state.documents)}, {more} more for the claims")
    return {"documents": documents}


async def _ask_corpus(
    question: str, claims: Sequence[Claim], context: RacContext
) -> list[list[Document]]:
    """The corpus's best documents for each claim; a failure is noted and leaves what is there."""
    if not (context.corpus and context.documents_per_claim):
        return []
    queries = [query_for(claim, question) for claim in claims]
    spend(Usage(searches=len(queries), by_role={"look_up": {"searches": len(queries)}}))
    source = (context.corpus, context.documents_per_claim, context.encoding)
    try:
        async with in_time():
            return await retrieve_each(queries, *source)
    except InputError as error:
        note(f"the corpus was not asked about the claims: {error}")
        return []


async def _search(
    question: str, claims: Sequence[Claim], context: RacContext
) -> list[list[Document]]:
    """The best web pages for each claim, all at once."""
    return await gather(*(_read_for(query_for(claim, question), context) for claim in claims))


async def _read_for(query: str, context: RacContext) -> list[Document]:
    found = await find_hits(query, context, "look_up", HITS)
    hits = found.hits[: context.documents_per_claim or 1] if found else ()
    return await read_hits(hits, context, "look_up")


def query_for(claim: Claim, question: str) -> str:
    """What to look a claim up by: its text, after the name in the question if it lacks that."""
    entity = question_entity(question)
    is_named = entity.casefold() in claim.text.casefold()
    return claim.text if is_named else f"{entity} {claim.text}"


def add_documents(
    state: Rac,
    known: Sequence[Document],
    found: Iterable[Sequence[Document]],
    context: RacContext,
) -> list[Document]:
    """The known documents, then each claim's best, each claim's second best, and so on.

    None comes twice, none is on another topic than the question's, and there are no more than the
    run allows.
    """
    ids = {document.id for document in known if document.source == "corpus"}
    texts = {document.text for document in known}
    ranked = (d for rank in zip_longest(*found) for d in rank if d)
    new = {d.text: d for d in ranked if d.text not in texts and (not d.id or d.id not in ids)}
    added = assign_ids([*known, *new.values()])[len(known) :]
    related = drop_off_topic(state.question, known, added)
    room = context.max_claim_documents - (len(known) - len(state.documents))
    return trim([*known, *related[:room]], context)
