"""One way to retrieve from every kind of corpus."""

from asyncio import to_thread
from functools import partial
from pathlib import Path

from langchain_core.retrievers import BaseRetriever

from errata.bounds import cache_in_bounds
from errata.errors import SettingError
from errata.records import Document
from errata.tools.net.threads import call_abandonable
from errata.tools.retrieval import community, index, qdrant
from errata.tools.retrieval.folder import rank_documents, read_corpus
from errata.tools.retrieval.langchain import from_langchain

Corpus = str | BaseRetriever
"""A folder, an index, `qdrant:URL/COLLECTION?EMBEDDER`, `community:NAME`, a LangChain retriever."""


async def retrieve(query: str, corpus: Corpus, k: int, encoding: str = "") -> list[Document]:
    """The k documents of a corpus that match a query best, or fewer.

    `encoding` is that of the texts in a folder, if it is known. Raises InputError if the corpus
    cannot be read, and SettingError if it cannot be opened.
    """
    if isinstance(corpus, BaseRetriever):
        return [from_langchain(document) for document in (await corpus.ainvoke(query))[:k]]
    if corpus.startswith(community.PREFIX):
        if not community.is_retriever(corpus):
            raise SettingError(f"{corpus!r} is a search engine; give it to --search, not --corpus")
        return await call_abandonable(partial(community.search, query, corpus, k))
    if corpus.startswith(qdrant.PREFIX):
        return await to_thread(qdrant.search, query, corpus, k)
    if index.is_index(Path(corpus)):
        return await to_thread(index.search, query, Path(corpus), k)
    return await to_thread(_search_folder, query, Path(corpus), k, encoding)


def _search_folder(query: str, folder: Path, k: int, encoding: str) -> list[Document]:
    state = tuple((str(path), _modified(path)) for path in sorted(folder.rglob("*")))
    return rank_documents(query, _read_folder(folder, encoding, state), k)


def _modified(path: Path) -> int:
    """When a file was changed, in nanoseconds; 0 for a link that leads nowhere."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@cache_in_bounds(4)
def _read_folder(
    folder: Path, encoding: str, _state: tuple[tuple[str, int], ...]
) -> tuple[Document, ...]:
    """The documents of a folder, read again only if a file in it has changed."""
    return tuple(read_corpus(folder, encoding))
