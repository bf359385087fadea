"""LangChain's documents as ours."""

from langchain_core.documents import Document as LangChainDocument

from errata.records import Document, Source


def from_langchain(document: LangChainDocument, source: Source = "corpus") -> Document:
    """A LangChain document as one of ours; the URL is its `url`, `link` or `source`."""
    metadata = {str(name).lower(): value for name, value in document.metadata.items()}
    address = next((metadata[n] for n in ("url", "link", "source") if metadata.get(n)), "")
    return Document(
        id=str(document.id or metadata.get("id") or ""),
        text=document.page_content,
        title=str(metadata.get("title") or ""),
        url=str(address),
        source=source,
    )
