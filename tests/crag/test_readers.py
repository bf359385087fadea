"""What CRAG's steps read from a model's reply, and the action that scores lead to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.nodes.crag.knowledge import action_for, read_judgement, read_keywords

ALL = ("correct", "incorrect", "ambiguous")


@pytest.mark.parametrize(
    ("reply", "score"),
    [
        ("yes", 1),
        ("No.", -1),
        ("**Answer:** YES!", 1),
        ("There is no date in it, but the year is given.\nyes", 1),
        ("Answer: No, it does not.", -1),
        ("It may be.", None),
        ("Noted. Yesterday.", None),
        ("", None),
    ],
)
def test_judgements_are_read_leniently(reply, score):
    assert read_judgement(reply) == score


@pytest.mark.parametrize(
    ("reply", "query"),
    [
        ("Ada Lovelace, father", "Ada Lovelace, father"),
        ("Keywords: a, b, c, d", "a, b, c"),
        ('query: "Ada Lovelace", born.', "Ada Lovelace, born"),
        ("one\ntwo", "one"),
        (", ,", ""),
    ],
)
def test_keywords_are_read_leniently(reply, query):
    assert read_keywords(reply) == query


@pytest.mark.parametrize(
    ("scores", "action"),
    [
        ([0.9, -1.0], "correct"),
        ([-0.95, -0.99], "incorrect"),
        ([0.59, -1.0], "ambiguous"),
        ([-0.91], "ambiguous"),
        ([], "incorrect"),
        ([None], "ambiguous"),
        ([None, -1.0], "ambiguous"),
        ([None, 0.9], "correct"),
    ],
)
def test_scores_lead_to_actions(scores, action):
    """Section 4.3, with Biography's lower and PopQA's upper threshold."""
    assert action_for(scores, 0.59, -0.91, ALL) == action


@pytest.mark.parametrize(
    ("allowed", "actions"),
    [
        (("incorrect", "ambiguous"), ["ambiguous", "incorrect", "ambiguous"]),
        (("correct", "ambiguous"), ["correct", "ambiguous", "ambiguous"]),
        (("correct", "incorrect"), ["correct", "incorrect", "incorrect"]),
        (("correct",), ["correct"] * 3),
        (("incorrect",), ["incorrect"] * 3),
        (("ambiguous",), ["ambiguous"] * 3),
    ],
)
def test_actions_may_be_left_out(allowed, actions):
    """Tables 2 and 11."""
    scores = (0.9, -0.9, 0.0)
    assert [action_for([score], 0.5, -0.5, allowed) for score in scores] == actions


@given(
    st.lists(st.none() | st.floats(-1, 1)),
    st.sets(st.sampled_from(ALL), min_size=1),
    st.floats(-1, 1),
)
def test_the_action_is_always_an_allowed_one(scores, allowed, upper):
    assert action_for(scores, upper, min(upper, -0.5), sorted(allowed)) in allowed
