"""Look evidence up: in a corpus, by a web search, on its pages, or in a model's memory."""

from asyncio import gather, to_thread
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from errata.core.budgets import Cost, admit, admit_some, check_priced
from errata.core.errors import BudgetError, OutOfTimeError, SearchError
from errata.core.limits import in_time
from errata.core.records import Document, Hit, SearchResult, Usage
from errata.nodes.ask import ask_all
from errata.nodes.context import Context, SearchContext
from errata.nodes.settings import role_of
from errata.nodes.step import note, note_unpaid, spend
from errata.tools.local.refine import speak_of
from errata.tools.retrieval.filters import (
    assign_ids,
    cut_to_budget,
    drop_domains,
    drop_sections,
    keep_mentioning,
    keep_on_subject,
)
from errata.tools.retrieval.retrieve import check_corpus
from errata.tools.retrieval.retrieve import retrieve as retrieve_from
from errata.tools.text.questions import question_names
from errata.tools.web.pages import read_pages
from errata.tools.web.search import HITS, engine_answers, search_web


@contextmanager
def pay_for_search(context: Context, role: str, engine: str = "") -> Iterator[None]:
    """Leave to search a corpus, or the web by an engine; raises BudgetError if that is refused."""
    price = context.deployment.price_list.search(engine)
    check_priced(price, f"the search engine {engine!r}")
    share: dict[str, float] = {"searches": 1}
    with admit(Cost(searches=1, money=price or 0.0)) as admission:
        try:
            yield
            admission.paid = admission.reserved
            share |= {"money": price} if price else {}
        finally:
            spend(Usage(searches=1, money=share.get("money", 0.0), by_role={role: share}))


async def retrieve_documents(
    query: str, documents: Iterable[Document], context: Context
) -> list[Document]:
    """The given documents and the corpus's best for a query, trimmed as the run says."""
    return trim([*documents, *await ask_corpus(query, context)], context)


def is_covered(text: str, documents: Sequence[Document]) -> bool:
    """Whether a document names what a text is about, and says half of what that says of it."""
    subject = next(iter(question_names(text)), "")
    about = keep_on_subject(documents, [subject])
    return bool(about) and speak_of(subject, text, about)


async def ask_corpus(query: str, context: Context, count: int = 0) -> list[Document]:
    """The corpus's best `count` or `top_k` documents; none without a corpus or a budget."""
    if not context.corpus:
        return []
    try:
        async with in_time():
            with pay_for_search(context, "retrieve"):
                k = count or context.top_k
                return await retrieve_from(query, context.corpus, k, context.deployment.encoding)
    except BudgetError as error:
        note_unpaid(error)
        return []


def trim(everything: Iterable[Document], context: Context) -> list[Document]:
    """The documents, with ids, after the filters of RAC's appendix A, as far as they are set."""
    deployment = context.deployment
    documents = drop_domains(assign_ids(everything), deployment.blocked_domains)
    if context.entity:
        documents = keep_mentioning(documents, context.entity)
    documents = [shorten(document, context) for document in documents]
    if deployment.max_document_tokens:
        documents = cut_to_budget(documents, deployment.max_document_tokens)
    return documents


def shorten(document: Document, context: Context) -> Document:
    """The document without the sections that the run has cut."""
    return drop_sections(document) if context.deployment.cut_sections else document


async def find_hits(
    query: str, context: SearchContext, role: str, count: int
) -> SearchResult | None:
    """What the engine answers to a query, without blocked sites; None, with a note, if it fails."""
    try:
        async with in_time():
            with pay_for_search(context, role, context.engine):
                found = await search_web(query, context.search, context.deployment, count)
    except BudgetError as error:
        note_unpaid(error)
        return None
    except (SearchError, OutOfTimeError) as error:
        note(str(error))
        return None
    return replace(found, hits=tuple(drop_domains(found.hits, context.deployment.blocked_domains)))


def snippets(result: SearchResult) -> list[Document]:
    """What an engine shows of its results, as documents with their addresses."""
    texts = ((hit, hit.text or hit.snippet) for hit in result.hits)
    return [
        Document(text=text, title=hit.title, url=hit.url, source="web")
        for hit, text in texts
        if text.strip()
    ]


async def read_hits(hits: Sequence[Hit], context: SearchContext, role: str) -> list[Document]:
    """The pages of hits, all at once; over budget what the engine shows; what fails is noted."""
    with admit_some("pages", sum(not hit.text for hit in hits)) as admission:
        shown, left = list[Hit](), admission.reserved.pages
        for hit in hits:
            left -= not hit.text
            if hit.text or left >= 0:
                shown.append(hit)
            elif hit.snippet:
                shown.append(replace(hit, text=hit.snippet))
        limits = context.deployment.page_limits()
        pages, notes = await read_pages(shown, limits, context.deployment.page_cache)
        note(*notes)
        read = len(pages) - sum(bool(hit.text.strip()) for hit in shown)
        admission.paid = Cost(pages=read)
        spend(Usage(pages=read, by_role={role: {"pages": read}}))
    if admission.fault:
        note_unpaid(admission.fault)
    return pages


class QueryEvidence(NamedTuple):
    """What was found on one query."""

    documents: list[Document]
    """The corpus's, on the query's subject."""
    answers: list[Document]
    """What was said to it: an engine's answer box and facts, or a model's answer."""
    snippets: list[Document]
    """What an engine shows of its best results."""


async def look_up_each(
    queries: Sequence[str], given: Sequence[Document], context: SearchContext, role: str
) -> list[QueryEvidence]:
    """What corpus, if no given document speaks of it, and search engine have on each query."""

    async def look_up(query: str) -> QueryEvidence:
        documents = list[Document]()
        if context.corpus:
            check_corpus(context.corpus)
            if not await to_thread(is_covered, query, given):
                documents = keep_on_subject(await retrieve_documents(query, (), context), [query])
        result = await find_hits(query, context, role, HITS) if context.search != "none" else None
        if result is None:
            return QueryEvidence(documents, [], [])
        return QueryEvidence(documents, engine_answers(result), snippets(result)[: context.top_k])

    return await gather(*map(look_up, queries))


async def recall(
    questions: Sequence[str], given: Sequence[Document], context: SearchContext, template: str
) -> list[str]:
    """A model's answers from its own knowledge alone, in the role that the template names."""
    sources = {
        "the given documents": given,
        "the corpus": context.corpus,
        "the search engine": context.search != "none",
    }
    if unused := ", ".join(name for name, source in sources.items() if source):
        note(f"evidence=internal takes a model's answers alone; not used: {unused}")
    return await answer_each(questions, [{"question": q} for q in questions], context, template)


async def answer_each(
    questions: Sequence[str], requests: Sequence[Mapping[str, str]], context: Context, template: str
) -> list[str]:
    """A model's answer to each question by its own request; empty, and noted, where it fails."""
    consequences = [f"{question!r} was not answered" for question in questions]
    role = role_of(template)
    replies = await ask_all(context, role, template, requests, consequences)
    return ["" if reply.failure else reply.text for reply in replies]


def recalled(answers: Sequence[str]) -> list[Document]:
    """A model's answers as documents, without those that are empty."""
    return [Document(text=a, title="the model's answer", source="model") for a in answers if a]
