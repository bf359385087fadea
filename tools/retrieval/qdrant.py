"""A corpus on a Qdrant server, through langchain-qdrant."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from langchain_core.documents import Document as LangChainDocument

from errata.errors import InputError, SettingError
from errata.records import Document, from_json, to_json
from errata.tools.models.embeddings import embedder_for
from errata.tools.retrieval.passages import read_passages, source_files

PREFIX = "qdrant:"
Given = TypeVar("Given")


def build(sources: Sequence[Path], place: str) -> int:
    """Write the passages of files and folders to a collection anew; give how many there are.

    `place` is `qdrant:URL/COLLECTION?EMBEDDER`. Raises InputError where the server does not answer.
    """
    url, collection, embedder = _parsed(place)
    found = [each for path in source_files(sources).values() for each in read_passages(path)]
    texts = [LangChainDocument(page_content=f.text, metadata=to_json(f)) for f in found]
    _tried(
        place,
        lambda: _store().from_documents(
            texts,
            embedder_for(embedder),
            url=url,
            collection_name=collection,
            force_recreate=True,
            check_compatibility=False,
        ),
    )
    return len(found)


def search(query: str, place: str, k: int) -> list[Document]:
    """Give at most k passages of a collection that match best, with their scores.

    Raises InputError where the server or the collection cannot be reached.
    """
    url, collection, embedder = _parsed(place)

    def ask() -> list[tuple[LangChainDocument, float]]:
        store = _store().from_existing_collection(
            embedding=embedder_for(embedder),
            collection_name=collection,
            url=url,
            check_compatibility=False,
        )
        found: list[tuple[LangChainDocument, float]] = store.similarity_search_with_score(
            query, k=k
        )
        return found

    return [_document(found, score) for found, score in _tried(place, ask)]


def _parsed(place: str) -> tuple[str, str, str]:
    address, _, embedder = place.removeprefix(PREFIX).partition("?")
    url, _, collection = address.rpartition("/")
    if not (url and collection and embedder):
        raise SettingError(f"{place!r} is not of the form qdrant:URL/COLLECTION?EMBEDDER")
    return url, collection, embedder


def _store() -> Any:
    try:
        from langchain_qdrant import QdrantVectorStore
    except ImportError as error:
        raise SettingError("a qdrant: corpus needs pip install 'errata[qdrant]'") from error
    return QdrantVectorStore


def _tried(place: str, act: Callable[[], Given]) -> Given:
    try:
        return act()
    except SettingError:
        raise
    except Exception as error:  # the client's errors share no base class
        name = place.partition("?")[0]
        raise InputError(f"the corpus {name!r} cannot be used: {error}") from error


def _document(found: LangChainDocument, score: float) -> Document:
    """Read a passage back; of what others wrote there, take what we know."""
    known = {name: value for name, value in found.metadata.items() if name in _FIELDS}
    return from_json(
        Document, {**known, "text": found.page_content, "score": score, "source": "corpus"}
    )


_FIELDS = ("id", "title", "url")
