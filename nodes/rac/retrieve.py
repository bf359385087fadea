"""Retrieve once, by what was asked, and make the documents related and short (section 3.2)."""

from asyncio import to_thread
from pathlib import Path
from typing import TypedDict

from langgraph.runtime import Runtime

from errata.nodes.rac.state import Rac, RacContext, settings
from errata.nodes.step import step
from errata.records import Document, Usage
from errata.tools.corpus import read_corpus
from errata.tools.corpus import retrieve as search
from errata.tools.documents import mentioning, numbered, outside, within, without_sections


class Retrieved(TypedDict):
    """Add the documents that everything rests on."""

    documents: list[Document]
    usage: Usage
    notes: list[str]


@step
async def retrieve(state: Rac, runtime: Runtime[RacContext]) -> Retrieved:
    """Add what the corpus holds to the given documents, and trim both."""
    context = settings(runtime)
    found = await to_thread(_search, state.question or state.draft, context)
    documents = trimmed(numbered([*state.documents, *found]), context)
    searched = (
        Usage(searches=1, by_role={"retrieve": {"searches": 1}}) if context.corpus else Usage()
    )
    notes = [] if documents else ["there is no document to judge by: no claim can be checked"]
    return {
        "documents": documents,
        "usage": searched,
        "notes": notes,
    }


def trimmed(documents: list[Document], context: RacContext) -> list[Document]:
    """Apply appendix A's filters, as far as they are set."""
    kept = outside(documents, context.blocked_domains)
    if context.entity:
        kept = mentioning(kept, context.entity)
    if context.cut_sections:
        kept = [without_sections(document) for document in kept]
    if context.max_document_tokens:
        kept = within(kept, context.max_document_tokens)
    return kept


def _search(query: str, context: RacContext) -> list[Document]:
    if not context.corpus:
        return []
    return search(query, read_corpus(Path(context.corpus)), context.top_k)
