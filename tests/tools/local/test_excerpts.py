"""Documents shortened to the passages that concern some claims."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.records import Claim, Document
from errata.tools.local.refine import (
    drop_off_topic,
    find_unspoken,
    select_passages,
    select_sentences,
)
from errata.tools.text.words import count_tokens

FILLER = "The weather was mild and the roads were dry that year in the valley. " * 8
LONG = Document(
    id="d1",
    title="Ruth Berg",
    text=f"Ruth Berg was born in Oslo. {FILLER}She painted harbours. {FILLER}She died in Rome.",
)
OTHER = Document(id="d2", title="Weather", text=FILLER)


def test_documents_that_fit_stay_whole():
    for tokens in (0, 10_000):
        assert select_passages(["Ruth Berg painted harbours."], [LONG, OTHER], tokens) == [
            LONG,
            OTHER,
        ]


def test_each_claims_best_passage_comes_before_anyones_second():
    claims = ["Ruth Berg painted harbours.", "Ruth Berg died in Rome."]
    chosen = select_passages(claims, [LONG, OTHER], 300)
    text = " ".join(document.text for document in chosen)
    assert "She painted harbours." in text
    assert "She died in Rome." in text
    assert {document.id for document in chosen} == {"d1"}
    assert sum(count_tokens(document.text) for document in chosen) <= 300


def test_sentences_take_less_room_than_passages():
    [document] = select_sentences(["Ruth Berg painted harbours."], [LONG], 10)
    assert document.text == "She painted harbours."


def test_without_a_shared_word_the_documents_stay():
    assert select_passages(["Zebras gallop."], [OTHER], 10) == [OTHER]


@given(st.lists(st.sampled_from(["Oslo", "Rome", "harbours", "weather"]), max_size=4))
def test_what_is_shown_is_in_the_documents(words):
    for document in select_passages(words, [LONG, OTHER], 120):
        assert document.text in (LONG.text if document.id == "d1" else OTHER.text)


QUESTION = "Who was Mary Anning?"
ANNING = Document(id="a", title="Mary Anning", text="She found a plesiosaur in 1823.")
CUVIER = Document(id="c", title="Georges Cuvier", text="Cuvier doubted it.", source="corpus")


@pytest.mark.parametrize(
    ("text", "spoken"),
    [
        ("Mary Anning found a plesiosaur.", True),
        ("Mary Anning found it in 1811.", True),
        ("Mary Anning died of cancer.", False),
        ("Mary Anning died of cancer in 1823 in Lyme Regis.", False),
    ],
)
def test_a_claim_is_spoken_of_if_a_strip_has_half_of_its_words(text, spoken):
    claim = Claim(id="c1", text=text, start=0, end=1)
    assert find_unspoken(QUESTION, [claim], [ANNING]) == ([] if spoken else [claim])
    assert find_unspoken(QUESTION, [claim], []) == [claim]


@pytest.mark.parametrize(
    ("question", "kept"), [(QUESTION, False), ("Who was Georges Cuvier?", True), ("Who?", True)]
)
def test_documents_on_others_are_dropped(question, kept):
    assert drop_off_topic(question, [ANNING], [CUVIER]) == ([CUVIER] if kept else [])
