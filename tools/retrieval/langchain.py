"""LangChain's documents as ours."""

from typing import Annotated, Any

from langchain_core.documents import Document as LangChainDocument
from pydantic import BeforeValidator

from errata.core.records import Document, Source
from errata.tools.files.decoding import without_surrogates


def from_langchain(document: LangChainDocument, source: Source = "corpus") -> Document:
    """A LangChain document as one of ours; the URL is its `url`, `link` or `source`."""
    metadata = {str(name).lower(): value for name, value in document.metadata.items()}
    address = next((metadata[n] for n in ("url", "link", "source") if metadata.get(n)), "")
    return Document(
        id=_text(document.id or metadata.get("id")),
        text=_text(document.page_content),
        title=_text(metadata.get("title")),
        url=_text(address),
        source=source,
    )


def as_document(value: Any) -> Any:
    """A text or one of LangChain's documents, as JSON too, as ours; anything else as it is."""
    if isinstance(value, str):
        return Document(text=value)
    if isinstance(value, dict) and "page_content" in value:
        value = LangChainDocument(**value)
    return from_langchain(value, "given") if isinstance(value, LangChainDocument) else value


GivenDocument = Annotated[Document, BeforeValidator(as_document)]
"""A document of a graph's input: a record, a text, or LangChain's."""


def _text(value: object) -> str:
    return without_surrogates(str(value or ""))
