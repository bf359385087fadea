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

KINDS = (".txt", ".md", ".jsonl")
TITLE_WEIGHT = 3
"""How often a title's words count beside the text's."""


def read_corpus(folder: Path) -> list[Document]:
    """Read every text below a folder, in order of path.

    Raises InputError where there is no such folder, or nothing in it to read.
    """
    if not folder.is_dir():
        raise InputError(f"the corpus {str(folder)!r} is no folder; name one that holds texts")
    paths = sorted(path for path in folder.rglob("*") if path.suffix in KINDS)
    documents = [document for path in paths for document in read_documents(path, "corpus")]
    if not documents:
        raise InputError(f"the corpus {str(folder)!r} holds no {', '.join(KINDS)} file")
    return [replace(d, source="corpus") for d in documents]


def read_documents(path: Path, prefix: str = "") -> list[Document]:
    """Read one file: JSON lines of documents, or one document of plain text or Markdown.

    Raises InputError where the file is missing, binary, or holds a row that is no document.
    """
    text = read_text(path)
    if path.suffix == ".jsonl":
        return list(_rows(path, text))
    first, _, rest = text.partition("\n")
    titled = first.startswith("# ")
    name = f"{prefix}:{path.stem}" if prefix else path.name
    title = first.removeprefix("# ").strip() if titled else path.stem
    return [Document(id=name, text=rest if titled else text, title=title)]


def rank_documents(query: str, documents: Sequence[Document], k: int) -> list[Document]:
    """Give at most k documents that match the query best, with their scores."""
    asked = [word.stem for word in split_words(query) if word.content]
    best = _ranking(tuple(documents)).best(asked, k)
    return [replace(documents[i], score=score) for i, score in best]


@lru_cache(maxsize=4)
def _ranking(documents: tuple[Document, ...]) -> Ranking:
    """Count a corpus once for all questions of a run."""
    return Ranking(
        [
            [w.stem for w in split_words(d.title)] * TITLE_WEIGHT
            + [w.stem for w in split_words(d.text)]
            for d in documents
        ]
    )


def _rows(path: Path, text: str) -> Iterator[Document]:
    for number, line in enumerate(text.splitlines(), start=1):
        if line.strip():
            yield from_json(Document, parse_json_row(line, f"{str(path)!r}, line {number}"))
