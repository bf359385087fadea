"""Look once more for claims that no document mentions, and judge these by what comes."""

from asyncio import gather, to_thread
from collections.abc import Sequence

from errata.core.errors import count
from errata.core.records import INCONCLUSIVE, Claim, Document, Usage
from errata.nodes.evidence import find_hits, read_hits
from errata.nodes.rac.evidence import (
    MOST_ADDED,
    NO_DOCUMENT_AT_ALL,
    add_documents,
    ask_by_query,
    queries_for,
    take_turns,
)
from errata.nodes.rac.state import Rac, RacContext, not_mentioned
from errata.nodes.rac.verify import judge_of_draft
from errata.nodes.step import Update, note, spend, step
from errata.tools.text.questions import question_names
from errata.tools.text.words import content_stems, split_words
from errata.tools.web.engines import HITS
from errata.tools.web.search import distinct_pages


@step
async def look_further(state: Rac, context: RacContext) -> Update:
    """Ask corpus and web for each claim that is not mentioned, and judge these claims again.

    What then fails leaves the verdict that there is.
    """
    context, silent = context.for_question(state.question), not_mentioned(state)
    claims = silent[: context.look_further]
    verdicts = {verdict.claim: verdict for verdict in state.verdicts}
    queries = await to_thread(narrow_queries, state, claims)
    found = [*await _ask_corpus(queries, context), *await _search_web(state, queries, context)]
    documents = await to_thread(add_documents, state, found, context)
    more, mends, told = len(documents) - len(state.documents), state.mends, 0
    if more:
        judged = await judge_of_draft(state, claims, documents, context)
        new = {v.claim: v for v in judged.verdicts if v.label not in ("unchecked", "unreadable")}
        told = sum(verdict.label not in INCONCLUSIVE for verdict in new.values())
        verdicts |= new
        mends = {**mends, **judged.mends}
    spend(Usage(by_role={"look_further": {"claims": len(claims), "found": told}}))
    bound = f" of {len(silent)} not mentioned" if len(silent) > len(claims) else ""
    looked = f"{count(claims, 'claim', 'was')} looked for once more{bound}"
    note(f"{looked}: {count(more, 'document', 'was')} read, {told} found")
    if not documents:
        note(NO_DOCUMENT_AT_ALL)
    return {"documents": documents, "verdicts": list(verdicts.values()), "mends": mends}


async def _ask_corpus(queries: Sequence[str], context: RacContext) -> list[Document]:
    """Twice as many documents as were read for each claim at first: half may be the same."""
    if not context.corpus:
        return []
    most = 2 * max(context.documents_per_claim, 1)
    return await ask_by_query(queries, most, context, "look_further")


async def _search_web(state: Rac, queries: Sequence[str], context: RacContext) -> list[Document]:
    """The text of the best pages for each query that were not read yet."""
    if context.search == "none":
        return []
    results = await gather(*(find_hits(query, context, "look_further", HITS) for query in queries))
    most = max(context.documents_per_claim, 1)
    best = (result.hits[:most] for result in results if result)
    read = {document.url for document in state.documents}
    hits = [hit for hit in distinct_pages(take_turns(best)) if hit.url not in read]
    return await read_hits(hits[:MOST_ADDED], context, "look_further")


def narrow_queries(state: Rac, claims: Sequence[Claim]) -> list[str]:
    """For each claim its subject, and the words in doubt or those that few other claims have."""
    doubted = {verdict.claim: verdict.doubted for verdict in state.verdicts}
    bags = [content_stems(claim.text) for claim in state.claims]
    queries = list[str]()
    for claim, query in zip(claims, queries_for(claims, state.question), strict=True):
        subject = "".join(question_names(query)[:1])
        known = content_stems(subject)
        words = [
            word.text
            for word in split_words(" ".join(doubted.get(claim.id, ())) or query)
            if word.is_content
            and word.stem not in known
            and 2 * sum(word.stem in bag for bag in bags) <= max(len(bags), 2)
        ]
        queries.append(" ".join([subject, *words]) if words else query)
    return queries
