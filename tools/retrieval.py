"""One way to retrieve, whatever holds the texts."""

from asyncio import to_thread
from pathlib import Path

from errata.records import Document
from errata.tools.corpus import ranked, read_corpus


async def retrieve(query: str, source: str, k: int) -> list[Document]:
    """Give at most k documents of a source that match the query best.

    Raises InputError where the source cannot be read.
    """
    return await to_thread(_folder, query, Path(source), k)


def _folder(query: str, folder: Path, k: int) -> list[Document]:
    return ranked(query, read_corpus(folder), k)
