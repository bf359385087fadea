"""What the local verifier says and quotes: reasons, disputes, roles, names cut short."""

import pytest

from errata.core.records import Claim, Document, Verdict
from errata.tools.judges.differences import compare
from errata.tools.judges.disputes import find_disputes, mark_disputes
from errata.tools.judges.evidence import collect_evidence, read_claim
from errata.tools.judges.meanings import find_exchange
from errata.tools.judges.verifier import verify
from errata.tools.text.questions import topic_stems

FIRM = (
    "Northwind was founded in 2018 in Berlin. Its staff of 95 work in three offices. "
    "The founders met at a chess club. It sells weather stations to farmers."
)


def judge(text):
    claim = Claim(id="c1", text=text, start=0, end=len(text))
    return verify("", [claim], [Document(text=FIRM, id="d1")])[0]


@pytest.mark.parametrize(
    ("text", "reason", "explanation"),
    [
        ("Northwind sponsors a hockey team.", "absent", "the documents do not say this"),
        ("Northwind employs 140 people.", "absent", "the documents do not say this"),
        ("The founders met at a wedding.", "contradicted", "seem to say otherwise"),
        ("Farmers like its weather stations.", "not_understood", "could not tell"),
        ("It sells weather stations to farmers.", None, ""),
        ("Northwind was founded in 2016 in Berlin.", None, "the claim says 2016"),
    ],
)
def test_a_verdict_says_why_a_claim_is_not_mentioned(text, reason, explanation):
    verdict = judge(text)
    assert (verdict.label == "not_mentioned") == bool(reason)
    assert verdict.reason == reason
    assert explanation in verdict.explanation


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("Northwind employs 140 people.", None),
        ("Northwind was founded in 2016 in Berlin.", "founded in 2018"),
        ("Northwind sells weather stations to farmers.", "weather stations"),
        ("Farmers like its weather stations.", "weather stations"),
        ("Northwind sponsors a hockey team.", None),
    ],
)
def test_a_quote_bears_on_its_claim(text, quote):
    quotes = judge(text).evidence
    assert quotes[0].text.count(quote) if quote else not quotes


OLD = Document(id="old", title="Leaflet of 2012", text="The Brunn choir has 40 singers.")
NEW = Document(id="new", title="Programme, 2023", text="The Brunn choir has 62 singers.")
UNDATED = Document(id="u", title="A visit to the choir", text="The Brunn choir has 62 singers.")


def claim(text):
    return [Claim(id="c1", text=text, start=0, end=len(text))]


@pytest.mark.parametrize("weights", ["", "lexical"])
@pytest.mark.parametrize(
    ("text", "documents", "label"),
    [
        ("The Brunn choir has 40 singers.", (OLD, NEW), "conflicting"),
        ("The Brunn choir has 62 singers.", (OLD, NEW), "supported"),
        ("The Brunn choir has 40 singers.", (OLD, UNDATED), "conflicting"),
        ("The Brunn choir has 62 singers.", (OLD, UNDATED), "conflicting"),
        ("The Brunn choir has 55 singers.", (OLD, NEW), "refuted"),
    ],
)
def test_the_newer_document_counts_and_both_are_quoted(weights, text, documents, label):
    [verdict] = verify("", claim(text), documents, weights)
    assert verdict.label == label
    if label != "refuted":
        assert {quote.document for quote in verdict.evidence} == {d.id for d in documents}
        assert "the documents disagree: " in verdict.explanation
        assert "2012" in verdict.explanation


def test_a_document_agrees_with_itself():
    text = "The Brunn choir had 40 singers in 2012. The Brunn choir has 62 singers."
    [verdict] = verify("", claim("The Brunn choir has 62 singers."), [Document(id="d", text=text)])
    assert verdict.label == "supported"


def test_a_model_does_not_support_in_silence_what_documents_disagree_on():
    claims = claim("The Brunn choir has 40 singers.")
    for label, marked in (("supported", "conflicting"), ("refuted", "refuted")):
        verdicts = [Verdict(claim="c1", label=label)]
        [verdict] = mark_disputes("", claims, verdicts, (OLD, NEW))
        assert verdict.label == marked


def test_an_answer_s_disputes_are_named_with_their_documents():
    [dispute] = find_disputes("", "The Brunn choir has 40 singers. It is small.", (OLD, NEW))
    assert dispute == ("the documents disagree: 40 by “Leaflet of 2012”; 62 by “Programme, 2023”")


@pytest.mark.parametrize(
    ("claim", "strip"),
    [
        ("Pixar bought Disney.", "In 2006 Disney bought Pixar for 7 billion dollars."),
        ("Ilse Voss taught Omar Quinn.", "Omar Quinn taught Ilse Voss at Harwick."),
        ("Voss sued Quinn.", "Ilse Voss was sued by Omar Quinn."),
        ("The guest must pay the host.", "The host shall pay the guest 9 euros."),
        ("Moss was defeated by Harwick.", "Moss defeated Harwick 3-1 in the final."),
    ],
)
def test_exchanged_sides_are_found(claim, strip):
    assert find_exchange(claim, strip)


@pytest.mark.parametrize(
    ("claim", "strip"),
    [
        ("Disney bought Pixar.", "In 2006 Disney bought Pixar."),
        ("Pixar was bought by Disney.", "In 2006 Disney bought Pixar."),
        ("Pixar bought Disney.", "Disney bought Lumen, and Pixar bought Harwick."),
        ("Voss married Quinn.", "Quinn married Voss."),
        ("Voss met Quinn in Ash.", "Quinn met Voss in Ash."),
        ("The mill was described in five letters.", "Five letters described the mill."),
        ("Voss wrote to the court.", "The court wrote a letter."),
        ("Harwick hired her in 2017.", "In 2017, Voss hired for Harwick a crew."),
        ("Voss was hired by Harwick.", "Voss hired with Harwick."),
        ("Voss sang.", ""),
    ],
)
def test_what_holds_both_ways_or_the_same_way_is_no_exchange(claim, strip):
    assert find_exchange(claim, strip) is None


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
