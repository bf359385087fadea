"""The windows of documents that speak of a query best."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from errata.core.records import Document
from errata.tools.local.refine import best_windows
from errata.tools.text.sentences import split_sentences

SENTENCES = [
    "The town has a market.",
    "Its mill burned down in 1902.",
    "Ada Byron was born in London in 1815.",
    "She wrote notes on an engine.",
    "The river floods in spring.",
    "A bridge crosses it.",
]
PAGE = Document(id="page", title="Ada Byron", text=" ".join(SENTENCES))
OTHER = Document(id="other", title="Mills", text="Windmills grind grain.")


def test_the_best_window_holds_the_answer():
    [window] = best_windows("When was Ada Byron born?", [OTHER, PAGE], 2, 1)
    assert "born in London in 1815" in window.text
    assert (window.document, PAGE.text[window.start : window.end]) == ("page", window.text)


def test_a_document_of_fewer_sentences_is_one_window():
    [window] = best_windows("What do windmills grind?", [OTHER], 4, 3)
    assert window.text == OTHER.text


def test_nothing_is_found_without_a_word_of_the_query():
    assert best_windows("xyzzy", [PAGE, OTHER], 4, 1) == []
    assert best_windows("When was Ada born?", [], 4, 1) == []


@given(st.integers(1, 8), st.integers(1, 4))
def test_windows_are_no_longer_than_asked_for_and_do_not_overlap(sentences, count):
    windows = best_windows("river bridge Ada mill market", [PAGE], sentences, count)
    assert 1 <= len(windows) <= count
    assert all(len(split_sentences(window.text)) <= sentences for window in windows)
    places = sorted((window.start, window.end) for window in windows)
    assert all(a[1] <= b[0] for a, b in pairwise(places))
