"""Retrieve from the corpus, and make documents related and short (RAC section 3.2)."""

from collections.abc import Iterable

from errata.bounds import in_time
from errata.errors import BudgetError
from errata.nodes.context import Context
from errata.nodes.ledger import note_unpaid
from errata.nodes.paying import pay_for_search
from errata.records import Document
from errata.tools.retrieval import filters
from errata.tools.retrieval.retrieve import retrieve as retrieve_from


async def retrieve_documents(
    query: str, documents: Iterable[Document], context: Context
) -> list[Document]:
    """The given documents and the corpus's best for a query, trimmed as the run says."""
    return trim([*documents, *await ask_corpus(query, context)], context)


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
