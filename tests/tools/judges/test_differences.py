"""Where a strip says otherwise than a claim, as far as that can be told exactly."""

import pytest

from errata.core.records import Document
from errata.tools.judges.differences import compare
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence, read_claim
from errata.tools.judges.meanings import find_exchange
from errata.tools.judges.values import as_stated
from errata.tools.judges.verifier import verify
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import split_strips
from example import claims_of, pages_of


def differences(claim, page, question=""):
    """Where a page says otherwise than a claim."""
    evidence = collect_evidence(topic_stems(question), pages_of(page))
    return compare(read_claim(claim, question), evidence).differences


CANAL = (
    "The Orlen canal is 12 kilometres long and was dug by Swedish engineers. "
    "Its locks raise ships by 40 metres. "
    "The canal cost 3.5 million euros. It was opened after the war. "
    "Tankers may not use the locks at night. "
    "In the final of the canal race Brant defeated Holm."
)
MILLS = (
    "The old mill of Arnsby was closed in 1931. The sawmill was closed in 1962. "
    "The mill pond has 900 fish. The harbour basin has 2,400 fish."
)


CLUB = "The club has 40 members in Leeds. The club has 310 members in all."
STALLS = "There are nine stalls in the hall and five in the yard."


@pytest.mark.parametrize(
    ("kind", "claim", "page", "stated"),
    [
        ("quantity", "The canal is 120 kilometres long.", CANAL, "12 kilometres"),
        ("quantity", "The mill pond has 2,400 fish.", MILLS, "900"),
        ("quantity", "The club has 240 members.", CLUB, "40"),
        ("scale", "The canal is 12 metres long.", CANAL, "12 kilometres"),
        ("scale", "The canal cost 3.5 billion euros.", CANAL, "3.5 million euros"),
        ("scale", "The load was 5 g of salt.", "The load was 5 kg of salt.", "5 kg"),
        ("opposite", "Its locks lower ships by 40 metres.", CANAL, "raise"),
        ("negation", "Tankers may use the locks at night.", CANAL, "denies"),
        ("date", "The old mill of Arnsby was closed in 1962.", MILLS, "1931"),
        ("time", "The shop opens at 7:30 am.", "The shop opens at 8:30.", "8:30"),
        ("time", "The shop opens at 7 am.", "The shop opens at 7 pm.", "7 pm"),
        ("place", "The yard has nine stalls.", STALLS, "five"),
        (
            "place",
            "Ada Lind studied art in Lund.",
            "Ada Lind studied art in Umea and law in Lund.",
            "",
        ),
    ],
)
def test_a_claim_that_differs_is_refuted_with_the_strip(kind, claim, page, stated):
    found = differences(claim, page)
    assert kind in [each.kind for each in found]
    assert stated in found[0].explanation
    for weights in ("", "lexical"):
        [verdict] = verify("", claims_of(claim), pages_of(page), weights)
        assert (verdict.label, verdict.score <= 0.1) == ("refuted", True)
        assert verdict.evidence[0].text in page


TRUE_OR_OPEN = """
The canal is 12,000 metres long. | The canal is 12 , 000 metres long.
The canal is about 12.2 km long. | The canal is over ten kilometres long.
Its locks raise ships by 40 m. | Tankers may not use the locks at night.
The canal cost three and a half million euros. | The canal was opened after the war.
Brant defeated Holm in the final of the canal race. | The canal has 40 bridges.
Holm was defeated by Brant in the final of the canal race.
The tunnel is 120 kilometres long. | Tankers may use the harbour at night.
The canal was painted before the war.
"""
WINS = "Ida Rohn won the cup in 1962. Ida Rohn won the cup in 1965. She won it in 1968."


@pytest.mark.parametrize(
    ("claim", "page"),
    [
        *((claim, CANAL) for claim in TRUE_OR_OPEN.strip().replace("\n", " | ").split(" | ")),
        ("The sawmill was closed in 1962.", MILLS),
        ("The harbour basin has 2,400 fish.", MILLS),
        ("The club has 310 members.", CLUB),
        ("Ida Rohn won the cup in 1962.", WINS),
        ("Ida Rohn won the cup in 1968.", WINS),
        ("The shop opens at 7:30 pm.", "The shop opens at 19:30."),
        ("The shop opens on Wednesday.", "The shop opens from Tuesday to Sunday."),
        ("The trip takes 90 minutes.", "The trip takes 1 hour 30 minutes."),
        ("The mill opened in the 1930s.", "The mill opened in 1937."),
        ("Ada Lind joined the firm in 1994.", "Ada Lind left the firm in 2001."),
        ("Voyager 1 was launched in 1977.", "Voyager 3 was launched in 1981."),
        ("The firm employs 90 people in all.", "The firm employs 60 people in Lund."),
        ("Holm is older than Berg.", "Berg is younger than Holm."),
        ("Holm beat Berg.", "Berg beat Holm in 2002. In 2014 Holm beat Berg."),
        ("Ada Lind wrote High Tide.", "Olav Brandt wrote High Tide with Ada Lind."),
        ("Most members voted.", "Some members abstained, but most voted."),
        ("The hall seats 25 people.", "The hall seats up to 30 people."),
        ("The chair is Ada Lind.", "The chair was Olav Brandt."),
    ],
)
def test_true_and_unmentioned_claims_and_other_events_do_not_differ(claim, page):
    assert differences(claim, page) == []


EINSTEIN = "Albert Einstein (14 March 1879 – 18 April 1955) was a theoretical physicist."
CURIE = "Marie Curie (7 November 1867 – 4 July 1934) was a physicist and chemist."
TURING = "Alan Mathison Turing (23 June 1912 – 7 June 1954) was an English mathematician."
LINCOLN = "Abraham Lincoln (February 12, 1809 – April 15, 1865) was the 16th president."
DARWIN = "Charles Darwin (12 February 1809 – 19 April 1882) was a grandson of Erasmus Darwin."
EIFFEL = "The Eiffel Tower was opened in 1889. It is a tower in Paris."


@pytest.mark.parametrize(
    ("question", "claim", "page", "stated"),
    [
        ("When was Einstein born?", "Albert Einstein was born in 1889.", EINSTEIN, "1879"),
        ("When was Curie born?", "Marie Curie was born in 1877.", CURIE, "1867"),
        ("When did Turing die?", "Alan Turing died in 1964.", TURING, "1954"),
        ("When was Albert Einstein born?", "Albert Einstein was born in 1889.", EINSTEIN, "1879"),
        ("When was Lincoln born?", "Mary Todd Lincoln was born in 1817.", LINCOLN, None),
        ("When was Darwin born?", "Erasmus Darwin was born in 1731.", DARWIN, None),
        ("When was Eiffel born?", "Gustave Eiffel was born in 1832.", EIFFEL, None),
        ("When was Einstein born?", "Einstein was born in the 1870s.", EINSTEIN, None),
        (
            "When was Einstein born?",
            "The year of Einstein's birth was 1870 or later.",
            EINSTEIN,
            None,
        ),
    ],
)
def test_life_dates_differ_but_for_namesakes_decades_and_open_years(question, claim, page, stated):
    found = {each.stated for each in differences(claim, page, question) if each.kind == "life"}
    assert [stated in each for each in found] == [True] * bool(stated)


@pytest.mark.parametrize(
    ("claim", "evidence", "written"),
    [
        ("Ora is 1.12 km up.", "Ora lies 1,120 metres up.", "Ora is 1,120 metres up."),
        ("Ora has about 2,700 homes.", "Ora has 2,678 homes.", "Ora has 2,678 homes."),
        ("Ora has 3 bridges.", "Ora has three bridges.", "Ora has three bridges."),
        ("Ora paid $2 million.", "Ora paid 2,000,000 dollars.", "Ora paid 2,000,000 dollars."),
        ("Ora fell on 1961-08-13.", "Ora fell on 13 August 1961.", "Ora fell on 13 August 1961."),
        ("Ora fell in May 1961.", "Ora fell on 4 May 1961.", "Ora fell in 4 May 1961."),
        ("Ora fell on 4 May 1961.", "Ora fell in May 1961.", "Ora fell on 4 May 1961."),
        ("Ora has 3 bridges.", "Ora has 3 mills and four bridges.", "Ora has 3 bridges."),
        ("Ora has 9 km of canals.", "Ora has 9 m of canals.", "Ora has 9 km of canals."),
        ("Ora takes at most 4 GB.", "Ora takes at most 4 MB.", "Ora takes at most 4 GB."),
        ("Ora is old.", "Ora was built in 1204.", "Ora is old."),
    ],
)
def test_a_value_is_written_as_in_the_strip_that_bears_it_out(claim, evidence, written):
    strips = Evidence(split_strips(Document(text=evidence)))
    assert as_stated(Reading(claim), strips).text == written


@pytest.mark.parametrize(
    ("claim", "strip", "is_exchange"),
    [
        ("Pixar bought Disney.", "In 2006 Disney bought Pixar for 7 billion dollars.", True),
        ("Ilse Voss taught Omar Quinn.", "Omar Quinn taught Ilse Voss at Harwick.", True),
        ("Voss sued Quinn.", "Ilse Voss was sued by Omar Quinn.", True),
        ("The guest must pay the host.", "The host shall pay the guest 9 euros.", True),
        ("Moss was defeated by Harwick.", "Moss defeated Harwick 3-1 in the final.", True),
        ("Disney bought Pixar.", "In 2006 Disney bought Pixar.", False),
        ("Pixar was bought by Disney.", "In 2006 Disney bought Pixar.", False),
        ("Pixar bought Disney.", "Disney bought Lumen, and Pixar bought Harwick.", False),
        ("Voss married Quinn.", "Quinn married Voss.", False),
        ("Voss met Quinn in Ash.", "Quinn met Voss in Ash.", False),
        ("The mill was described in five letters.", "Five letters described the mill.", False),
        ("Voss wrote to the court.", "The court wrote a letter.", False),
        ("Harwick hired her in 2017.", "In 2017, Voss hired for Harwick a crew.", False),
        ("Voss was hired by Harwick.", "Voss hired with Harwick.", False),
        ("Voss sang.", "", False),
    ],
)
def test_exchanged_sides_are_found_unless_it_holds_both_ways(claim, strip, is_exchange):
    assert bool(find_exchange(claim, strip)) == is_exchange
