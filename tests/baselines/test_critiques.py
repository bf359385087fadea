import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.evals.baselines.critiques import (
    VALUES,
    WEIGHTS,
    read_decision,
    read_reflection,
    read_text,
    score,
    value_of,
)
from errata.evals.baselines.reflection import write_reflection

SURE = {"relevant": {"yes": 1.0}, "supported": {"fully": 1.0}, "useful": {"5": 1.0}}


@pytest.mark.parametrize(
    ("reply", "answer", "critiques"),
    [
        ("Relevant: yes\nAnswer: Riga\nSupported: fully\nUseful: 5", "Riga", SURE),
        ("**Relevant:** Yes.\n**Answer:** Riga\n- Supported: FULLY\n# Useful: 5/5", "Riga", SURE),
        ("Answer: Riga\nand Rome\nUseful: 5", "Riga\nand Rome", {"useful": {"5": 1.0}}),
        ("Riga", "Riga", {}),
        ("", "", {}),
        ("Answer:\nRelevant: no", "", {"relevant": {"no": 1.0}}),
        ("Answer: Riga\nSupported: perhaps\nUseful: 9", "Riga", {}),
        (
            "Supported: fully=0.5 no=0.25 maybe=9\nAnswer: x",
            "x",
            {"supported": {"fully": 0.5, "no": 0.25}},
        ),
        ("Answer: x\nUseful: 4\nI hope that helps.", "x", {"useful": {"4": 1.0}}),
        ("Answer: the answer: yes", "the answer: yes", {}),
        ("Answer: x\nSupported: not fully\nUseful: not 5", "x", {}),
        ("Answer: x\nSupported: no, not fully", "x", {"supported": {"no": 1.0}}),
        ("Sure:\nRelevant: yes\nAnswer: Riga\nSupported: fully\nUseful: 5", "Riga", SURE),
        ("1. Relevant: yes\n2. Answer: Riga\n3) Supported: fully\n4. Useful: 5", "Riga", SURE),
        ("I read it.\nRelevant: no", "", {"relevant": {"no": 1.0}}),
    ],
)
def test_a_reply_is_read_by_its_labels(reply, answer, critiques):
    assert read_reflection(reply) == (answer, critiques)
    assert read_text(reply) == answer


@pytest.mark.parametrize(
    ("reply", "need"),
    [("Retrieve: yes", 1), ("No.", 0), ("yes", 1), ("Retrieve: yes=0.3 no=0.6 continue=0.1", 0.3)],
)
def test_a_decision_is_a_line_or_a_word(reply, need):
    assert value_of(read_decision(reply), "retrieve") == pytest.approx(need)


def test_a_reply_that_decides_nothing():
    assert read_decision("Perhaps.") == read_decision("") == {}


@pytest.mark.parametrize(
    ("critiques", "weights", "expected"),
    [
        (SURE, {}, 2.5),
        (SURE, {"useful": 0}, 2),
        (SURE, {"supported": 3}, 4.5),
        ({}, {}, 0),
        ({"useful": {"1": 1.0}}, {}, -0.5),
        ({"supported": {"partially": 0.2, "no": 0.2}}, {}, 0.25),
        ({"relevant": {"yes": 0.4, "no": 0.6}, "likely": {"yes": 0.3, "no": 0.7}}, {}, 0.7),
    ],
)
def test_the_score_is_the_papers_weighted_sum(critiques, weights, expected):
    assert score(critiques, weights) == pytest.approx(expected)


SHARES = st.floats(0.001, 1)


@given(
    st.fixed_dictionaries(
        {},
        optional={
            aspect: st.fixed_dictionaries(dict.fromkeys(labels, SHARES))
            for aspect, labels in VALUES.items()
        },
    ),
    st.text("ab c", min_size=1).map(str.strip).filter(bool),
)
def test_what_is_written_is_read(critiques, answer):
    text, read = read_reflection(write_reflection(answer, critiques))
    assert text == answer
    assert set(read) == set(critiques)
    for aspect, labels in critiques.items():
        assert read[aspect] == pytest.approx(labels, abs=1e-6)


@given(st.text())
def test_any_text_is_a_reply(reply):
    _, critiques = read_reflection(reply)
    assert -0.5 <= score(critiques, {}) <= sum(WEIGHTS.values())
