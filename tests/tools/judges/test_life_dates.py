"""A name that the question cuts short is the documents' subject where only one bears it."""

import pytest

from errata.core.records import Document
from errata.tools.judges.differences import compare
from errata.tools.judges.evidence import collect_evidence, read_claim
from errata.tools.text.questions import topic_stems

EINSTEIN = "Albert Einstein (14 March 1879 – 18 April 1955) was a theoretical physicist."
CURIE = "Marie Curie (7 November 1867 – 4 July 1934) was a physicist and chemist."
TURING = "Alan Mathison Turing (23 June 1912 – 7 June 1954) was an English mathematician."
NEWTON = "Sir Isaac Newton (25 December 1642 – 20 March 1727) was an English polymath."
LINCOLN = "Abraham Lincoln (February 12, 1809 – April 15, 1865) was the 16th president."
DARWIN = "Charles Darwin (12 February 1809 – 19 April 1882) was a grandson of Erasmus Darwin."
EIFFEL = "The Eiffel Tower was opened in 1889. It is a tower in Paris."


def stated(question, claim, *texts):
    """What the documents state in place of a claim's date."""
    documents = [Document(id=str(number), text=text) for number, text in enumerate(texts)]
    evidence = collect_evidence(topic_stems(question), documents)
    found = compare(read_claim(claim, question), evidence).differences
    return {each.stated for each in found if each.kind == "life"}


@pytest.mark.parametrize(
    ("question", "claim", "text", "date"),
    [
        ("When was Einstein born?", "Albert Einstein was born in 1889.", EINSTEIN, "1879"),
        ("When was Curie born?", "Marie Curie was born in 1877.", CURIE, "1867"),
        ("When did Turing die?", "Alan Turing died in 1964.", TURING, "1954"),
        ("When was Newton born?", "Isaac Newton was born in 1652.", NEWTON, "1642"),
        ("When was Lincoln born?", "Abraham Lincoln was born in 1819.", LINCOLN, "1809"),
        ("When was Einstein born?", "Einstein was born in 1889.", EINSTEIN, "1879"),
        ("When was Albert Einstein born?", "Albert Einstein was born in 1889.", EINSTEIN, "1879"),
    ],
)
def test_a_name_cut_short_in_the_question_is_corrected(question, claim, text, date):
    [date_stated] = stated(question, claim, text)
    assert date in date_stated


@pytest.mark.parametrize(
    ("question", "claim", "texts"),
    [
        ("When was Lincoln born?", "Mary Todd Lincoln was born in 1817.", [LINCOLN]),
        ("When was Darwin born?", "Erasmus Darwin was born in 1731.", [DARWIN]),
        ("When was Eiffel born?", "Gustave Eiffel was born in 1832.", [EIFFEL]),
        ("When was Einstein born?", "Einstein was born in the 1870s.", [EINSTEIN]),
        ("When was Einstein born?", "The year of Einstein's birth was 1870 or later.", [EINSTEIN]),
    ],
)
def test_namesakes_decades_and_open_years_are_not_corrected(question, claim, texts):
    assert stated(question, claim, *texts) == set()
