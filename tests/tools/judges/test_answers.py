"""Where an answer stands, by the edges of tokens."""

import numpy as np
import pytest

from errata.tools.judges.cross_encoder import MAX_ANSWER, Answer, find_answer

START, END = 0, 1
OFFSETS = [(0, 3), (4, 8), (9, 12), (12, 13)]


def edges(tokens, marked=()):
    """Edges of zero but for some, each with its token, START or END, and value."""
    values = np.zeros((tokens, 2), np.float32)
    for token, edge, value in marked:
        values[token, edge] = value
    return values


@pytest.mark.parametrize(
    ("marked", "answer"),
    [
        ([(2, START, 3.0), (3, END, 2.0)], Answer(0, 8, 5.0)),
        ([(4, START, 3.0), (4, END, 2.0)], Answer(9, 12, 5.0)),
        ([(2, START, 3.0), (3, END, 2.0), (0, START, 4.0), (0, END, 4.0)], Answer(0, 8, -3.0)),
        ([(4, START, 3.0), (3, END, 2.0)], Answer(9, 12, 3.0)),
        ([(1, START, 9.0), (1, END, 9.0), (5, START, 1.0), (5, END, 1.0)], Answer(12, 13, 2.0)),
    ],
)
def test_the_likeliest_stretch_is_the_answer(marked, answer):
    assert find_answer(edges(7, marked), 2, OFFSETS) == answer


def test_an_answer_is_no_longer_than_allowed():
    offsets = [(place, place + 1) for place in range(40)]
    answer = find_answer(edges(43, [(2, START, 5.0), (40, END, 5.0), (9, END, 1.0)]), 2, offsets)
    assert answer.end - answer.start <= MAX_ANSWER


def test_an_empty_text_has_no_answer():
    assert find_answer(edges(3), 2, []) is None
