"""One way to retrieve from every kind of corpus."""

from asyncio import Semaphore, gather, to_thread
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from langchain_core.retrievers import BaseRetriever

from errata.core.errors import SettingError
from errata.core.limits import cache_in_bounds, report_progress
from errata.core.records import Document
from errata.tools.net.threads import call_abandonable
from errata.tools.retrieval import community, index, qdrant
from errata.tools.retrieval.folder import FolderCorpus, check_folder, read_corpus
from errata.tools.retrieval.langchain import from_langchain

Corpus = str | BaseRetriever
"""A folder, an index, `qdrant:URL/COLLECTION?EMBEDDER`, `community:NAME`, a LangChain retriever."""
AT_ONCE = 8
"""How many of many queries are under way to one corpus."""


async def retrieve(query: str, corpus: Corpus, k: int, encoding: str = "") -> list[Document]:
    """The k documents of a corpus that match a query best, or fewer.

    `encoding` is that of the texts in a folder, if it is known. Raises InputError if the corpus
    cannot be read, and SettingError if it cannot be opened.
    """
    if _is_folder(corpus):
        return (await retrieve_each([query], corpus, k, encoding))[0]
    if isinstance(corpus, BaseRetriever):
        return [from_langchain(document) for document in (await corpus.ainvoke(query))[:k]]
    if corpus.startswith(community.PREFIX):
        if not community.is_retriever(corpus):
            raise SettingError(f"{corpus!r} is a search engine; give it to --search, not --corpus")
        return await call_abandonable(partial(community.search, query, corpus, k))
    if corpus.startswith(qdrant.PREFIX):
        return await to_thread(qdrant.search, query, corpus, k)
    return await to_thread(index.search, query, Path(corpus), k)


async def retrieve_each(
    queries: Sequence[str], corpus: Corpus, k: int, encoding: str = ""
) -> list[list[Document]]:
    """For each query what `retrieve` finds, in order; a folder is looked through once for all.

    Raises InputError and SettingError as `retrieve` does.
    """
    if _is_folder(corpus):
        return await to_thread(_search_folder, queries, Path(str(corpus)), k, encoding)
    turn, done = Semaphore(AT_ONCE), 0

    async def retrieve_one(query: str) -> list[Document]:
        nonlocal done
        async with turn:
            found = await retrieve(query, corpus, k, encoding)
        done += 1
        report_progress(done, len(queries))
        return found

    return await gather(*map(retrieve_one, queries))


def check_corpus(corpus: Corpus) -> None:
    """Raise InputError if a folder or an index is not there; whatever else is asked to know."""
    if _is_folder(corpus):
        check_folder(Path(str(corpus)))


def _is_folder(corpus: Corpus) -> bool:
    """Whether a corpus is a folder of texts, without an index."""
    if isinstance(corpus, BaseRetriever) or corpus.startswith((community.PREFIX, qdrant.PREFIX)):
        return False
    return not index.is_index(Path(corpus))


def _search_folder(
    queries: Sequence[str], folder: Path, k: int, encoding: str
) -> list[list[Document]]:
    state = tuple((str(path), _modified(path)) for path in sorted(folder.rglob("*")))
    corpus = _read_folder(folder, encoding, state)
    return [corpus.best(query, k) for query in queries]


def _modified(path: Path) -> int:
    """When a file was changed, in nanoseconds; 0 for a link that leads nowhere."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@cache_in_bounds(4)
def _read_folder(folder: Path, encoding: str, _state: tuple[tuple[str, int], ...]) -> FolderCorpus:
    """The documents of a folder, read and indexed again only if a file in it has changed."""
    return FolderCorpus(read_corpus(folder, encoding))
