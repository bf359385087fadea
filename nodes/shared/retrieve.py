"""Retrieve from the corpus, and make documents related and short (RAC section 3.2)."""

from collections.abc import Iterable

from errata.bounds import in_time
from errata.nodes.context import Context
from errata.nodes.ledger import spend
from errata.records import Document, Usage
from errata.tools.retrieval import filters
from errata.tools.retrieval.retrieve import retrieve as retrieve_from


async def retrieve_documents(
    query: str, documents: Iterable[Document], context: Context
) -> list[Document]:
    """The given documents and the corpus's best for a query, trimmed as the run says."""
    return trim([*documents, *await ask_corpus(query, context)], context)


async def ask_corpus(query: str, context: Context) -> list[Document]:
    """The corpus's best documents for a query; none without a corpus."""
    if not context.corpus:
        return []
    async with in_time():
        found = await retrieve_from(query, context.corpus, context.top_k, context.encoding)
    spend(Usage(searches=1, by_role={"retrieve": {"searches": 1}}))
    return found


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
