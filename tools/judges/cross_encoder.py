"""A small cross-encoder: reads two texts together and scores how one relates to the other.

Its int8 weights ship with the package; it needs neither torch nor a network.
"""

import os
from array import array
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import as_file, files
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

from errata.bounds import check_time

MODEL, VOCABULARY = "cross_encoder.onnx", "cross_encoder.tokens.json"
MAX_TOKENS = 128
"""The longest pair, in tokens; the longer text of a longer pair is cut."""
MAX_CHARACTERS = MAX_TOKENS * 101
"""What is read of each text: no token but an unknown word has over 100 characters and a space."""
BATCH = 32
THREADS = 2
CACHED_PAIRS = 4096
CACHED_CHARACTERS = 20_000_000
Pair = tuple[str, str]
Logits = tuple[float, float, float, float]
"""Supported, refuted, not mentioned; and relevant."""
_Row = tuple[Sequence[int], Sequence[int]]
"""The token ids and token types of a pair."""


def is_available() -> bool:
    """Whether its weights and the packages that run them are installed."""
    packages = all(find_spec(name) for name in ("onnxruntime", "tokenizers"))
    return packages and files("errata.tools.judges").joinpath(MODEL).is_file()


class CrossEncoder:
    """An ONNX session with its tokenizer; safe to share between threads."""

    def __init__(self, model: Path, vocabulary: Path) -> None:
        """Load weights and vocabulary."""
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer

        options = SessionOptions()
        options.intra_op_num_threads = min(THREADS, os.cpu_count() or 1)
        options.inter_op_num_threads = 1
        self._session = InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(vocabulary))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._marks = self._tokenizer.encode("", "").ids
        self._cache: dict[Pair, Logits] = {}
        self._characters = 0
        self._lock = Lock()

    def logits(self, pairs: Sequence[Pair]) -> list[Logits]:
        """The four logits of each pair; the last few thousand pairs are cached."""
        pairs = [(first[:MAX_CHARACTERS], second[:MAX_CHARACTERS]) for first, second in pairs]
        logits = {pair: self._cache[pair] for pair in set(pairs) if pair in self._cache}
        logits |= self._compute([pair for pair in dict.fromkeys(pairs) if pair not in logits])
        self._store(logits)
        return [logits[pair] for pair in pairs]

    def _store(self, logits: dict[Pair, Logits]) -> None:
        with self._lock:
            new = {pair: row for pair, row in logits.items() if pair not in self._cache}
            characters = self._characters + _count_characters(new)
            if len(self._cache) + len(new) > CACHED_PAIRS or characters > CACHED_CHARACTERS:
                self._cache, new, characters = {}, logits, _count_characters(logits)
            self._cache |= new
            self._characters = characters

    def _compute(self, pairs: Sequence[Pair]) -> dict[Pair, Logits]:
        """The logits of pairs, computed in batches of similar length."""
        rows = [(pair, self._encode(pair)) for pair in pairs]
        rows.sort(key=lambda row: len(row[1][0]))
        logits: dict[Pair, Logits] = {}
        for batch in (rows[i : i + BATCH] for i in range(0, len(rows), BATCH)):
            check_time()
            values = self._session.run(None, _pad([encoding for _, encoding in batch]))[0]
            logits |= {
                pair: tuple(row) for (pair, _), row in zip(batch, values.tolist(), strict=True)
            }
        return logits

    def _encode(self, pair: Pair) -> _Row:
        """A pair as `[CLS] first [SEP] second [SEP]`, cut to MAX_TOKENS.

        The texts are encoded one by one: cutting a pair, the tokenizer would keep every
        combination of what it cuts from both, gigabytes for texts of 10,000 tokens.
        """
        first, second = (self._tokenizer.encode(x, add_special_tokens=False).ids for x in pair)
        a, b = _cut_longest(len(first), len(second), MAX_TOKENS - len(self._marks))
        start, middle, end = self._marks
        ids = [start, *first[:a], middle, *second[:b], end]
        types = [0] * (a + 2) + [1] * (b + 1)
        return array("i", ids), array("b", types)


def _count_characters(pairs: Iterable[Pair]) -> int:
    return sum(len(first) + len(second) for first, second in pairs)


@cache
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


def _pad(rows: Sequence[_Row]) -> dict[str, np.ndarray[Any, np.dtype[np.int64]]]:
    """Token ids, attention mask and token types as arrays (rows, tokens of the last row)."""
    ids, mask, types = (np.zeros((len(rows), len(rows[-1][0])), np.int64) for _ in range(3))
    for place, (tokens, kinds) in enumerate(rows):
        end = len(tokens)
        ids[place, :end], mask[place, :end], types[place, :end] = tokens, 1, kinds
    return {"ids": ids, "mask": mask, "types": types}
