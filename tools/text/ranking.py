"""BM25 ranking of texts that are given as lists of stems."""

import logging
from collections.abc import Sequence
from typing import Any


class Ranking:
    """A BM25 index over texts."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        """Index texts; without any stem in them every query gets an empty ranking."""
        self._bm25 = new_index() if any(texts) else None
        if self._bm25:
            self._bm25.index([list(stems) for stems in texts], show_progress=False)

    def best(self, stems: Sequence[str], k: int) -> list[tuple[int, float]]:
        """The position and BM25 score of at most k texts that share a stem with the query."""
        if not self._bm25:
            return []
        known = [stem for stem in dict.fromkeys(stems) if stem in self._bm25.vocab_dict]
        if not known:
            return []
        import numpy as np

        scores = self._bm25.get_scores(known)
        order = np.argsort(-scores, kind="stable")[:k]
        return [(int(i), float(scores[i])) for i in order if scores[i] > 0]


def new_index() -> Any:
    """An empty index of bm25s, which is imported here: it brings numpy and scipy."""
    import bm25s

    # bm25s sets its own logger to DEBUG, which shows as soon as anything logs to the terminal.
    logging.getLogger("bm25s").setLevel(logging.WARNING)
    return bm25s.BM25(method="lucene")
