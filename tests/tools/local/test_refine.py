"""Documents cut down to what bears on a question or on claims, and answers made of what is left."""

import pytest

from errata.core.records import Document
from errata.tools.judges.evaluator import load_local_evaluator
from errata.tools.local.generate import generate_answer
from errata.tools.local.refine import find_strips, select_passages
from errata.tools.text.words import count_tokens


def test_strips_that_share_nothing_with_the_subject_stay_out():
    question = "Who was the director of Gulaal?"
    text = "A director is chosen.\nHe directs the festival."
    film = Document(id="a", title="Gulaal", text="Gulaal was directed by Anurag Kashyap.")
    festival = Document(id="b", title="Holi", text=text)
    cut = Document(id="c", text="Of Gulaal no director is known.")
    found = find_strips(question, [film, festival], "selection")
    assert {strip.document.id for strip in found} == {"a"}
    found = find_strips(question, [festival, cut], "paragraphs")
    assert {strip.document.id for strip in found} == {"c"}


SEASONS = [
    f"In {year} Jo Reed acted in the drama series Harbour Lights." for year in range(1960, 1999)
]
STAGE = Document(
    id="d1",
    title="Jo Reed",
    text=" ".join([*SEASONS, "A critic praised Pari.", *SEASONS, "The Express was shot in Bonn."])
    + "\nAwards\nThe Silver Lion of 1975. Reed left. She then married Al Kerr.",
)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        (("the drama Pari", "the drama The Express"), ("A critic praised Pari.", "shot in Bonn.")),
        (("1961", "1977"), ("In 1961", "In 1977")),
        (("Harbour Lights and won a Silver Lion", "films"), ("Awards\nThe Silver Lion",)),
        (("films, and married Al Kerr", "films"), ("Reed left. She then married Al Kerr.",)),
    ],
)
def test_what_only_one_of_the_claims_has_is_shown(words, shown):
    """A heading and what a pronoun stands for go along; siblings share all other words."""
    claims = [f"Jo Reed acted in {each}." for each in words]
    found = select_passages(claims, [STAGE], 60)
    text = "\n".join(document.text for document in found)
    assert all(each in text for each in shown)
    assert sum(count_tokens(document.text) for document in found) <= 60


MILL = "The Mill is a 1950 film. It was shown for years. It was written and directed by Ann Lee."
RAY = "Bo Ray (born 1962) is a former volleyball player. He was born in Riga. He won a medal."
OTHER = "The Mill was directed by Bo Ray."
WHOSE = "Who was the director of The Mill?"


@pytest.mark.parametrize(
    ("question", "pages", "words"),
    [
        (WHOSE, {"The Mill": MILL}, ["directed by Ann Lee"]),
        ("Who was the screenwriter for The Mill?", {"The Mill": MILL}, ["written and directed"]),
        ("What genre is The Mill?", {"The Mill": MILL}, ["1950 film"]),
        ("In what city was Bo Ray born?", {"": RAY}, ["He was born in Riga."]),
        (WHOSE, {"The Mill (1950 film)": MILL, "The Mill (film)": OTHER}, ["Ann Lee", "Bo Ray"]),
    ],
)
def test_what_says_what_is_asked_answers_for_each_thing_of_the_name(question, pages, words):
    documents = [Document(id=title, title=title, text=text) for title, text in pages.items()]
    response = generate_answer(question, documents, load_local_evaluator())
    assert all(each in response for each in words)
