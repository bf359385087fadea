"""A folder of texts as a corpus, ranked by BM25."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from errata.core.errors import InputError
from errata.core.limits import note_undone
from errata.core.records import Document
from errata.tools.files.decoding import without_surrogates
from errata.tools.retrieval.documents import FileRead, read_sources
from errata.tools.text.sentences import Ranking
from errata.tools.text.words import split_stems, split_words

TITLE_WEIGHT = 3
"""How often a word of the title counts; a word of the text counts once."""


def read_corpus(folder: Path, encoding: str = "") -> list[Document]:
    """All documents in a folder and its subfolders, in order of path; bad files are noted.

    Raises InputError if there is no such folder or it contains no text.
    """
    check_folder(folder)
    reading = read_sources([folder], encoding)
    for note in reading.notes:
        note_undone(f"corpus: {note}")
    return [document for file in reading.files for document in _of_corpus(file)]


def check_folder(folder: Path) -> None:
    """Raise InputError if a corpus is no folder."""
    if not folder.is_dir():
        raise InputError(f"the corpus {str(folder)!r} is not a folder; name a folder of texts")


def _of_corpus(file: FileRead) -> list[Document]:
    """A file's documents, called by the file where they have no id of their own."""
    own, name = without_surrogates(file.path.name), f"corpus:{without_surrogates(file.path.stem)}"
    return [replace(d, id=name if d.id == own else d.id, source="corpus") for d in file.documents]


class FolderCorpus:
    """Documents in memory, indexed by BM25 once for all questions."""

    def __init__(self, documents: Sequence[Document]) -> None:
        """Index the documents."""
        self._documents = documents
        self._ranking = Ranking(
            [
                split_stems(document.title) * TITLE_WEIGHT + split_stems(document.text)
                for document in documents
            ]
        )

    def best(self, query: str, k: int) -> list[Document]:
        """The k documents that match a query best, with BM25 scores; fewer if few share a word."""
        stems = [word.stem for word in split_words(query) if word.is_content]
        found = self._ranking.best(stems, k)
        return [replace(self._documents[i], score=score) for i, score in found]
