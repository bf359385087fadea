"""Documents cut into strips."""

from hypothesis import given
from hypothesis import strategies as st

from errata.core.records import Document
from errata.tools.text.sentences import STRIP_WORDS, split_strips


@given(st.text(max_size=300))
def test_strips_are_quotes_of_their_document(text):
    for strip in split_strips(Document(id="d1", text=text)):
        assert text[strip.start : strip.end] == strip.text
        assert len(strip.words) <= STRIP_WORDS


def test_a_long_sentence_is_cut_into_short_strips():
    text = "word " * 150
    assert [len(strip.words) for strip in split_strips(Document(id="d", text=text))] == [70, 70, 10]
