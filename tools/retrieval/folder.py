"""A folder of texts as a corpus, ranked by BM25."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from errata.errors import InputError
from errata.records import Document, from_json
from errata.tools.text.files import parse_json_row, read_text
from errata.tools.text.ranking import Ranking
from errata.tools.text.words import split_words

SUFFIXES = (".txt", ".md", ".jsonl")
TITLE_WEIGHT = 3
"""How often a word of the title counts; a word of the text counts once."""


def read_corpus(folder: Path) -> list[Document]:
    """All documents in a folder and its subfolders, in order of path.

    Raises InputError if there is no such folder or it contains no text.
    """
    if not folder.is_dir():
        raise InputError(f"the corpus {str(folder)!r} is not a folder; name a folder of texts")
    paths = sorted(path for path in folder.rglob("*") if path.suffix in SUFFIXES)
    documents = [document for path in paths for document in read_documents(path, "corpus")]
    if not documents:
        raise InputError(f"the corpus {str(folder)!r} has no {', '.join(SUFFIXES)} file")
    return [replace(d, source="corpus") for d in documents]


def read_documents(path: Path, prefix: str = "") -> list[Document]:
    """The documents of one file: one a line in JSON lines, else one of plain text or Markdown.

    Raises InputError if the file is missing or binary, or a line is no document.
    """
    text = read_text(path)
    if path.suffix == ".jsonl":
        return list(_parse_lines(path, text))
    first, _, rest = text.partition("\n")
    has_title = first.startswith("# ")
    name = f"{prefix}:{path.stem}" if prefix else path.name
    title = first.removeprefix("# ").strip() if has_title else path.stem
    return [Document(id=name, text=rest if has_title else text, title=title)]


def rank_documents(query: str, documents: Sequence[Document], k: int) -> list[Document]:
    """The k documents that match a query best, with BM25 scores; fewer if few share a word."""
    stems = [word.stem for word in split_words(query) if word.is_content]
    best = _rank(tuple(documents)).best(stems, k)
    return [replace(documents[i], score=score) for i, score in best]


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


def _parse_lines(path: Path, text: str) -> Iterator[Document]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield from_json(Document, parse_json_row(line, f"{str(path)!r}, line {number}"))
