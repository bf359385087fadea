"""A small cross-encoder: reads two texts together and scores how one relates to the other.

Its int8 weights ship with the package; it needs neither torch nor a network.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from errata.core.limits import check_time
from errata.core.once import made_once
from errata.tools.text.words import split_words

if TYPE_CHECKING:
    import numpy as np

MODEL = "cross_encoder.onnx"
OUTPUTS = ("logits", "edges", "tags")
MAX_TOKENS = 192
"""The longest pair, in tokens; the longer text of a longer pair is cut."""
MAX_CHARACTERS = MAX_TOKENS * 101
"""What is read of each text: no token but an unknown word has over 100 characters and a space."""
CACHED_PAIRS = 12_288
CACHED_CHARACTERS = 2_000
"""How long a pair may be that is remembered, for the memory it takes."""
GAP = "[MASK]"
"""What stands in a claim for words that are asked for."""
MAX_ANSWER = 12
"""How many tokens an answer has at most."""
Edges: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.float32]]"
"""For each token how much speaks for the answer to start, and to end, there."""
Pair = tuple[str, str]
Logits = tuple[float, float, float, float]
"""Supported, refuted, not mentioned; and relevant."""


@dataclass(frozen=True)
class Stretch:
    """A stretch of a text."""

    start: int
    end: int
    odds: float
    """The log odds of its edges against the text having no answer."""


@dataclass(frozen=True)
class Read:
    """What the cross-encoder makes of a pair."""

    logits: Logits
    answer: Stretch | None
    """What in the second text answers the first; None of an empty one."""
    wrong: str
    """The words of the first text that the second one has in another way, as far as it can tell."""


@cache
def _helper(_process: int) -> ThreadPoolExecutor:
    """The process's thread that helps; a fork has none of those that it was forked from."""
    return ThreadPoolExecutor(1, "cross-encoder")


class CrossEncoder:
    """An ONNX session with its tokenizer; safe to share between threads."""

    def __init__(self, model: Path, vocabulary: Path) -> None:
        """Load weights and vocabulary."""
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer

        options = SessionOptions()
        options.intra_op_num_threads = 1
        options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # it would keep what the longest pairs took
        self._session = InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(vocabulary))
        self._tokenizer.no_truncation()
        self._tokenizer.no_padding()
        self._marks = self._tokenizer.encode("", "").ids
        self._remembered = lru_cache(CACHED_PAIRS)(self._compute)

    def logits(self, pairs: Sequence[Pair]) -> list[Logits]:
        """The four logits of each pair."""
        return [read.logits for read in self.read(pairs)]

    def read(self, pairs: Sequence[Pair]) -> list[Read]:
        """What it makes of each pair; of the last few thousand short ones it is remembered.

        Each is computed by itself: the int8 model scales its inputs by all that it reads at once,
        so that other pairs in a batch would change its logits; and a batch takes a fifth longer.
        """
        pairs = [(first[:MAX_CHARACTERS], second[:MAX_CHARACTERS]) for first, second in pairs]
        left, read = list(dict.fromkeys(reversed(pairs))), dict[Pair, Read]()

        def work(check: Callable[[], None]) -> None:
            with suppress(IndexError):
                while pair := left.pop():
                    check()
                    is_short = sum(map(len, pair)) <= CACHED_CHARACTERS
                    read[pair] = (self._remembered if is_short else self._compute)(pair)

        # The helper may be busy with another run: this thread waits for no more than a pair.
        helping = _helper(os.getpid()).submit(work, lambda: None)
        try:
            work(check_time)
        finally:
            left.clear()
            unhelped = helping.cancel()
        if not unhelped:
            helping.result()
        return [read[pair] for pair in pairs]

    def _compute(self, pair: Pair) -> Read:
        import numpy as np

        first, second = (self._tokenizer.encode(x, add_special_tokens=False) for x in pair)
        ids, second_at = encode_pair(self._marks, first.ids, second.ids)
        given = {"ids": np.array([ids], np.int64)}
        logits, edges, tags = (found[0] for found in self._session.run(OUTPUTS, given))
        offsets = second.offsets[: len(ids) - second_at - 1]
        tagged = tags[1 : second_at - len(self._marks) + 2].tolist()
        return Read(
            tuple(logits.tolist()),
            find_answer(edges, second_at, offsets),
            _tagged_words(pair[0], tagged, first.offsets),
        )


def encode_pair(
    marks: Sequence[int], first: Sequence[int], second: Sequence[int]
) -> tuple[list[int], int]:
    """The ids of two texts between an encoder's marks, `MAX_TOKENS` at most; where the second is.

    The longer text is cut first. The texts are encoded one by one: cutting a pair, the tokenizer
    would keep every combination of what it cuts from both, gigabytes for texts of 10,000 tokens.
    """
    start, *middle, end = marks
    limit = MAX_TOKENS - len(marks)
    half = limit // 2 if len(first) <= len(second) else limit - limit // 2
    a = min(len(first), max(half, limit - len(second)))
    b = min(len(second), limit - a)
    return [start, *first[:a], *middle, *second[:b], end], a + 1 + len(middle)


@made_once
def load_cross_encoder(path: str) -> CrossEncoder:
    """The shipped cross-encoder, MODEL, or another one in an ONNX file."""
    with as_file(files("errata.tools.judges").joinpath(path)) as shipped:
        model = shipped if shipped.is_file() else Path(path)
        return CrossEncoder(model, vocabulary_of(model))


def vocabulary_of(model: Path) -> Path:
    """Where the vocabulary of an ONNX file is: beside it."""
    return model.with_suffix(".tokens.json")


def _tagged_words(text: str, tags: Sequence[float], offsets: Sequence[tuple[int, int]]) -> str:
    """The words from the first to the last token with positive log odds; empty without any."""
    tagged = [place for tag, place in zip(tags, offsets, strict=False) if tag > 0]
    words = [w for w in split_words(text) if tagged and w.end > tagged[0][0]]
    words = [word for word in words if word.start < tagged[-1][1]]
    return text[words[0].start : words[-1].end] if words else ""


def find_answer(edges: Edges, first: int, offsets: Sequence[tuple[int, int]]) -> Stretch | None:
    """The likeliest answer among the tokens from the first on; None without any.

    `offsets` are their places in the text. The edges of token 0 are those of no answer.
    """
    import numpy as np

    if not offsets:
        return None
    inside = edges[first : first + len(offsets)]
    scores: np.ndarray[Any, Any] = np.add.outer(inside[:, 0], inside[:, 1])
    length = np.subtract.outer(np.arange(len(offsets)), np.arange(len(offsets))).T
    scores[(length < 0) | (length >= MAX_ANSWER)] = -np.inf
    start, end = map(int, np.unravel_index(scores.argmax(), scores.shape))
    odds = float(scores[start, end] - edges[0].sum())
    return Stretch(offsets[start][0], offsets[end][1], odds)
