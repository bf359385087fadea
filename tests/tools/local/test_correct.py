"""Claims corrected by local code."""

import pytest

from errata import check
from errata import correct as correct_draft
from errata.core.records import Claim, Document
from errata.tools.local.correct import correct
from example import BIOGRAPHY, CLAIMS, QUESTION


def correct_claim(text, *documents):
    claim = Claim(id="c1", text=text, start=0, end=len(text))
    return correct(QUESTION, [claim], documents or [BIOGRAPHY])


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("Marie Curie was born on 7 November 1865.", "Marie Curie was born on 7 November 1867."),
        ("She was born on March 2, 1869.", "She was born on November 7, 1867."),
        ("Marie Curie died in 1935.", "Marie Curie died in 1934."),
        ("She was born in Krakow.", "She was born in Warsaw."),
        ("Marie Curie married Pierre Curie in 1897.", "Marie Curie married Pierre Curie in 1895."),
    ],
)
def test_corrections(text, corrected):
    [fix] = correct_claim(text)
    assert fix.text == corrected
    [quote, *_] = fix.evidence
    assert BIOGRAPHY.text[quote.start : quote.end] == quote.text
    assert "the evidence says" in fix.explanation


@pytest.mark.parametrize(
    "text",
    [
        "Marie Curie was born on 7 November 1867.",
        "Marie Curie was elected mayor of Lyon in 1911.",
        "Marie Curie lived in Paris until 1920.",
        "Pierre Curie was born in 1858.",
        "She met Albert Einstein.",
    ],
)
def test_claims_without_a_clear_contradiction_are_not_corrected(text):
    assert correct_claim(text) == []


def test_inconsistent_evidence_corrects_nothing():
    other = Document(
        id="o", text="Marie Curie (born 8 May 1870 – died 4 July 1934) was a physicist."
    )
    assert correct_claim(CLAIMS[0], BIOGRAPHY, other) == []


def mend(text, evidence, weights=""):
    claim = Claim(id="c1", text=text, start=0, end=len(text))
    return [fix.text for fix in correct("", [claim], [Document(id="d1", text=evidence)], weights)]


@pytest.mark.parametrize("weights", ["", "lexical"])
@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The lock may never be used at night.", "The lock may be used at night."),
        ("The lift raises the boats.", "The lift lowers the boats."),
        ("The tower is taller than the church.", "The tower is shorter than the church."),
        ("The council rejected the plan.", "The council approved the plan."),
        ("Pixar bought Disney in 2006.", "Disney bought Pixar in 2006."),
        ("The guest must pay the host.", "The host must pay the guest."),
    ],
)
def test_denials_opposites_and_roles_are_mended(claim, evidence, weights):
    assert mend(claim, evidence, weights) == [evidence]


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The prize was won by Ilse Brandt.", "The prize was won by Tomas Voss."),
    ],
)
def test_a_gap_is_filled_by_what_the_evidence_has(claim, evidence):
    assert mend(claim, evidence) == [evidence]
    assert mend(claim, evidence, "lexical") == []


@pytest.mark.parametrize(
    ("claim", "evidence"),
    [
        ("The ferry runs every Friday.", "The ferry runs every Friday."),
        (
            "The fair took place in 2012.",
            "The fair took place in 2011. The fair was also held in 2012.",
        ),
        ("The mill was built by Ada Moor.", "Swans nest on the island in spring."),
        ("The club admits dogs.", "The club was founded by Ada Moor."),
        ("Tankers may use the locks at night.", "Tankers may not use the locks at night."),
    ],
)
def test_what_is_right_open_or_not_clearly_better_is_left(claim, evidence):
    assert mend(claim, evidence) == []


DOSES = "Adults take 10 ml, children 5 ml three times a day."
CAPITALS = "Paris is the capital of France. Rome is the capital of Italy."
SISTERS = (
    "Anna Berg was born in Oslo in 1950. Her sister Karin was born in Bergen in 1953. "
    "They wrote books."
)
LAMPS = (
    "Lumio was founded in 2018 in Berlin. It makes lamps. "
    "Its founders are Mara Voss and Tarek Haddad."
)


@pytest.mark.parametrize(
    ("draft", "documents"),
    [
        ("Adults take 10 ml three times a day.", [DOSES]),
        ("Nurses earn 30 euros an hour.", ["Nurses earn 30 euros, doctors 60 euros an hour."]),
        (
            "Sales rose by 15 units.",
            ["Sales rose from 40 units in 2020 to 55 units in 2021."],
        ),
        ("The mayor didn't resign.", ["The mayor refused to resign."]),
        ("Lumio was founded by Paul Ames.", [LAMPS]),
        ("Karin was born in Oslo in 1950.", [SISTERS]),
        (
            "The gallery opened in 1935.",
            ["The gallery opened in 1931.", "The gallery opened in 1934."],
        ),
        ("The bridge was not opened in 1934.", ["The bridge was opened in 1931."]),
        ("The firm is not based in Berlin.", ["The firm is based in Munich."]),
        ("The road is not 12 km long.", ["The road is 9 km long."]),
    ],
)
def test_an_edit_that_could_harm_is_not_made(draft, documents):
    assert correct_draft(draft=draft, documents=documents).response == draft


@pytest.mark.parametrize(
    ("draft", "document", "response"),
    [
        (
            "The library has 300 maps and 12 globes. The museum has 40 globes.",
            "The library has 300 maps and 40 globes. The museum has 12 globes.",
            "The library has 300 maps and 40 globes. The museum has 12 globes.",
        ),
        ("Paris is the capital of Italy. Rome is the capital of France.", CAPITALS, CAPITALS),
        (
            "The tower was opened in 1899. The canal was opened in 1920.",
            "The tower was opened in 1889. The canal was opened in 1914.",
            "The tower was opened in 1889. The canal was opened in 1914.",
        ),
        (
            "In 2020 sales were 55. In 2021 sales were 40.",
            "In 2020 sales were 40. In 2021 sales were 55.",
            "In 2020 sales were 40. In 2021 sales were 55.",
        ),
        (
            "Children take 10 ml three times a day.",
            "Adults take 10 ml, children 5 ml three times a day.",
            "Children take 5 ml three times a day.",
        ),
        (
            "She worked there from 1990 to 1999.",
            "She worked there from 1990 to 1995.",
            "She worked there from 1990 to 1995.",
        ),
        (
            "The tower was opened in 1887.",
            "The tower was begun in 1887 and opened in 1889.",
            "The tower was opened in 1889.",
        ),
    ],
)
def test_an_edit_that_the_evidence_bears_out_is_made(draft, document, response):
    corrected = correct_draft(draft=draft, documents=[document]).response
    assert corrected == response
    labels = {verdict.label for verdict in check(draft=corrected, documents=[document]).verdicts}
    assert labels == {"supported"}


@pytest.mark.parametrize(
    ("claims", "documents", "count"),
    [
        (["The mill opened in 1935."], ["The mill opened in 1931."], 1),
        (
            ["The mill opened in 1935."],
            ["The mill opened in 1931.", "The mill opened in 1934."],
            0,
        ),
        (["Store it above 30 °C."], ["Store the glue below 30 °C."], 1),
        (
            ["The mill opened in 1935.", "The mill opened in 1931."],
            ["The mill opened in 1931."],
            0,
        ),
    ],
)
def test_what_has_two_values_or_would_be_said_twice_is_left(claims, documents, count):
    made = [Claim(id=f"c{n}", text=text, start=0, end=9) for n, text in enumerate(claims)]
    given = [Document(id=f"d{n}", text=text) for n, text in enumerate(documents)]
    assert len(correct("", made, given)) == count


def test_no_fix_repeats_a_claim_that_stays():
    claims = [
        Claim(id=f"c{n}", text=f"The mill opened in {year}.", start=0, end=9)
        for n, year in enumerate((1935, 1931))
    ]
    documents = [Document(id="d1", text="The mill opened in 1931.")]
    assert correct("", claims[:1], documents, others=claims[1:]) == []
