"""A corpus on a Qdrant server, through langchain-qdrant."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from langchain_core.documents import Document as LangChainDocument

from errata.core.errors import InputError, SettingError, require
from errata.core.jsonable import from_json, to_json
from errata.core.records import Document
from errata.tools.models.pool import embedder_for
from errata.tools.retrieval.documents import read_each
from errata.tools.retrieval.index import BuildReport, source_files, split_passages

PREFIX = "qdrant:"
_FIELDS = ("id", "title", "url")


def build(sources: Sequence[Path], corpus: str, encoding: str = "") -> BuildReport:
    """Replace a collection by the passages of files and folders; a bad file is skipped.

    `corpus` is `qdrant:URL/COLLECTION?EMBEDDER`. Raises SettingError if it is not, or
    langchain-qdrant is missing, and InputError if no file can be read or the server fails.
    """
    _split_address(corpus)
    reading = read_each(source_files(sources).values(), encoding)
    if not reading.files:
        raise InputError(f"nothing to index: {'; '.join(reading.notes)}")
    passages = [passage for file in reading.files for passage in split_passages(file)]
    texts = [LangChainDocument(page_content=p.text, metadata=to_json(p)) for p in passages]
    with _asking(corpus) as (store, embedder, place):
        store.from_documents(texts, embedder, force_recreate=True, **place)
    count = len(reading.files)
    return BuildReport(count, len(passages), count, 0, reading.notes)


def search(query: str, corpus: str, k: int) -> list[Document]:
    """The k passages of a collection nearest to a query, with scores.

    Raises SettingError and InputError as `build` does.
    """
    with _asking(corpus) as (store, embedder, place):
        collection = store.from_existing_collection(embedding=embedder, **place)
        hits = collection.similarity_search_with_score(query, k=k)
    documents = []
    for hit, score in hits:  # metadata that other programs wrote is ignored
        known = {name: value for name, value in hit.metadata.items() if name in _FIELDS}
        told = {"text": hit.page_content, "score": score, "source": "corpus"}
        documents.append(from_json(Document, {**known, **told}))
    return documents


def _split_address(corpus: str) -> tuple[str, str, str]:
    """The URL, the collection and the embedder of `qdrant:URL/COLLECTION?EMBEDDER`."""
    address, _, embedder = corpus.removeprefix(PREFIX).partition("?")
    url, _, collection = address.rpartition("/")
    if not (url and collection and embedder):
        raise SettingError(f"{corpus!r} is not of the form qdrant:URL/COLLECTION?EMBEDDER")
    return url, collection, embedder


@contextmanager
def _asking(corpus: str) -> Iterator[tuple[Any, Any, dict[str, Any]]]:
    """The store's class, the embedder and the place; what the client raises is an InputError."""
    url, collection, embedder = _split_address(corpus)
    require("a qdrant: corpus", "qdrant", "langchain_qdrant")
    from langchain_qdrant import QdrantVectorStore

    place = {"url": url, "collection_name": collection, "check_compatibility": False}
    try:
        yield QdrantVectorStore, embedder_for(embedder), place
    except SettingError:
        raise
    except Exception as error:  # the client's errors share no base class
        name = corpus.partition("?")[0]
        raise InputError(f"the corpus {name!r} cannot be used: {error}") from error
