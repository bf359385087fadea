"""Retrieve from the corpus, and make documents related and short (RAC section 3.2)."""

from asyncio import to_thread
from collections.abc import Iterable, Sequence

from errata.core.errors import BudgetError
from errata.core.limits import in_time
from errata.core.records import Claim, Document
from errata.nodes.context import Context
from errata.nodes.ledger import note_unpaid
from errata.nodes.paying import pay_for_search
from errata.tools.local.excerpts import find_unspoken
from errata.tools.retrieval import filters
from errata.tools.retrieval.filters import keep_on_subject
from errata.tools.retrieval.retrieve import check_corpus
from errata.tools.retrieval.retrieve import retrieve as retrieve_from
from errata.tools.text.questions import question_names


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
