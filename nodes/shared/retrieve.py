"""Retrieve once, by what was asked, and make the documents related and short (RAC section 3.2)."""

from collections.abc import Iterable
from typing import TypedDict

from errata.bounds import in_time
from errata.nodes.context import Context
from errata.nodes.ledger import note, spend
from errata.nodes.state import CorrectionContext, CorrectionState
from errata.nodes.step import step
from errata.records import Document, Usage
from errata.tools.retrieval import filters
from errata.tools.retrieval.retrieve import retrieve as retrieve_from


class Retrieved(TypedDict):
    """The documents that everything rests on."""

    documents: list[Document]


@step
async def retrieve(state: CorrectionState, context: CorrectionContext) -> Retrieved:
    """Add the corpus's best documents to the given ones, and trim both."""
    documents = await retrieve_documents(state.question or state.draft, state.documents, context)
    if not documents:
        note("there is no document to judge by: no claim can be checked")
    return {"documents": documents}


async def retrieve_documents(
    query: str, documents: Iterable[Document], context: Context
) -> list[Document]:
    """The given documents and the corpus's best for a query, trimmed as the run says."""
    everything = list(documents)
    if context.corpus:
        async with in_time():
            everything += await retrieve_from(
                query, context.corpus, context.top_k, context.encoding
            )
        spend(Usage(searches=1, by_role={"retrieve": {"searches": 1}}))
    return trim(filters.assign_ids(everything), context)


def trim(documents: list[Document], context: Context) -> list[Document]:
    """The documents after the filters of RAC's appendix A, as far as they are set."""
    documents = filters.drop_domains(documents, context.blocked_domains)
    if context.entity:
        documents = filters.keep_mentioning(documents, context.entity)
    if context.cut_sections:
        documents = [filters.drop_sections(document) for document in documents]
    if context.max_document_tokens:
        documents = filters.cut_to_budget(documents, context.max_document_tokens)
    return documents
