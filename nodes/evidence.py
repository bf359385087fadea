"""Look evidence up: in a corpus, by a web search, on its pages, or in a model's memory."""

from asyncio import gather, to_thread
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import NamedTuple

from errata.core.budgets import Cost, admit, admit_some, check_priced
from errata.core.errors import BudgetError, OutOfTimeError, SearchError, SettingError
from errata.core.limits import current_bounds, in_time
from errata.core.records import Claim, Document, Hit, SearchResult, Usage
from errata.nodes.ask import ask_all
from errata.nodes.context import Context, SearchContext
from errata.nodes.ledger import note, note_once, note_unpaid, spend
from errata.nodes.templates import short_name
from errata.tools.local.refine import find_unspoken
from errata.tools.retrieval import filters
from errata.tools.retrieval.filters import drop_domains, keep_on_subject
from errata.tools.retrieval.retrieve import check_corpus
from errata.tools.retrieval.retrieve import retrieve as retrieve_from
from errata.tools.text.questions import question_names
from errata.tools.web.engines import HITS
from errata.tools.web.pages import PageLimits, read_pages
from errata.tools.web.search import engine_answers, search_web


@contextmanager
def pay_for_search(context: Context, role: str, engine: str = "") -> Iterator[None]:
    """Leave to search a corpus, or the web by an engine; a search that fails counts, without price.

    Raises BudgetError if a budget allows no more, or limits money and the engine has no price.
    """
    known = context.price_list.search(engine)
    check_priced(known, f"the search engine {engine!r}")
    price = known or 0.0
    usage = Usage(searches=1, by_role={role: {"searches": 1}})
    with admit(Cost(searches=1, money=price)) as admission:
        try:
            yield
        except BaseException:
            spend(usage)
            raise
        admission.paid = admission.reserved
        charged = Usage(money=price, by_role={role: {"money": price}}) if price else Usage()
        spend(usage + charged)


async def retrieve_documents(
    query: str, documents: Iterable[Document], context: Context
) -> list[Document]:
    """The given documents and the corpus's best for a query, trimmed as the run says."""
    return trim([*documents, *await ask_corpus(query, context)], context)


async def look_up_in_corpus(
    query: str, given: Sequence[Document], context: Context
) -> list[Document]:
    """The corpus's best documents on the subject of a query, if no given document speaks of it."""
    if not context.corpus:
        return []
    check_corpus(context.corpus)
    if await to_thread(is_spoken_of, query, given):
        return []
    return keep_on_subject(await retrieve_documents(query, (), context), [query])


def is_spoken_of(text: str, documents: Sequence[Document]) -> bool:
    """Whether a document names what a text is about, and says half of what that says of it."""
    subject = next(iter(question_names(text)), "")
    about = keep_on_subject(documents, [subject])
    claim = Claim(id="", text=text, start=0, end=len(text))
    return bool(about) and not find_unspoken(subject, [claim], about)


async def ask_corpus(query: str, context: Context) -> list[Document]:
    """The corpus's best documents for a query; none without a corpus, or a budget to ask it."""
    if not context.corpus:
        return []
    try:
        async with in_time():
            with pay_for_search(context, "retrieve"):
                return await retrieve_from(query, context.corpus, context.top_k, context.encoding)
    except BudgetError as error:
        note_unpaid(error)
        return []


def trim(everything: Iterable[Document], context: Context) -> list[Document]:
    """The documents, with ids, after the filters of RAC's appendix A, as far as they are set."""
    documents = filters.drop_domains(filters.assign_ids(everything), context.blocked_domains)
    if context.entity:
        documents = filters.keep_mentioning(documents, context.entity)
    documents = [shorten(document, context) for document in documents]
    if context.max_document_tokens:
        documents = filters.cut_to_budget(documents, context.max_document_tokens)
    return documents


def shorten(document: Document, context: Context) -> Document:
    """The document without the sections that the run has cut."""
    return filters.drop_sections(document) if context.cut_sections else document


async def find_hits(
    query: str, context: SearchContext, role: str, count: int
) -> SearchResult | None:
    """What the engine answers to a query, without blocked sites; None, with a note, if it fails."""
    try:
        async with in_time():
            found = await _search(query, context, role, count)
    except BudgetError as error:
        note_unpaid(error)
        return None
    except (SearchError, OutOfTimeError) as error:
        note_once(str(error))
        return None
    return replace(found, hits=tuple(drop_domains(found.hits, context.blocked_domains)))


async def _search(query: str, context: SearchContext, role: str, count: int) -> SearchResult:
    """What the cache holds, which is not paid for, or the engine answers."""
    engine, cache = context.search, context.cache
    if (known := await to_thread(cache.get, engine, query, count)) is not None:
        spend(Usage(by_role={role: {"cached_searches": 1}}))
        return known
    with pay_for_search(context, role, engine):
        return await search_web(query, engine, context.limits, cache, count)


def snippets(result: SearchResult) -> list[Document]:
    """What an engine shows of its results, as documents with their addresses."""
    texts = ((hit, hit.text or hit.snippet) for hit in result.hits)
    return [
        Document(text=text, title=hit.title, url=hit.url, source="web")
        for hit, text in texts
        if text.strip()
    ]


async def read_hits(hits: Sequence[Hit], context: SearchContext, role: str) -> list[Document]:
    """The pages of hits, all at once; what cannot be read is noted.

    Of a hit whose page no budget allows to read, what the engine shows is taken.
    """
    wanted = sum(not hit.text for hit in hits)
    with admit_some("pages", wanted) as admission:
        shown = _affordable(hits, admission.reserved.pages)
        pages = await _read(shown, context)
        read = len(pages) - sum(bool(hit.text.strip()) for hit in shown)
        admission.paid = Cost(pages=read)
        spend(Usage(pages=read, by_role={role: {"pages": read}}))
    if admission.fault:
        note_unpaid(admission.fault)
    return pages


def _affordable(hits: Sequence[Hit], pages: int) -> list[Hit]:
    """The hits, of which so many are read; the others with their snippets as their texts."""
    shown = list[Hit]()
    for hit in hits:
        pages -= not hit.text
        readable = hit if hit.text or pages >= 0 else replace(hit, text=hit.snippet)
        shown += [readable] if readable.text or pages >= 0 else []
    return shown


async def _read(hits: Sequence[Hit], context: SearchContext) -> list[Document]:
    seconds = min(context.page_timeout, current_bounds().seconds_left)
    limits = PageLimits(seconds=seconds, size=context.page_bytes)
    pages, notes = await read_pages(hits, limits, context.pages)
    note(*notes)
    return pages


class Found(NamedTuple):
    """What was found on one query."""

    documents: list[Document]
    """The corpus's, on the query's subject."""
    answers: list[Document]
    """What was said to it: an engine's answer box and facts, or a model's answer."""
    snippets: list[Document]
    """What an engine shows of its best results."""


async def look_up_each(
    queries: Sequence[str], given: Sequence[Document], context: SearchContext, role: str
) -> list[Found]:
    """What corpus and search engine have on each query, all at once.

    A search that fails is noted and finds nothing.
    """
    return await gather(*(_look_up(query, given, context, role) for query in queries))


async def _look_up(
    query: str, given: Sequence[Document], context: SearchContext, role: str
) -> Found:
    documents = await look_up_in_corpus(query, given, context)
    result = await find_hits(query, context, role, HITS) if context.search != "none" else None
    if result is None:
        return Found(documents, [], [])
    return Found(documents, engine_answers(result), snippets(result)[: context.top_k])


async def recall(
    questions: Sequence[str], given: Sequence[Document], context: SearchContext, template: str
) -> list[str]:
    """A model's answers from its own knowledge, each in a call, empty where it fails.

    All else is noted as not used. The role is the template's step. Raises SettingError if local
    code fills it.
    """
    note_unused(given, context)
    role = short_name(template).split(".")[0]
    if context.model_for(role) is None:
        raise SettingError(f"internal evidence is a model's own: name one for the role {role}")
    return await answer_each(questions, [{"question": q} for q in questions], context, template)


async def answer_each(
    questions: Sequence[str], requests: Sequence[Mapping[str, str]], context: Context, template: str
) -> list[str]:
    """A model's answer to each question by its own request; empty, and noted, where it fails."""
    consequences = [f"{question!r} was not answered" for question in questions]
    role = short_name(template).split(".")[0]
    replies = await ask_all(context, role, template, requests, consequences)
    return ["" if reply.failure else reply.text for reply in replies]


def recalled(answers: Sequence[str]) -> list[Document]:
    """A model's answers as documents, without those that are empty."""
    return [Document(text=a, title="the model's answer", source="model") for a in answers if a]


def note_unused(given: Sequence[Document], context: SearchContext) -> None:
    """Say what a run was given that internal evidence leaves aside."""
    unused = ["the given documents"] if given else []
    unused += ["the corpus"] if context.corpus else []
    unused += ["the search engine"] if context.search != "none" else []
    if unused:
        note(f"evidence=internal takes a model's answers alone; not used: {', '.join(unused)}")
