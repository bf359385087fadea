"""What scorers read of an item's gold."""

from collections.abc import Mapping
from typing import Any

from errata.core.records import Document
from errata.evals.items import FALSE, TRUE, UNTOLD, Item
from errata.evals.metrics.family import lacking


def facts_of(item: Item) -> list[tuple[str, bool]]:
    """The labelled facts of the draft, from `gold["facts"]`; none where it has no such key."""
    return [(fact["text"], bool(fact["label"])) for fact in item.gold.get("facts", ())]


def labelled_facts(item: Item, scorer: str) -> list[tuple[str, bool]]:
    """The labelled facts of the draft.

    Raises InputError if the gold has none.
    """
    if "facts" not in item.gold:
        raise lacking(item, scorer, "`facts`, each with `text` and `label`")
    return facts_of(item)


def is_true(item: Item, scorer: str) -> bool:
    """Whether `gold["label"]` says that the text is true, or its claim supported.

    Partly supported counts as false (RE-EX, appendix A.2). Raises InputError if it says neither.
    """
    label = item.gold.get("label")
    if isinstance(label, bool):
        return label
    word = str(label).lower().replace(" ", "_")
    if word not in (*TRUE, *FALSE, *UNTOLD):
        raise lacking(item, scorer, "`label`: true, false or a word such as supported")
    return word in TRUE


def knowledge_of(item: Item) -> list[Document]:
    """What claims are judged by: `gold["documents"]`, else the item's own documents."""
    pages = item.gold.get("documents")
    return list(item.documents) if pages is None else [_document(page) for page in pages]


def _document(page: str | Mapping[str, Any]) -> Document:
    if isinstance(page, str):
        return Document(text=page)
    return Document(text=page["text"], title=page.get("title", ""))
