"""What in a text answers a question or fills a claim's gap, by the cross-encoder's edges."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    import numpy as np

GAP = "[MASK]"
"""What stands in a claim for words that are asked for."""
MAX_ANSWER = 12
"""How many tokens an answer has at most."""
Edges: TypeAlias = "np.ndarray[tuple[int, int], np.dtype[np.float32]]"
"""For each token how much speaks for the answer to start, and to end, there."""


@dataclass(frozen=True)
class Answer:
    """A stretch of a text."""

    start: int
    end: int
    odds: float
    """The log odds of its edges against the text having no answer."""


def find_answer(edges: Edges, first: int, offsets: Sequence[tuple[int, int]]) -> Answer | None:
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
    return Answer(offsets[start][0], offsets[end][1], odds)
