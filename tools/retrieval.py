"""One way to retrieve, whatever holds the texts."""

from asyncio import to_thread
from dataclasses import replace
from pathlib import Path

from langchain_core.documents import Document as Found
from langchain_core.retrievers import BaseRetriever

from errata.errors import InputError
from errata.records import Document
from errata.tools import index
from errata.tools.corpus import ranked, read_corpus
from errata.tools.embedding import embedder_for

Corpus = str | BaseRetriever
"""A folder of texts, an index, `qdrant:URL/COLLECTION?EMBEDDER`, or a LangChain retriever."""


async def retrieve(query: str, corpus: Corpus, k: int) -> list[Document]:
    """Give at most k documents of a corpus that match the query best.

    Raises InputError where the corpus cannot be read.
    """
    if isinstance(corpus, BaseRetriever):
        return [_document(found) for found in (await corpus.ainvoke(query))[:k]]
    if corpus.startswith("qdrant:"):
        return await to_thread(_qdrant, query, corpus.removeprefix("qdrant:"), k)
    if index.is_index(Path(corpus)):
        return await to_thread(index.search, query, Path(corpus), k)
    return await to_thread(_folder, query, Path(corpus), k)


def _folder(query: str, folder: Path, k: int) -> list[Document]:
    return ranked(query, read_corpus(folder), k)


def _qdrant(query: str, place: str, k: int) -> list[Document]:
    """Ask a collection on a Qdrant server, through langchain-qdrant."""
    address, _, embedder = place.partition("?")
    url, _, collection = address.rpartition("/")
    try:
        from langchain_qdrant import QdrantVectorStore
    except ImportError as error:
        raise InputError("a qdrant: corpus needs pip install 'errata[qdrant]'") from error
    try:
        store = QdrantVectorStore.from_existing_collection(
            embedding=embedder_for(embedder), collection_name=collection, url=url
        )
        found = store.similarity_search_with_score(query, k=k)
    except Exception as error:  # the client's errors share no base class
        raise InputError(f"the corpus 'qdrant:{address}' cannot be read: {error}") from error
    return [replace(_document(document), score=score) for document, score in found]


def _document(found: Found) -> Document:
    """Turn a LangChain document into ours."""
    about = found.metadata
    return Document(
        id=str(found.id or about.get("id") or ""),
        text=found.page_content,
        title=str(about.get("title") or ""),
        url=str(about.get("url") or about.get("source") or ""),
        source="corpus",
    )
