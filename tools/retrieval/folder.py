"""A folder of texts as a corpus, ranked by BM25."""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from errata.bounds import note_undone
from errata.errors import InputError
from errata.records import Document
from errata.tools.retrieval.documents import FileRead, read_folder
from errata.tools.text.decoding import without_surrogates
from errata.tools.text.ranking import Ranking
from errata.tools.text.words import split_words

TITLE_WEIGHT = 3
"""How often a word of the title counts; a word of the text counts once."""


def read_corpus(folder: Path, encoding: str = "") -> list[Document]:
    """All documents in a folder and its subfolders, in order of path; bad files are noted.

    Raises InputError if there is no such folder or it contains no text.
    """
    if not folder.is_dir():
        raise InputError(f"the corpus {str(folder)!r} is not a folder; name a folder of texts")
    reading = read_folder(folder, encoding)
    for note in reading.notes:
        note_undone(f"corpus: {note}")
    return [document for file in reading.files for document in _of_corpus(file)]


def _of_corpus(file: FileRead) -> list[Document]:
    """A file's documents, called by the file where they have no id of their own."""
    own, name = without_surrogates(file.path.name), f"corpus:{without_surrogates(file.path.stem)}"
    return [replace(d, id=name if d.id == own else d.id, source="corpus") for d in file.documents]


def rank_documents(query: str, documents: Sequence[Document], k: int) -> list[Document]:
    """The k documents that match a query best, with BM25 scores; fewer if few share a word."""
    [best] = rank_for_each([query], documents, k)
    return best


def rank_for_each(
    queries: Sequence[str], documents: Sequence[Document], k: int
) -> list[list[Document]]:
    """For each query the k documents that match it best, as `rank_documents` has them."""
    ranking = _rank(tuple(documents))
    stems = ([word.stem for word in split_words(query) if word.is_content] for query in queries)
    return [
        [replace(documents[i], score=score) for i, score in ranking.best(own, k)] for own in stems
    ]


@lru_cache(maxsize=4)
def _rank(documents: tuple[Document, ...]) -> Ranking:
    """The BM25 index of a corpus, shared by all questions of a run."""
    return Ranking(
        [
            [word.stem for word in split_words(document.title)] * TITLE_WEIGHT
            + [word.stem for word in split_words(document.text)]
            for document in documents
        ]
    )
