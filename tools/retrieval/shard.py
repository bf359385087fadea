"""Passages on disk, ranked by bm25s: texts and scores are memory-mapped files.

An index is a folder with a manifest and the folder of its shard.
"""

import json
import shutil
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import count
from pathlib import Path

from errata.core.jsonable import from_json, to_json
from errata.core.records import Document
from errata.tools.text.sentences import best_of, new_index, open_index
from errata.tools.text.words import WORD, content_words

MANIFEST = "index.json"
"""The file that makes a folder an index."""
SHARD = "shard-"
"""How the names of its folders begin."""
PASSAGES, _STARTS = "passages.tsv", "starts.npy"
"""The passages, a line each; and where each begins, in bytes."""
TITLE_WEIGHT = 3
"""How often a word of a title counts; a word of the text counts once."""


def is_index(folder: Path) -> bool:
    """Whether a folder has a finished index: a manifest and a shard."""
    return (folder / MANIFEST).is_file() and any(folder.glob(f"{SHARD}*"))


class Shard:
    """A finished set of passages: several processes that have it open share its memory."""

    def __init__(self, folder: Path) -> None:
        """Open the shard in a folder; raises OSError or ValueError if a file is missing or torn."""
        import numpy as np

        self._texts = np.memmap(folder / PASSAGES, mode="r")
        self._starts = np.load(folder / _STARTS, mmap_mode="r")
        self._bm25 = open_index(folder)

    def query(self, text: str, k: int) -> list[Document]:
        """The k passages that match a text best, with BM25 scores."""
        found = best_of(self._bm25, content_words(text), k)
        return [replace(self._read(place), score=score) for place, score in found]

    def _read(self, place: int) -> Document:
        start, end = self._starts[place : place + 2]
        passage = self._texts[start:end].tobytes().partition(b"\t")[2]
        return from_json(Document, json.loads(passage))


def write_shard(folder: Path, lines: Iterable[bytes]) -> None:
    """Write passages, each as `to_line` makes it, to a new folder; rank them if there is any."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    starts, words, numbers = [0], list[list[int]](), defaultdict[str, int](count().__next__)
    with (folder / PASSAGES).open("wb") as texts:
        for line in lines:
            starts.append(starts[-1] + texts.write(line))
            stems = line.partition(b"\t")[0].decode().split(" ")
            words.append(list(map(numbers.__getitem__, stems)))
    if words:
        import numpy as np

        np.save(folder / _STARTS, starts)
        bm25 = new_index()
        bm25.index((words, dict(numbers)), show_progress=False)
        bm25.save(folder, show_progress=False)


def to_line(passage: Document, stem: Callable[[str], str]) -> bytes:
    """A passage's stems, which an update takes as they are, a tab, and the passage as JSON."""
    stems = " ".join(map(stem, words_of(passage)))
    return f"{stems}\t{json.dumps(to_json(passage))}\n".encode()


def words_of(document: Document) -> list[str]:
    """The words of a document as it writes them, those of its title as often as they count."""
    return WORD.findall(document.title) * TITLE_WEIGHT + WORD.findall(document.text)
