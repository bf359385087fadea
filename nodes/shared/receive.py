"""What a run is given: documents, and the chat face's messages."""

import re
from collections.abc import Iterable, Sequence

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from errata.nodes.context import Context
from errata.records import Document, Usage
from errata.tools.retrieval.filters import (
    assign_ids,
    cut_to_budget,
    drop_domains,
    drop_sections,
    keep_mentioning,
)
from errata.tools.retrieval.retrieve import retrieve

_WORD = re.compile(r"\w")
NAME = "errata"
"""The author of our own messages, which are no drafts to correct."""


def in_chat(messages: Sequence[AnyMessage]) -> tuple[str, str] | None:
    """Read question and draft from a chat; None where its last word is ours, or there is none."""
    last = messages[-1] if messages else None
    if isinstance(last, HumanMessage):
        return str(last.text), ""
    if isinstance(last, AIMessage) and last.name != NAME:
        people = [message for message in messages if isinstance(message, HumanMessage)]
        return (str(people[-1].text) if people else ""), str(last.text)
    return None


def readable(documents: Sequence[Document]) -> tuple[list[Document], list[str]]:
    """Number the given documents, without those that hold no word; say so where there are any."""
    given = assign_ids(d for d in documents if d.source == "given" and _WORD.search(d.text))
    lost = len(given) < len(documents)
    return given, ["documents without a word were left out"] if lost else []


async def retrieved(
    query: str, given: Iterable[Document], context: Context
) -> tuple[list[Document], Usage]:
    """Add what the corpus holds to the given documents, and trim both."""
    found = await retrieve(query, context.corpus, context.top_k) if context.corpus else []
    usage = Usage(searches=1, by_role={"retrieve": {"searches": 1}}) if context.corpus else Usage()
    return trimmed(assign_ids([*given, *found]), context), usage


def trimmed(documents: list[Document], context: Context) -> list[Document]:
    """Apply the filters of RAC's appendix A, as far as they are set."""
    kept = drop_domains(documents, context.blocked_domains)
    if context.entity:
        kept = keep_mentioning(kept, context.entity)
    if context.cut_sections:
        kept = [drop_sections(document) for document in kept]
    if context.max_document_tokens:
        kept = cut_to_budget(kept, context.max_document_tokens)
    return kept
