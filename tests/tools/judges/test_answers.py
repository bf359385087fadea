"""Where an answer stands, and claims with their values as the evidence writes them."""

import numpy as np
import pytest

from errata.core.records import Document
from errata.tools.judges.cross_encoder import MAX_ANSWER, Answer, find_answer
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.wording import as_stated
from errata.tools.text.strips import split_strips

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


@pytest.mark.parametrize(
    ("claim", "evidence", "written"),
    [
        ("Ora is 1.12 km up.", "Ora lies 1,120 metres up.", "Ora is 1,120 metres up."),
        ("Ora has about 2,700 homes.", "Ora has 2,678 homes.", "Ora has 2,678 homes."),
        ("Ora has 3 bridges.", "Ora has three bridges.", "Ora has three bridges."),
        ("Ora paid $2 million.", "Ora paid 2,000,000 dollars.", "Ora paid 2,000,000 dollars."),
        ("Ora fell on 1961-08-13.", "Ora fell on 13 August 1961.", "Ora fell on 13 August 1961."),
        ("Ora fell in May 1961.", "Ora fell on 4 May 1961.", "Ora fell in 4 May 1961."),
        ("Ora fell on 4 May 1961.", "Ora fell in May 1961.", "Ora fell on 4 May 1961."),
        ("Ora has 3 bridges.", "Ora has 3 mills and four bridges.", "Ora has 3 bridges."),
        ("Ora has 9 km of canals.", "Ora has 9 m of canals.", "Ora has 9 km of canals."),
        ("Ora takes at most 4 GB.", "Ora takes at most 4 MB.", "Ora takes at most 4 GB."),
        ("Ora is old.", "Ora was built in 1204.", "Ora is old."),
    ],
)
def test_a_value_is_written_as_in_the_strip_that_bears_it_out(claim, evidence, written):
    strips = Evidence(split_strips(Document(text=evidence)))
    assert as_stated(Reading(claim), strips).text == written
