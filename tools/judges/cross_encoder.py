"""A small cross-encoder: reads two texts together and scores how one relates to the other.

Its int8 weights ship with the package; it needs neither torch nor a network.
"""

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any

from errata.bounds import check_time
from errata.made_once import MadeOnce
from errata.tools.judges.answers import Answer, find_answer

if TYPE_CHECKING:
    import numpy as np

MODEL, VOCABULARY = "cross_encoder.onnx", "cross_encoder.tokens.json"
MAX_TOKENS = 128
"""The longest pair, in tokens; the longer text of a longer pair is cut."""
MAX_CHARACTERS = MAX_TOKENS * 101
"""What is read of each text: no token but an unknown word has over 100 characters and a space."""
THREADS = 2
"""How many pairs are read at the same time, each by one thread."""
AT_ONCE = 16
"""After how many pairs a run is asked whether it has time left."""
CACHED_PAIRS = 12_288
CACHED_CHARACTERS = 20_000_000
Pair = tuple[str, str]
Logits = tuple[float, float, float, float]
"""Supported, refuted, not mentioned; and relevant."""


@dataclass(frozen=True)
class Read:
    """What the cross-encoder makes of a pair."""

    logits: Logits
    answer: Answer | None
    """What in the second text answers the first; None if the weights cannot tell."""


@dataclass(frozen=True)
class _Row:
    """A pair in tokens."""

    ids: Sequence[int]
    types: Sequence[int]
    offsets: Sequence[tuple[int, int]]
    """Where the tokens of the second text stand in it."""


def is_available() -> bool:
    """Whether its weights and the packages that run them are installed."""
    packages = all(find_spec(name) for name in ("onnxruntime", "tokenizers"))
    return packages and files("errata.tools.judges").joinpath(MODEL).is_file()


@cache
def _threads(_process: int) -> ThreadPoolExecutor:
    """The process's threads; a fork has none of those that it was forked from."""
    return ThreadPoolExecutor(min(THREADS, os.cpu_count() or 1), "cross-encoder")


class CrossEncoder:
    """An ONNX session with its tokenizer; safe to share between threads."""

    def __init__(self, model: Path, vocabulary: Path) -> None:
        """Load weights and vocabulary."""
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer

        options = SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        self._session = InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(vocabulary))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._marks = self._tokenizer.encode("", "").ids
        self._inputs = [tensor.name for tensor in self._session.get_inputs()]
        self._outputs = [output.name for output in self._session.get_outputs()]
        self._cache: dict[Pair, Read] = {}
        self._characters = 0
        self._lock = Lock()

    @property
    def can_answer(self) -> bool:
        """Whether its weights were trained to find answers."""
        return "edges" in self._outputs

    def logits(self, pairs: Sequence[Pair]) -> list[Logits]:
        """The four logits of each pair."""
        return [read.logits for read in self.read(pairs)]

    def read(self, pairs: Sequence[Pair]) -> list[Read]:
        """What it makes of each pair; the last few thousand pairs are cached."""
        pairs = [(first[:MAX_CHARACTERS], second[:MAX_CHARACTERS]) for first, second in pairs]
        known = {pair: self._cache[pair] for pair in set(pairs) if pair in self._cache}
        known |= self._compute([pair for pair in dict.fromkeys(pairs) if pair not in known])
        self._store(known)
        return [known[pair] for pair in pairs]

    def _store(self, read: dict[Pair, Read]) -> None:
        with self._lock:
            new = {pair: row for pair, row in read.items() if pair not in self._cache}
            characters = self._characters + _count_characters(new)
            if len(self._cache) + len(new) > CACHED_PAIRS or characters > CACHED_CHARACTERS:
                self._cache, new, characters = {}, read, _count_characters(read)
            self._cache |= new
            self._characters = characters

    def _compute(self, pairs: Sequence[Pair]) -> dict[Pair, Read]:
        """What it makes of pairs, each computed by itself.

        The int8 model scales its inputs by all that it reads at once, so a pair in a batch would
        get other logits from beside other pairs; and a processor takes no less time for a batch:
        for 16 pairs of like length a fifth more than for one after another.
        """
        read: dict[Pair, Read] = {}
        for start in range(0, len(pairs), AT_ONCE):
            check_time()
            some = pairs[start : start + AT_ONCE]
            read |= zip(some, _threads(os.getpid()).map(self._read_one, some), strict=True)
        return read

    def _read_one(self, pair: Pair) -> Read:
        row = self._encode(pair)
        arrays = _as_arrays(row)
        given = {name: arrays[name] for name in self._inputs}
        logits, *edges = self._session.run(self._outputs, given)
        answer = find_answer(edges[0][0], row.types.index(1), row.offsets) if edges else None
        return Read(tuple(logits[0].tolist()), answer)

    def _encode(self, pair: Pair) -> _Row:
        """A pair as `[CLS] first [SEP] second [SEP]`, cut to MAX_TOKENS.

        The texts are encoded one by one: cutting a pair, the tokenizer would keep every
        combination of what it cuts from both, gigabytes for texts of 10,000 tokens.
        """
        first, second = (self._tokenizer.encode(x, add_special_tokens=False) for x in pair)
        a, b = _cut_longest(len(first.ids), len(second.ids), MAX_TOKENS - len(self._marks))
        start, middle, end = self._marks
        return _Row(
            ids=[start, *first.ids[:a], middle, *second.ids[:b], end],
            types=[0] * (a + 2) + [1] * (b + 1),
            offsets=second.offsets[:b],
        )


def _count_characters(pairs: Iterable[Pair]) -> int:
    return sum(len(first) + len(second) for first, second in pairs)


@MadeOnce
def load_cross_encoder(path: str = "") -> CrossEncoder:
    """The shipped cross-encoder, or one from an ONNX file that uses the shipped vocabulary."""
    folder = files("errata.tools.judges")
    with (
        as_file(folder.joinpath(MODEL)) as shipped,
        as_file(folder.joinpath(VOCABULARY)) as vocabulary,
    ):
        return CrossEncoder(Path(path) if path else shipped, vocabulary)


def _cut_longest(first: int, second: int, limit: int) -> tuple[int, int]:
    """The lengths of two texts, the longer one cut first, so that both together fit a limit."""
    half = limit // 2
    if first <= second:
        first = min(first, max(half, limit - second))
        return first, min(second, limit - first)
    second = min(second, max(half, limit - first))
    return min(first, limit - second), second


def _as_arrays(row: _Row) -> "dict[str, np.ndarray[Any, np.dtype[np.int64]]]":
    """Token ids, attention mask and token types as arrays (1, tokens).

    The shipped model takes no mask, since a pair has no padding; one of another export may.
    """
    import numpy as np

    ids, types = (np.array([values], np.int64) for values in (row.ids, row.types))
    return {"ids": ids, "mask": np.ones_like(ids), "types": types}
