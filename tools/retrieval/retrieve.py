"""One way to retrieve from every kind of corpus."""

from asyncio import to_thread
from pathlib import Path

from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever

from errata.bounds import cache_in_bounds
from errata.records import Document, Source
from errata.tools.retrieval import index, qdrant
from errata.tools.retrieval.folder import rank_documents, read_corpus

Corpus = str | BaseRetriever
"""A folder of texts, an index, `qdrant:URL/COLLECTION?EMBEDDER`, or a LangChain retriever."""


async def retrieve(query: str, corpus: Corpus, k: int) -> list[Document]:
    """The k documents of a corpus that match a query best, or fewer.

    Raises InputError if the corpus cannot be read.
    """
    if isinstance(corpus, BaseRetriever):
        return [from_langchain(document) for document in (await corpus.ainvoke(query))[:k]]
    if corpus.startswith(qdrant.PREFIX):
        return await to_thread(qdrant.search, query, corpus, k)
    if index.is_index(Path(corpus)):
        return await to_thread(index.search, query, Path(corpus), k)
    return await to_thread(_search_folder, query, Path(corpus), k)


def from_langchain(document: LangChainDocument, source: Source = "corpus") -> Document:
    """A LangChain document as one of ours; the URL is its `url` or its `source`."""
    metadata = document.metadata
    return Document(
        id=str(document.id or metadata.get("id") or ""),
        text=document.page_content,
        title=str(metadata.get("title") or ""),
        url=str(metadata.get("url") or metadata.get("source") or ""),
        source=source,
    )


def _search_folder(query: str, folder: Path, k: int) -> list[Document]:
    state = tuple((str(path), path.stat().st_mtime_ns) for path in sorted(folder.rglob("*")))
    return rank_documents(query, _read_folder(folder, state), k)


@cache_in_bounds(4)
def _read_folder(folder: Path, _state: tuple[tuple[str, int], ...]) -> tuple[Document, ...]:
    """The documents of a folder, read again only if a file in it has changed."""
    return tuple(read_corpus(folder))
