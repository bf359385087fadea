"""Stretches of a text, found by where they stand."""

from hypothesis import given
from hypothesis.strategies import integers, lists, tuples

from errata.core.edits import Spans

places = integers(0, 30)
stretches = tuples(places, places).map(lambda pair: (min(pair), max(pair)))


@given(lists(stretches), stretches)
def test_a_search_finds_just_what_shares_a_character(spans, stretch):
    start, end = stretch
    touching = [(a, b) for a, b in spans if a < end and start < b]
    assert Spans(spans, lambda span: span).touching(start, end) == touching


def test_things_are_found_in_the_order_they_came_in():
    words = {"late": (4, 8), "early": (0, 5)}
    assert Spans(words, words.__getitem__).touching(4, 5) == ["late", "early"]
    assert Spans(words, words.__getitem__).touching(8, 9) == []
