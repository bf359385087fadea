"""Where a strip says otherwise than a claim, as far as that can be told exactly."""

import pytest

from errata.core.records import Claim, Document
from errata.tools.judges.differences import compare
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence, read_claim
from errata.tools.judges.meanings import find_exchange
from errata.tools.judges.values import as_stated
from errata.tools.judges.verifier import verify
from errata.tools.local.correct import correct
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import split_strips

PAGE = (
    "The Orlen canal is 12 kilometres long and was dug by Swedish engineers. "
    "Its locks raise ships by 40 metres. "
    "The canal cost 3.5 million euros. It was opened after the war. "
    "Tankers may not use the locks at night. "
    "In the final of the canal race Brant defeated Holm."
)
FALSE = [
    ("quantity", "The canal is 120 kilometres long.", "12 kilometres"),
    ("scale", "The canal is 12 metres long.", "12 kilometres"),
    ("scale", "The canal cost 3.5 billion euros.", "3.5 million euros"),
    ("opposite", "Its locks lower ships by 40 metres.", "raise"),
    ("negation", "Tankers may use the locks at night.", ""),
]
TRUE = [
    "The canal is 12,000 metres long.",
    "The canal is about 12.2 km long.",
    "The canal is over ten kilometres long.",
    "The canal cost three and a half million euros.",
    "Its locks raise ships by 40 m.",
    "The canal is 12 , 000 metres long.",
    "The canal was opened after the war.",
    "Tankers may not use the locks at night.",
    "Brant defeated Holm in the final of the canal race.",
    "Holm was defeated by Brant in the final of the canal race.",
]
LEFT_OPEN = [
    "The canal has 40 bridges.",
    "The tunnel is 120 kilometres long.",
    "Tankers may use the harbour at night.",
    "The canal was painted before the war.",
]


@pytest.fixture
def differences():
    """The differences between a claim and the page."""
    evidence = collect_evidence(frozenset(), [Document(id="d1", text=PAGE)])
    return lambda claim: compare(read_claim(claim, ""), evidence).differences


@pytest.mark.parametrize(("kind", "claim", "stated"), FALSE)
def test_a_false_claim_differs_in_what_is_false(differences, kind, claim, stated):
    found = differences(claim)
    assert [difference.kind for difference in found] == [kind]
    assert stated in found[0].explanation


@pytest.mark.parametrize("claim", [*TRUE, *LEFT_OPEN])
def test_true_and_unmentioned_claims_do_not_differ(differences, claim):
    assert differences(claim) == []


@pytest.mark.parametrize("weights", ["", "lexical"])
@pytest.mark.parametrize(("kind", "claim", "stated"), FALSE)
def test_a_claim_that_differs_is_refuted_with_the_strip(weights, kind, claim, stated):
    claims = [Claim(id="c1", text=claim, start=0, end=len(claim))]
    documents = [Document(id="d1", text=PAGE)]
    [verdict] = verify("", claims, documents, weights)
    assert (verdict.label, verdict.score <= 0.1) == ("refuted", True)
    assert verdict.evidence[0].text in PAGE
    fixes = correct("", claims, documents, weights)
    if kind == "negation":
        assert fixes == []
    else:
        assert stated in fixes[0].text


def test_what_is_stated_elsewhere_is_no_difference():
    page = "The club has 40 members in Leeds. The club has 310 members in all."
    evidence = collect_evidence(frozenset(), [Document(id="d1", text=page)])
    assert compare(read_claim("The club has 310 members.", ""), evidence).differences == []
    [found] = compare(read_claim("The club has 240 members.", ""), evidence).differences[:1]
    assert (found.claimed, found.kind) == ("240", "quantity")


MILLS = (
    "The old mill of Arnsby was closed in 1931. The sawmill was closed in 1962. "
    "The mill pond has 900 fish. The harbour basin has 2,400 fish."
)


@pytest.mark.parametrize(
    ("claim", "differs"),
    [
        ("The old mill of Arnsby was closed in 1962.", True),
        ("The mill pond has 2,400 fish.", True),
        ("The sawmill was closed in 1962.", False),
        ("The harbour basin has 2,400 fish.", False),
    ],
)
def test_a_value_counts_where_it_stands(claim, differs):
    evidence = collect_evidence(frozenset(), [Document(id="d1", text=MILLS)])
    assert bool(compare(read_claim(claim, ""), evidence).differences) == differs


def test_a_value_of_the_same_thing_counts_everywhere():
    text = "Ida Rohn won the cup in 1962. Ida Rohn won the cup in 1965. She won it in 1968."
    evidence = collect_evidence(frozenset(), [Document(id="d1", text=text)])
    for year in (1962, 1965, 1968):
        assert not compare(read_claim(f"Ida Rohn won the cup in {year}.", ""), evidence).differences


def test_a_year_is_replaced_by_a_year():
    page = Document(id="d1", text="The old mill of Arnsby was closed on 3 May 1931.")
    claim = Claim(id="c1", text="The old mill of Arnsby was closed in 1962.", start=0, end=43)
    [fix] = correct("", [claim], [page])
    assert fix.text == "The old mill of Arnsby was closed in 1931."


@pytest.mark.parametrize(
    ("text", "page", "mended"),
    [
        (
            "Guests may not bring dogs to the hall.",
            "Guests may bring dogs to the hall.",
            "Guests may bring dogs to the hall.",
        ),
    ],
)
def test_a_denial_is_mended(text, page, mended):
    claim = Claim(id="c1", text=text, start=0, end=len(text))
    fixes = correct("", [claim], [Document(id="d1", text=page)])
    assert [fix.text for fix in fixes] == [mended]


@pytest.mark.parametrize(
    ("kind", "claim", "text"),
    [
        ("time", "The shop opens at 7:30 am.", "The shop opens at 8:30."),
        ("time", "The shop opens at 7 am.", "The shop opens at 7 pm."),
        (
            "place",
            "The yard has nine stalls.",
            "There are nine stalls in the hall and five in the yard.",
        ),
        ("place", "Ada Lind studied art in Lund.", "Ada Lind studied art in Umea and law in Lund."),
        ("scale", "The load was 5 g of salt.", "The load was 5 kg of salt."),
    ],
)
def test_each_kind_of_difference_is_found(kind, claim, text):
    evidence = collect_evidence(frozenset(), [Document(id="d1", text=text)])
    kinds = [found.kind for found in compare(read_claim(claim, ""), evidence).differences]
    assert kind in kinds


@pytest.mark.parametrize(
    ("claim", "text"),
    [
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
def test_other_events_ways_to_say_it_and_limits_are_no_differences(claim, text):
    evidence = collect_evidence(frozenset(), [Document(id="d1", text=text)])
    assert not compare(read_claim(claim, ""), evidence).differences


def test_true_claims_of_two_subjects_do_not_conflict():
    texts = ("The Eiffel Tower was opened in 1889.", "The Panama Canal was opened in 1914.")
    documents = [Document(id=f"d{place}", text=text) for place, text in enumerate(texts)]
    claims = [Claim(id=text, text=text, start=0, end=len(text)) for text in texts]
    assert [verdict.label for verdict in verify("", claims, documents)] == ["supported"] * 2


def test_a_change_that_two_values_come_to_is_not_refuted():
    claim = Claim(id="c1", text="Sales rose by 15 units.", start=0, end=23)
    page = Document(id="d1", text="Sales rose from 40 units in 2020 to 55 units in 2021.")
    [verdict] = verify("", [claim], [page])
    assert verdict.label in ("supported", "not_mentioned")


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
