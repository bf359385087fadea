"""What local code refutes, supports and mends: examples through the public face."""

import pytest

from errata import check, correct
from example import BIOGRAPHY, QUESTION, before_and_after, rows

CANAL = (
    "The Orlen canal is 12 kilometres long and was dug by Swedish engineers. "
    "Its locks raise ships by 40 metres. "
    "The canal cost 3.5 million euros. It was opened after the war. "
    "Tankers may not use the locks at night. "
    "In the final of the canal race Brant defeated Holm."
)
CLUB = "The club has 40 members in Leeds. The club has 310 members in all."
DOSES = "Adults take 10 ml, children 5 ml three times a day."
EINSTEIN = "Albert Einstein (14 March 1879 – 18 April 1955) was a theoretical physicist."
LINCOLN = "Abraham Lincoln (February 12, 1809 – April 15, 1865) was the 16th president."
MILLS = (
    "The old mill of Arnsby was closed in 1931. The sawmill was closed in 1962. "
    "The mill pond has 900 fish. The harbour basin has 2,400 fish."
)
SISTERS = (
    "Anna Berg was born in Oslo in 1950. Her sister Karin was born in Bergen in 1953. "
    "They wrote books."
)
STAFF = "The firm had 150 employees in 2021 and 90 in 2022."
LAMPS = "Lumio makes lamps. Its founders are Mara Voss and Tarek Haddad."


@pytest.mark.parametrize(
    ("draft", "document", "label"),
    [
        ("The canal is 120 kilometres long.", CANAL, "refuted"),
        ("The canal is 12 metres long.", CANAL, "disputed"),
        ("Albert Einstein was born in 1889.", EINSTEIN, "refuted"),
        ("Albert Einstein was born on 18 April 1955.", EINSTEIN, "refuted"),
        ("Albert Einstein was born in March 1879.", EINSTEIN, "supported"),
        ("In 2020 sales were 55.", "year,sales\n2020,40\n2021,55\n", "not_mentioned"),
        ("The shop opens at 7:30 am.", "The shop opens at 8:30.", "refuted"),
        ("The firm had 90 employees in 2021.", STAFF, "disputed"),
        ("The canal is 12,000 metres long.", CANAL, "supported"),
        ("The sawmill was closed in 1962.", MILLS, "supported"),
        ("The water is 86 °F warm.", "The water is 30 °C warm.", "supported"),
    ],
)
def test_a_value_is_judged_by_what_it_belongs_to(draft, document, label):
    [verdict] = check(draft=draft, documents=[document]).verdicts
    assert verdict.label == label


@pytest.mark.parametrize(
    ("draft", "document"),
    [
        ("The tunnel is 120 kilometres long.", CANAL),
        ("The canal has 40 bridges.", CANAL),
        ("Mary Todd Lincoln was born in 1817.", LINCOLN),
        ("Einstein was born in the 1870s.", EINSTEIN),
        ("Ann Lee was born around 1880.", "Ann Lee (1879 – 1950) was a painter."),
        ("Ann Lee was born in 1880.", "Ann Lee (1850 – 1880) was, others say, born in 1880."),
        ("Ann Lee died in 1900.", "Ann Lee (mayor 1900 – 1910) never left Arnsby."),
        ("Albert Einstein's sister was born in 1881.", EINSTEIN),
        ("Albert Einstein was born in Ulm and moved to Munich in 1880.", EINSTEIN),
        ("Ida Rohn won the cup in 1962.", "Ida Rohn won the cup in 1962. She won it in 1965."),
        ("Voyager 1 was launched in 1977.", "Voyager 3 was launched in 1981."),
        ("Holm is older than Berg.", "Berg is younger than Holm."),
        ("Holm beat Berg.", "Berg beat Holm in 2002. In 2014 Holm beat Berg."),
        ("Ada Lind wrote High Tide.", "Olav Brandt wrote High Tide with Ada Lind."),
        ("Voss married Quinn.", "Quinn married Voss."),
        ("The hall seats 25 people.", "The hall seats up to 30 people."),
    ],
)
def test_what_is_true_or_open_or_another_event_is_not_refuted(draft, document):
    assert check(draft=draft, documents=[document]).label != "refuted"


@pytest.mark.parametrize(
    "marked",
    [
        "Marie Curie was born on 7 November {1865=>1867}.",
        "Marie Curie was born on {March 2, 1869=>November 7, 1867}.",
        "Marie Curie died in {1935=>1934}.",
        "Marie Curie married Pierre Curie in {1897=>1895}.",
        "Marie Curie was elected mayor of Lyon in 1911.",
        "Pierre Curie was born in 1858.",
    ],
)
def test_what_a_biography_clearly_contradicts_is_corrected_with_a_quote(marked):
    draft, response = before_and_after(marked)
    result = correct(QUESTION, draft, documents=[BIOGRAPHY])
    assert result.response == response
    for edit in result.edits:
        [quote, *_] = edit.evidence
        assert BIOGRAPHY.text[quote.start : quote.end] == quote.text
        assert "the evidence says" in edit.explanation


@pytest.mark.parametrize(
    "marked",
    [
        "The council {rejected=>approved} the plan.",
        "The glass wing opened in {2010=>2014}.",
        "The Arden Club has {400=>40} members.",
        "The tower was opened in {1899=>1889}. The canal was opened in {1920=>1914}.",
        "She worked there from 1990 to {1999=>1995}.",
    ],
)
def test_what_the_evidence_has_in_its_place_replaces_what_is_wrong(marked):
    draft, response = before_and_after(marked)
    assert correct(draft=draft, documents=[response]).response == response
    assert check(draft=response, documents=[response]).label == "supported"


UNCHANGED = """
Nurses earn 30 euros an hour. | Nurses earn 30 euros, doctors 60 euros an hour.
Sales rose by 15 units. | Sales rose from 40 units in 2020 to 55 units in 2021.
The mayor didn't resign. | The mayor refused to resign.
The gallery opened in 1935. | The gallery opened in 1931. | The gallery opened in 1934.
The bridge was not opened in 1934. | The bridge was opened in 1931.
The fair was in 2012. | The fair was in 2011. The fair was also held in 2012.
The mill was built by Ada Moor. | Swans nest on the island in spring.
Tankers may use the locks at night. | Tankers may not use the locks at night.
The mill opened in 1935. The mill opened in 1931. | The mill opened in 1931.
The firm is not based in Berlin. | The firm is based in Munich.
The road is not 12 km long. | The road is 9 km long.
"""
"""Drafts and what documents say."""


@pytest.mark.parametrize(
    "texts",
    [
        ["Adults take 10 ml three times a day.", DOSES],
        ["Lumio was founded by Paul Ames.", LAMPS],
        ["Karin was born in Oslo in 1950.", SISTERS],
        *rows(UNCHANGED),
    ],
    ids=str,
)
def test_an_edit_that_could_harm_is_not_made(texts):
    draft, *documents = texts
    assert correct(draft=draft, documents=documents).response == draft
