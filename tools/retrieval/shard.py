"""Passages on disk, ranked by bm25s: texts, words and scores are memory-mapped files.

An index is a folder with a manifest and the folder of its shard.
"""

import json
import shutil
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Self

from errata.core.jsonable import from_json, to_json
from errata.core.records import Document
from errata.tools.text.sentences import best_of, new_index, open_index
from errata.tools.text.words import WORD, content_words, stem

MANIFEST = "index.json"
"""The file that makes a folder an index."""
SHARD = "shard-"
"""How the names of its folders begin."""
TITLE_WEIGHT = 3
"""How often a word of a title counts; a word of the text counts once."""
_TEXTS, _WORDS, _PLACES = "passages.jsonl", "words.npy", "places.npy"
"""The passages, a line each; the numbers of their words; and where those of each begin."""


def has_index(folder: Path) -> bool:
    """Whether a folder has a finished index: a manifest and a shard."""
    return (folder / MANIFEST).is_file() and any(folder.glob(f"{SHARD}*"))


class Numbers(dict[str, int]):
    """Words as texts write them, each with its stem's number in a vocabulary, which grows."""

    def __init__(self, vocabulary: dict[str, int]) -> None:
        """Begin with a vocabulary's stems."""
        self.vocabulary = vocabulary

    def __missing__(self, word: str) -> int:
        """The number of a word that is met for the first time."""
        self[word] = self.vocabulary.setdefault(stem(word), len(self.vocabulary))
        return self[word]

    def of(self, text: str) -> list[int]:
        """The numbers of a text's words, in order."""
        return [self[word] for word in WORD.findall(text)]


class Shard:
    """A finished set of passages: several processes that have it open share its memory."""

    def __init__(self, folder: Path) -> None:
        """Open the shard in a folder; raises OSError or ValueError if a file is missing or torn."""
        import numpy as np

        self._texts = np.memmap(folder / _TEXTS, mode="r")
        self._words = np.load(folder / _WORDS, mmap_mode="r")
        self._places = np.load(folder / _PLACES, mmap_mode="r")
        self._bm25 = open_index(folder)

    @property
    def vocabulary(self) -> dict[str, int]:
        """Each stem with its number."""
        return dict(self._bm25.vocab_dict)

    def query(self, text: str, k: int) -> list[Document]:
        """The k passages that match a text best, with BM25 scores."""
        found = best_of(self._bm25, content_words(text), k)
        return [replace(self._read(place), score=score) for place, score in found]

    def lines(self, first: int, count: int) -> Iterator[tuple[bytes, list[int]]]:
        """Passages as they stand on disk, from number `first` on, each with its words' numbers."""
        for place in range(first, first + count):
            (text, word), (text_end, word_end) = self._places[place : place + 2]
            yield self._texts[text:text_end].tobytes(), self._words[word:word_end].tolist()

    def _read(self, place: int) -> Document:
        [(line, _)] = self.lines(place, 1)
        return from_json(Document, json.loads(line))


class ShardDraft:
    """A shard that is written; it is whole once the block around it has ended."""

    def __init__(self, folder: Path, old: Shard | None = None) -> None:
        """Begin a new folder; passages can be copied from an old shard."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        self._folder, self._texts, self._old = folder, (folder / _TEXTS).open("wb"), old
        self._numbers = Numbers(old.vocabulary if old else {"": 0})
        self._words, self._sizes = list[list[int]](), [(0, 0)]

    def __enter__(self) -> Self:
        """Begin to write."""
        return self

    def __len__(self) -> int:
        """How many passages it has so far."""
        return len(self._words)

    def add(self, passages: Iterable[Document]) -> int:
        """Add passages; returns the number of the first."""
        first, of = len(self), self._numbers.of
        for passage in passages:
            words = of(passage.title) * TITLE_WEIGHT + of(passage.text)
            self._write(json.dumps(to_json(passage)).encode() + b"\n", words or [0])
        return first

    def copy(self, start: int, count: int) -> int:
        """Add passages of the old shard as they stand; returns the new number of the first."""
        first = len(self)
        for line, words in self._old.lines(start, count) if self._old else ():
            self._write(line, words)
        return first

    def _write(self, line: bytes, words: list[int]) -> None:
        self._texts.write(line)
        self._words.append(words)
        self._sizes.append((len(line), len(words)))

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        """Rank what was added and write it, unless the block failed or there is nothing."""
        self._texts.close()
        if kind or not self._words:
            return
        import numpy as np

        np.save(self._folder / _PLACES, np.cumsum(self._sizes, axis=0))
        numbers = chain.from_iterable(self._words)
        np.save(self._folder / _WORDS, np.fromiter(numbers, dtype=np.int32))
        bm25 = new_index()
        bm25.index((self._words, self._numbers.vocabulary), show_progress=False)
        bm25.save(self._folder, show_progress=False)
