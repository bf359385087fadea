"""One way to retrieve from every kind of corpus; a folder of texts is ranked here by BM25."""

from asyncio import to_thread
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from langchain_core.retrievers import BaseRetriever

from errata.core.errors import InputError
from errata.core.limits import cache_in_bounds, note_undone
from errata.core.records import Document
from errata.tools.files.decoding import without_surrogates
from errata.tools.retrieval.documents import is_index, read_source
from errata.tools.retrieval.index import search_index, words_of
from errata.tools.retrieval.langchain import from_langchain
from errata.tools.text.sentences import Ranking
from errata.tools.text.words import content_words, stem

Corpus = str | BaseRetriever
"""A folder, an index, or a LangChain retriever."""
AT_ONCE = 8
"""How many of many queries are under way to one retriever."""


async def retrieve(query: str, corpus: Corpus, k: int, encoding: str = "") -> list[Document]:
    """The k documents of a corpus that match a query best; raises InputError if it is not there."""
    return (await retrieve_each([query], corpus, k, encoding))[0]


async def retrieve_each(
    queries: Sequence[str], corpus: Corpus, k: int, encoding: str = ""
) -> list[list[Document]]:
    """For each query what `retrieve` finds, in order; a folder is looked through once for all."""
    if isinstance(corpus, BaseRetriever):
        found = await corpus.abatch(list(queries), {"max_concurrency": AT_ONCE})
        return [[from_langchain(document) for document in each[:k]] for each in found]
    folder = Path(corpus)
    if is_index(folder):
        return await to_thread(lambda: [search_index(query, folder, k) for query in queries])
    return await to_thread(_search_folder, queries, folder, k, encoding)


def check_corpus(corpus: Corpus) -> None:
    """Raise InputError if a folder or an index is not there; a retriever is asked to know."""
    if not isinstance(corpus, BaseRetriever) and not Path(corpus).is_dir():
        raise InputError(f"the corpus {corpus!r} is not a folder; name a folder of texts")


def _search_folder(
    queries: Sequence[str], folder: Path, k: int, encoding: str
) -> list[list[Document]]:
    """For each query the k documents of a folder with BM25 scores; fewer if few share a word."""
    files = (path for path in sorted(folder.rglob("*")) if path.exists())
    state = tuple((str(path), path.stat().st_mtime_ns) for path in files)
    documents, ranking = _read_folder(folder, encoding, state)
    return [
        [replace(documents[place], score=score) for place, score in ranking.best(stems, k)]
        for stems in map(content_words, queries)
    ]


@cache_in_bounds(4)
def _read_folder(
    folder: Path, encoding: str, _state: tuple[tuple[str, int], ...]
) -> tuple[list[Document], Ranking]:
    """The documents of a folder, read again only if a file has changed; bad files are noted."""
    check_corpus(str(folder))
    reading = read_source(folder, encoding)
    for note in reading.notes:
        note_undone(f"corpus: {note}")
    documents = [
        replace(each, id=_name_of(each, file.path), source="corpus")
        for file in reading.files
        for each in file.documents
    ]
    return documents, Ranking([list(map(stem, words_of(each))) for each in documents])


def _name_of(document: Document, path: Path) -> str:
    """A document's own id; where it only says its file, `corpus:` and the file's name."""
    own = document.id != without_surrogates(path.name)
    return document.id if own else f"corpus:{without_surrogates(path.stem)}"
