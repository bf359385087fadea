"""Evidence for many queries at once, answers by it, and passages for each query."""

from asyncio import gather, to_thread
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Annotated

from pydantic import Field

from errata.core.edits import Span
from errata.core.errors import OutOfTimeError
from errata.core.records import Document, Knowledge, SubAnswer
from errata.nodes.ask import number_documents
from errata.nodes.context import SearchContext
from errata.nodes.evidence import (
    answer_each,
    ask_corpus,
    find_hits,
    look_up_each,
    read_hits,
    trim,
)
from errata.nodes.step import Update, note
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.judges.verifier import quote_texts
from errata.tools.local.refine import (
    best_matches,
    keep_best,
    rank_pieces,
    select_passages,
    split_documents,
)
from errata.tools.retrieval.filters import assign_ids
from errata.tools.text.sentences import split_sentences
from errata.tools.web.search import HITS, distinct_pages, engine_answers


class ReadingContext(SearchContext):
    """The settings of methods that look up one question or claim at a time."""

    passage_tokens: Annotated[int, Field(ge=0)] = 500
    """The most tokens of documents that a model gets for one question or claim: of longer ones the
    passages that match it best; 0: the whole documents."""


async def find_evidence(
    queries: Sequence[str], given: Sequence[Document], context: SearchContext, role: str
) -> tuple[list[Document], list[list[Document]]]:
    """All distinct documents, with ids, and those of each query; the given ones are every query's.

    A search that fails is noted and finds nothing.
    """
    each = await look_up_each(queries, given, context, role)
    found = [[*own.documents, *own.answers, *own.snippets] for own in each]
    known, others = {document.text for document in given}, dict[str, Document]()
    new = [[document for document in own if document.text not in known] for own in found]
    for document in (document for own in new for document in own):
        others.setdefault(document.text, replace(document, id=""))
    documents = assign_ids([*given, *others.values()])
    by_text = {document.text: document for document in documents}
    first = documents[: len(given)]
    return documents, [[*first, *dict.fromkeys(by_text[d.text] for d in own)] for own in new]


async def read_answers(
    questions: Sequence[str], given: Sequence[Document], context: ReadingContext, template: str
) -> Update:
    """An answer to each question by its own evidence, each in a call; none where nothing was found.

    Local code answers with the closest strip of all documents.
    """
    documents, each = await find_evidence(questions, given, context, "answer")
    if not context.by_model("answer"):
        quotes = await to_thread(quote_texts, questions, documents)
        return {"documents": documents, "answers": [q.text if q else "" for q in quotes]}
    asked = [question for question, own in zip(questions, each, strict=True) if own]
    shown = await select_evidence(asked, [own for own in each if own], context)
    requests = [
        {"question": question, "documents": passages}
        for question, passages in zip(asked, shown, strict=True)
    ]
    answers = dict(zip(asked, await answer_each(asked, requests, context, template), strict=True))
    return {"documents": documents, "answers": [answers.get(q, "") for q in questions]}


async def select_evidence(
    texts: Sequence[str], each: Sequence[Sequence[Document]], context: ReadingContext
) -> list[str]:
    """For each text the passages of its own documents that match it best, as a model reads them."""
    pairs = zip(texts, each, strict=True)
    tokens = context.passage_tokens
    shown = await gather(*(to_thread(select_passages, [text], own, tokens) for text, own in pairs))
    return [number_documents(passages) for passages in shown]


PASSAGE_SENTENCES, WINDOWS = 4, 30
"""The sentences of a query's one passage (RARR, section 3.1: J = 1), and how many are scored."""


class ResearchContext(SearchContext):
    """The settings of looking queries up."""

    search_top_k: Annotated[int, Field(ge=1, le=30)] = 5
    """The most web pages to read for a query."""


async def research(
    queries: Sequence[str], known: Sequence[Document], context: ResearchContext, role: str
) -> tuple[list[Document], list[SubAnswer]]:
    """The known documents with those that were found, and for each query its best passages.

    The queries go out at once, a page is read once, and a query's passages may come from what was
    found for another. A search that fails is noted and finds nothing.
    """
    found = await gather(*(ask_corpus(query, context) for query in queries))
    if context.search != "none":
        searched = await gather(*(find_hits(query, context, role, HITS) for query in queries))
        results = [result for result in searched if result]
        tops = (hit for result in results for hit in result.hits[: context.search_top_k])
        urls = {document.url for document in known}
        hits = [hit for hit in distinct_pages(tops) if hit.url not in urls]
        found += [*map(engine_answers, results), await read_hits(hits, context, role)]
    texts = {document.text: document for document in chain(known, *found)}
    documents = trim(texts.values(), context)
    answers = list[SubAnswer]()
    try:
        for query in queries:
            windows = await to_thread(best_window, query, documents)
            answers.append(SubAnswer(question=query, evidence=tuple(windows), found=len(documents)))
    except OutOfTimeError as error:
        note(f"{len(queries) - len(answers)} queries were not looked up: {error}")
    return documents, answers


def best_window(query: str, documents: Sequence[Document]) -> list[Knowledge]:
    """The most relevant window of sentences, with its score; none that shares no word.

    A window begins at any sentence of a document. Raises OutOfTimeError.
    """
    split = (tuple(documents), _windows)
    matching = best_matches(query, rank_pieces(*split), WINDOWS)
    windows = [split_documents(*split)[i] for i in matching]
    scores = load_local_evaluator().score(query, [window.titled for window in windows])
    return keep_best(windows, scores, 1, -1)


def _windows(text: str) -> list[Span]:
    places = split_sentences(text)
    starts = places[: max(len(places) - PASSAGE_SENTENCES + 1, 1)]
    return [(a, places[n : n + PASSAGE_SENTENCES][-1][1]) for n, (a, _) in enumerate(starts)]


def list_passages(
    answers: Sequence[SubAnswer], documents: Sequence[Document], characters: int
) -> str:
    """The queries, numbered, each with its passages under their titles, cut to so many characters.

    It says so where nothing was found, or nothing was searched for.
    """
    titles = {document.id: " ".join(document.title.split()) for document in documents}
    blocks = []
    for number, answer in enumerate(answers, start=1):
        lines = [f"[{titles[p.document]}] {p.text[:characters]}" for p in answer.evidence]
        found = lines or ["nothing was found"]
        blocks.append("\n".join([f"{number}. {answer.question}", *found]))
    return "\n\n".join(blocks) or "nothing was searched for"
