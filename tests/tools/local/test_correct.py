"""Claims corrected by local code."""

import pytest

from errata import check
from errata import correct as correct_draft
from errata.tools.local.correct import correct
from example import BIOGRAPHY, CLAIMS, QUESTION, before_and_after, claims_of, pages_of


def mend(marked, *pages, question="", weights=""):
    """The corrections of a marked claim, which are to be one if it has a mark, else none."""
    claim, corrected = before_and_after(marked)
    fixes = correct(question, claims_of(claim), pages, weights)
    assert [fix.text for fix in fixes] == [corrected] * (claim != corrected)
    return fixes


@pytest.mark.parametrize(
    "marked",
    [
        "Marie Curie was born on 7 November {1865=>1867}.",
        "She was born on {March 2, 1869=>November 7, 1867}.",
        "Marie Curie died in {1935=>1934}.",
        "She was born in {Krakow=>Warsaw}.",
        "Marie Curie married Pierre Curie in {1897=>1895}.",
        "Marie Curie was born on 7 November 1867.",
        "Marie Curie was elected mayor of Lyon in 1911.",
        "Marie Curie lived in Paris until 1920.",
        "Pierre Curie was born in 1858.",
        "She met Albert Einstein.",
    ],
)
def test_what_a_biography_clearly_contradicts_is_corrected_with_a_quote(marked):
    for fix in mend(marked, BIOGRAPHY, question=QUESTION):
        [quote, *_] = fix.evidence
        assert BIOGRAPHY.text[quote.start : quote.end] == quote.text
        assert "the evidence says" in fix.explanation


def test_inconsistent_evidence_corrects_nothing():
    [other] = pages_of("Marie Curie (born 8 May 1870 – died 4 July 1934) was a physicist.")
    mend(CLAIMS[0], BIOGRAPHY, other, question=QUESTION)


@pytest.mark.parametrize("weights", ["", "lexical"])
@pytest.mark.parametrize(
    "marked",
    [
        "The lock may {never =>}be used at night.",
        "The lift {raises=>lowers} the boats.",
        "The tower is {taller=>shorter} than the church.",
        "The council {rejected=>approved} the plan.",
        "{Pixar bought Disney=>Disney bought Pixar} in 2006.",
        "The {guest must pay the host=>host must pay the guest}.",
    ],
)
def test_denials_opposites_and_roles_are_mended(marked, weights):
    mend(marked, *pages_of(before_and_after(marked)[1]), weights=weights)


def test_a_gap_is_filled_by_what_the_evidence_has_if_an_encoder_reads_it():
    pages = pages_of("The prize was won by Tomas Voss.")
    mend("The prize was won by {Ilse Brandt=>Tomas Voss}.", *pages)
    mend("The prize was won by Ilse Brandt.", *pages, weights="lexical")


@pytest.mark.parametrize(
    ("marked", "pages"),
    [
        ("The ferry runs every Friday.", ["The ferry runs every Friday."]),
        ("The fair was in 2012.", ["The fair was in 2011. The fair was also held in 2012."]),
        ("The mill was built by Ada Moor.", ["Swans nest on the island in spring."]),
        ("The club admits dogs.", ["The club was founded by Ada Moor."]),
        ("Tankers may use the locks at night.", ["Tankers may not use the locks at night."]),
        ("The mill opened in {1935=>1931}.", ["The mill opened in 1931."]),
        ("The mill opened in 1935.", ["The mill opened in 1931.", "The mill opened in 1934."]),
        ("The mill opened in {1962=>1931}.", ["The mill opened on 3 May 1931."]),
        ("Store it {above=>below} 30 °C.", ["Store the glue below 30 °C."]),
        ("Guests may {not =>}bring dogs to the hall.", ["Guests may bring dogs to the hall."]),
    ],
)
def test_what_is_right_open_of_two_values_or_not_clearly_better_is_left(marked, pages):
    mend(marked, *pages_of(*pages))


def test_no_fix_says_what_another_claim_says():
    false, true = claims_of("The mill opened in 1935.", "The mill opened in 1931.")
    pages = pages_of("The mill opened in 1931.")
    assert correct("", [false, true], pages) == []
    assert correct("", [false], pages, others=[true]) == []


DOSES = "Adults take 10 ml, children 5 ml three times a day."
CAPITALS = "Paris is the capital of France. Rome is the capital of Italy."
SISTERS = (
    "Anna Berg was born in Oslo in 1950. Her sister Karin was born in Bergen in 1953. "
    "They wrote books."
)
STAFF = "The firm had 150 employees in 2021 and 90 in 2022."
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
    ("draft", "document", "label"),
    [
        ("Adults take 10 ml three times a day.", DOSES, "supported"),
        ("The bridge was not opened in 1934.", "The bridge was opened in 1931.", "supported"),
        ("The firm is not based in Berlin.", "The firm is based in Munich.", "supported"),
        ("The road is not 12 km long.", "The road is 9 km long.", "supported"),
        ("The report is inaccurate.", "The report is not accurate.", "supported"),
        ("He is unable to swim.", "He is not able to swim.", "supported"),
        ("The firm had 90 employees in 2022.", STAFF, "supported"),
        ("The firm had 90 employees in 2021.", STAFF, "refuted"),
        ("The water is 86 °F warm.", "The water is 30 °C warm.", "supported"),
        ("In 2021 sales were 55.", "In 2020 sales were 40. In 2021 sales were 55.", "supported"),
        ("In 2020 sales were 55.", "year,sales\n2020,40\n2021,55\n", "refuted"),
    ],
)
def test_a_value_is_judged_by_what_it_belongs_to(draft, document, label):
    [verdict] = check(draft=draft, documents=[document]).verdicts
    assert verdict.label == label


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
