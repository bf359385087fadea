"""Documents and pages cut into strips, and the best of these kept."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.records import Document
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.local.refine import SPLITS, best_windows, refine
from errata.tools.text.sentences import split_sentences

TEXT = "One is first. Two is second. Three is third. Four is fourth. Five is last."


@pytest.mark.parametrize(
    ("text", "mode", "strips"),
    [
        ("", "excerption", []),
        ("One. Two.", "excerption", ["One. Two."]),
        (TEXT, "selection", [TEXT]),
        (TEXT, "excerption", [TEXT[:44], TEXT[45:]]),
        (
            f"{TEXT} Six is more. Seven.",
            "excerption",
            [TEXT[:44], f"{TEXT[45:]} Six is more. Seven."],
        ),
        (" ".join(["Some words here."] * 18), "fixed_num", 1),
        (" ".join(["Some words here."] * 40), "fixed_num", 3),
    ],
)
def test_documents_are_cut_into_strips(text, mode, strips):
    texts = [text[start:end] for start, end in SPLITS[mode](text)]
    assert texts == strips if isinstance(strips, list) else len(texts) == strips


class LengthScore:
    """An evaluator that scores a text by its length."""

    upper, lower, floor = 0.5, -0.5, -0.5

    def score(self, _, texts):
        return [len(text) / 100 for _, text in texts]


def test_the_best_strips_are_in_document_order():
    documents = [
        Document(id="a", text="Short one. Then a longer one here."),
        Document(id="b", text="x."),
        Document(id="c", text="The middle one of all."),
    ]
    knowledge = refine("", documents, "excerption", LengthScore(), 2, 0.1)
    assert [strip.document for strip in knowledge] == ["a", "c"]
    assert refine("", documents, "excerption", LengthScore(), 5, 0.9) == []


def test_what_stands_twice_under_a_title_is_kept_once():
    texts = {"a": ("Mill", "It burned."), "b": ("Mill", "It  burned."), "c": ("Inn", "It burned.")}
    documents = [Document(id=i, title=t, text=text) for i, (t, text) in texts.items()]
    knowledge = refine("", documents, "excerption", LengthScore(), 3, 0)
    assert [strip.document for strip in knowledge] == ["b", "c"]


def test_paragraphs_of_pages_are_selected():
    page = Document(id="p", text="Bees make honey.\n\nThe tower was opened in 1889.\nCats purr.")
    knowledge = refine(
        "When was the tower opened?", [page], "paragraphs", load_local_evaluator(), 5, -0.25
    )
    assert [page.text[k.start : k.end] for k in knowledge] == ["The tower was opened in 1889."]


GULAAL = Document(
    id="a",
    title="Gulaal",
    text="Gulaal was released in March 2009 to good reviews. Its music was loved. It was shown for "
    "months. It was written, co-produced and directed by Anurag Kashyap. Kashyap took years "
    "over it. The set burned down once.",
)
DIRECTOR = "Who was the director of Gulaal?"


def test_the_sentence_that_answers_is_kept():
    evaluator = load_local_evaluator()
    knowledge = refine(DIRECTOR, [GULAAL], "excerption", evaluator, 5, evaluator.floor)
    assert any("directed by Anurag Kashyap" in strip.text for strip in knowledge)


def test_strips_that_share_nothing_with_the_subject_stay_out():
    festival = Document(
        id="b", title="Holi", text="A director is chosen.\nHe directs the festival."
    )
    cut = Document(id="c", text="Of Gulaal no director is known.")
    everything = LengthScore(), 9, -1
    assert {k.document for k in refine(DIRECTOR, [GULAAL, festival], "selection", *everything)} == {
        "a"
    }
    assert {k.document for k in refine(DIRECTOR, [festival, cut], "paragraphs", *everything)} == {
        "c"
    }


@pytest.mark.parametrize("scored", [1, 3])
def test_as_many_paragraphs_are_scored_as_is_set(scored):
    page = Document(id="p", text="The tower opened.\nThe tower opened in May.\nThe tower is red.")
    knowledge = refine(
        "When was the tower opened?", [page], "paragraphs", LengthScore(), 5, -1, scored=scored
    )
    assert len(knowledge) == scored


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
