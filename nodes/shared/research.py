"""Look queries up: what the documents, a corpus and the pages of a web search say to each."""

from asyncio import gather, to_thread
from collections.abc import Sequence
from itertools import chain
from typing import Annotated

from pydantic import Field

from errata.core.errors import OutOfTimeError
from errata.core.records import Document, SubAnswer
from errata.nodes.checked import checked
from errata.nodes.ledger import note
from errata.nodes.search import SearchContext
from errata.nodes.settings import Remote
from errata.nodes.shared.retrieve import ask_corpus, trim
from errata.nodes.shared.web import find_hits, read_hits
from errata.nodes.state import CorrectionState
from errata.tools.local.refine import best_windows
from errata.tools.web.engines import HITS
from errata.tools.web.search import distinct_pages, engine_answers


class ResearchContext(SearchContext):
    """The settings of looking queries up."""

    search_top_k: Annotated[int, Field(ge=1, le=30), Remote.FREE] = 5
    """The most web pages to read for a query."""
    passage_sentences: Annotated[int, Field(ge=1, le=50), Remote.FREE] = 4
    """The sentences of a passage, which begins at any sentence of a page."""
    passages_per_query: Annotated[int, Field(ge=1, le=10), Remote.FREE] = 1
    """The most passages to keep for a query, the most relevant ones."""


@checked
class ResearchState(CorrectionState):
    """What a run carries that looks questions up."""

    answers: list[SubAnswer] = []
    """The questions, each with its best passages once it was looked up."""


async def research(
    queries: Sequence[str], known: Sequence[Document], context: ResearchContext, role: str
) -> tuple[list[Document], list[SubAnswer]]:
    """The known documents with those that were found, and for each query its best passages.

    The queries go out at once, a page is read once, and a query's passages may come from what was
    found for another. A search that fails is noted and finds nothing.
    """
    found = await gather(*(ask_corpus(query, context) for query in queries))
    pages = await _search(queries, known, context, role)
    texts = {document.text: document for document in chain(known, *found, pages)}
    documents = trim(texts.values(), context)
    answers = list[SubAnswer]()
    try:
        for query in queries:
            answers.append(await to_thread(_answer, query, documents, context))
    except OutOfTimeError as error:
        note(f"{len(queries) - len(answers)} queries were not looked up: {error}")
    return documents, answers


async def _search(
    queries: Sequence[str], known: Sequence[Document], context: ResearchContext, role: str
) -> list[Document]:
    """What an engine answers itself, and the pages it names that were not read yet."""
    if context.search == "none":
        return []
    found = await gather(*(find_hits(query, context, role, HITS) for query in queries))
    results = [result for result in found if result]
    hits = distinct_pages(hit for result in results for hit in result.hits[: context.search_top_k])
    urls = {document.url for document in known}
    pages = await read_hits([hit for hit in hits if hit.url not in urls], context, role)
    return [*chain(*map(engine_answers, results)), *pages]


def _answer(query: str, documents: Sequence[Document], context: ResearchContext) -> SubAnswer:
    count = context.passages_per_query
    windows = best_windows(query, documents, context.passage_sentences, count)
    return SubAnswer(question=query, evidence=tuple(windows), found=len(documents))


def list_passages(
    answers: Sequence[SubAnswer], documents: Sequence[Document], characters: int
) -> str:
    """The queries, numbered, each with its passages under their titles, cut to so many characters.

    It says so where nothing was found, or nothing was searched for.
    """
    titles = {document.id: document.title for document in documents}
    blocks = []
    for number, answer in enumerate(answers, start=1):
        lines = [f"[{titles[p.document]}] {p.text[:characters]}" for p in answer.evidence]
        found = lines or ["nothing was found"]
        blocks.append("\n".join([f"{number}. {answer.question}", *found]))
    return "\n\n".join(blocks) or "nothing was searched for"
