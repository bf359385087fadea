"""One way to retrieve, whatever holds the texts."""

from asyncio import to_thread
from functools import lru_cache
from pathlib import Path

from langchain_core.documents import Document as LangChainDocument
from langchain_core.retrievers import BaseRetriever

from errata.records import Document, Source
from errata.tools.retrieval import index, qdrant
from errata.tools.retrieval.folder import rank_documents, read_corpus

Corpus = str | BaseRetriever
"""A folder of texts, an index, `qdrant:URL/COLLECTION?EMBEDDER`, or a LangChain retriever."""


async def retrieve(query: str, corpus: Corpus, k: int) -> list[Document]:
    """Give at most k documents of a corpus that match the query best.

    Raises InputError where the corpus cannot be read.
    """
    if isinstance(corpus, BaseRetriever):
        return [from_langchain(found) for found in (await corpus.ainvoke(query))[:k]]
    if corpus.startswith(qdrant.PREFIX):
        return await to_thread(qdrant.search, query, corpus, k)
    if index.is_index(Path(corpus)):
        return await to_thread(index.search, query, Path(corpus), k)
    return await to_thread(_folder, query, Path(corpus), k)


def _folder(query: str, folder: Path, k: int) -> list[Document]:
    written = tuple((str(p), p.stat().st_mtime_ns) for p in sorted(folder.rglob("*")))
    return rank_documents(query, _read(folder, written), k)


@lru_cache(maxsize=4)
def _read(folder: Path, _: tuple[tuple[str, int], ...]) -> tuple[Document, ...]:
    """Read a folder once for all questions of a run, and anew when a file in it was written."""
    return tuple(read_corpus(folder))


def from_langchain(found: LangChainDocument, source: Source = "corpus") -> Document:
    """Turn a LangChain document into ours."""
    about = found.metadata
    return Document(
        id=str(found.id or about.get("id") or ""),
        text=found.page_content,
        title=str(about.get("title") or ""),
        url=str(about.get("url") or about.get("source") or ""),
        source=source,
    )
