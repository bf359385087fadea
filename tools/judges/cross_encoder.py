"""A small cross-encoder: it reads two texts at once, and tells how the one stands to the other.

Its weights are int8 and lie in the package; neither torch nor a network is needed.
"""

import os
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np

MODEL, VOCABULARY = "cross_encoder.onnx", "cross_encoder.tokens.json"
LEXICAL = "lexical"
"""Says, in a file's place, that the shipped weights of lexical features are meant."""
LONGEST = 128
"""How many tokens it reads of a pair; the longer text loses the rest."""
BATCH = 32
THREADS = 2
REMEMBERED = 4096
"""How many pairs it need not read again."""
Pair = tuple[str, str]
Logits = tuple[float, float, float, float]
"""Supported, refuted, not mentioned; and relevant."""


def available() -> bool:
    """Tell whether weights and packages are there; without them lexical features judge alone."""
    packages = all(find_spec(name) for name in ("onnxruntime", "tokenizers"))
    return packages and files("errata.tools.judges").joinpath(MODEL).is_file()


def weights_file(judge: str, path: str) -> Path | Traversable:
    """Name a judge's weights: the shipped ones, `lexical`, or a file of the user's.

    Without the cross-encoder's packages the shipped ones are those of lexical features.
    """
    if path not in ("", LEXICAL):
        return Path(path)
    form = "" if available() and not path else f".{LEXICAL}"
    return files("errata.tools.judges").joinpath(f"{judge}{form}.json")


class CrossEncoder:
    """Hold one session; safe to share between threads."""

    def __init__(self, model: Path, vocabulary: Path) -> None:
        """Load weights and vocabulary."""
        from onnxruntime import InferenceSession, SessionOptions
        from tokenizers import Tokenizer

        options = SessionOptions()
        options.intra_op_num_threads = min(THREADS, os.cpu_count() or 1)
        options.inter_op_num_threads = 1
        self._session = InferenceSession(str(model), options, providers=["CPUExecutionProvider"])
        self._tokenizer = Tokenizer.from_file(str(vocabulary))
        self._tokenizer.enable_truncation(LONGEST, strategy="longest_first")
        self._tokenizer.no_padding()
        self._seen: dict[Pair, Logits] = {}
        self._lock = Lock()

    def logits(self, pairs: Sequence[Pair]) -> list[Logits]:
        """Give the logits of every pair; pairs that were read before cost nothing."""
        known = {pair: self._seen[pair] for pair in set(pairs) if pair in self._seen}
        known |= self._read([pair for pair in dict.fromkeys(pairs) if pair not in known])
        self._remember(known)
        return [known[pair] for pair in pairs]

    def _remember(self, found: dict[Pair, Logits]) -> None:
        with self._lock:
            if len(self._seen) + len(found) > REMEMBERED:
                self._seen = {}
            self._seen |= found

    def _read(self, pairs: Sequence[Pair]) -> dict[Pair, Logits]:
        """Read pairs in batches of about equal length."""
        rows = [(pair, self._tokenizer.encode(*pair)) for pair in pairs]
        rows.sort(key=lambda row: len(row[1].ids))
        found: dict[Pair, Logits] = {}
        for batch in (rows[i : i + BATCH] for i in range(0, len(rows), BATCH)):
            values = self._session.run(None, _padded([encoding for _, encoding in batch]))[0]
            found |= {
                pair: tuple(row) for (pair, _), row in zip(batch, values.tolist(), strict=True)
            }
        return found


@cache
def cross_encoder(path: str = "") -> CrossEncoder:
    """Open the shipped weights, or a file of others that fits the shipped vocabulary."""
    folder = files("errata.tools.judges")
    with as_file(folder.joinpath(MODEL)) as own, as_file(folder.joinpath(VOCABULARY)) as words:
        return CrossEncoder(Path(path) if path else own, words)


def _padded(rows: Iterable[Any]) -> dict[str, np.ndarray[Any, np.dtype[np.int64]]]:
    rows = list(rows)
    ids, mask, types = (np.zeros((len(rows), len(rows[-1].ids)), np.int64) for _ in range(3))
    for place, row in enumerate(rows):
        end = len(row.ids)
        ids[place, :end], mask[place, :end], types[place, :end] = row.ids, 1, row.type_ids
    return {"ids": ids, "mask": mask, "types": types}
