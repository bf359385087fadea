"""What is written in another way: denials, numbers, dates, units, identifiers, letters.

A right text stays, whatever way it is written in; a near miss is never supported.
"""

from unicodedata import normalize

import pytest

from errata import check, correct
from example import rows


def label(draft, document):
    """The verdict on a draft of one claim by one document."""
    [verdict] = check(draft=draft, documents=[document]).verdicts
    return verdict.label


UNREFUTED = """
Women did not vote in the canton until 1971. | Women voted in the canton from 1971 on.
The winner was none other than Ada Moor. | The winner was Ada Moor.
Nobody but Ada Moor signed the treaty. | Only Ada Moor signed the treaty.
The roof cost no fewer than 300 euros. | The roof cost 300 euros.
The show was nothing short of a triumph. | The show was a triumph.
It is not untrue that the mayor resigned. | The mayor resigned in May.
Not only did Ada Moor paint the hall, she also built it. | Ada Moor painted the hall and built it.
The museum does not open until 9:30. | The museum opens at 9:30.
No members but the founders voted. | The founders voted.
The lake does not freeze except in January. | The lake freezes in January.
The pilot never flew without a map. | The pilot always flew with a map.
The law was not in force until 1990. | The law has been in force since 1990.
The plan is not without merit. | The plan has merit.
The king could not help but laugh. | The king laughed.
Not all members voted. | Some members did not vote.
The treaty was not signed by Chile. | Of the 12 states all but Chile signed the treaty.
The bank did not fail. | The state rescued the bank. Three other banks failed.
The ferry does not run on Mondays. | The ferry runs daily except Mondays.
Ada did not finish the race. | Ada gave up. Her sister finished the race in fourth place.
The team won 3 games. | The team played ten games: it lost five, drew two and won the rest.
Prices are higher in winter than in summer. | Summer prices are lower than winter prices.
No, tea was not sold in 1950. It was sold in 1899. | Tea was sold in 1899. | Was tea sold in 1950?
No, Ulm did not win in 1920; it won in 1889. | Ulm won in 1889. | Did Ulm win in 1920?
No, Ada Moor did not die in 1950 but in 1952. | Ada Moor died in 1952. | Did Ada Moor die in 1950?
"""
"""Right drafts, documents that say it otherwise, of something else or not, and the questions."""


@pytest.mark.parametrize("case", rows(UNREFUTED), ids=str)
def test_a_right_denial_or_comparison_stays(case):
    draft, document, *question = case
    result = correct(*question, draft=draft, documents=[document])
    assert (result.response, result.edits) == (draft, ())
    assert "refuted" not in {verdict.label for verdict in result.verdicts}


REFUTED = """
Dogs are not allowed there. | Dogs are allowed there all year.
The pool is heated. | The pool is not heated.
The cafe has no wifi. | The cafe has free wifi at all tables.
"""


@pytest.mark.parametrize(("draft", "document"), rows(REFUTED))
def test_a_plain_contradiction_by_denial_is_seen(draft, document):
    assert label(draft, document) == "refuted"


TABLE = "| of | said |\n|---|---|\n"
OPENED = "The bridge was opened in 1934 by the king. It has four piers."


@pytest.mark.parametrize(
    "draft",
    [
        "The bridge was opened in 1931. It has four piers. The bridge was opened in 1931.",
        "# Bridge\n\nThe bridge was opened in 1931.\n\nIn short, the bridge was opened in 1931.",
        "## The bridge was opened in 1931\n\nThe bridge was opened in 1931.",
        "The bridge was opened in 1931.\n\n- The bridge was opened in 1931.\n- It has four piers.",
        "**The bridge was opened in 1931.** It has four piers. It was opened in 1931.",
        2 * "The bridge was opened in 1931. "
        + f"\n\n{TABLE}| Skarvik | The bridge was opened in 1931. |",
    ],
)
def test_a_wrong_sentence_is_mended_wherever_the_draft_repeats_it(draft):
    assert correct(draft=draft, documents=[OPENED]).response == draft.replace("1931", "1934")


def test_a_fix_that_another_claim_already_says_is_not_made():
    draft = "The bridge was opened in 1931. The bridge was opened in 1934."
    assert correct(draft=draft, documents=[OPENED]).response == draft


SUPPORTED = """
In 1950 the town had 48,500 people. | In 1950 the town had 48 500 people and two schools.
In 1950 the town had 48,500 people. | In 1950 the town had 48\u2009500 people.
In 1950 the town had 48 500 people. | In 1950 the town had 48’500 people.
The city has 1,250,000 people. | The city has 1.250.000 people.
The city has 1.25 million people. | The city has 1 250 000 people.
The state has 12,500,000 voters. | The state has 1,25,00,000 voters.
The district has 350,000 voters. | The district has 3.5 lakh voters.
In 1950 500 people lived there. | In 1950, 500 people lived there.
The well is 3.5 km deep. | The well is 3,5 km deep.
The dam cost ₹25 crore. | The dam cost 250 million rupees.
The sample holds 1,000,000 cells. | The sample holds 10⁶ cells.
The sample holds 2.5 million cells. | The sample holds 2.5 × 10⁶ cells.
The Halden bridge was opened on March 4, 1934. | The Halden bridge was opened 1934-03-04.
The Halden bridge was opened on March 4, 1934. | The Halden bridge was opened 04 March 1934.
The show starts at noon. | The show starts at 12:00.
The show starts at 18:30. | The show starts at 6.30 p.m.
The train leaves at 17:05. | The train leaves at 17h05.
The hall cost $3 million. | The hall cost $3M.
The hall cost $3 million. | The hall cost 3,000,000 US dollars.
Ada Moor died on 7 June 1987. | Ada Moor died on 06/07/87 in Lund.
Ada Moor died on 1987/06/07. | Ada Moor died on June 7, 1987 in Lund.
The walker is 1.88 m tall. | The walker is 6 ft 2 in tall and weighs 80 kg.
The walker is 1.88 m tall. | The walker is 6'2" tall and weighs 80 kg.
The boxer weighs 72 kg. | The boxer weighs 11 st 5 lb.
The baby weighed 3.4 kg. | The baby weighed 7 pounds, 8 ounces.
The guard is 180 cm tall. | The guard stands 5-foot-11.
The book has the ISBN 9780306406157. | The book has the ISBN 978-0-306-40615-7.
The paper is doi:10.1038/nature12373. | The paper is https://doi.org/10.1038/nature12373.
The office's number is 020 7946 0958. | The office's number is 020-7946-0958.
The fix is in version 2.10.3. | The fix is in v2.10.3.
The account is DE89370400440532013000. | The account is DE89 3704 0044 0532 0130 00.
COVID-19 closed the school. | Covid-19 closed the school in 2020.
The twenty-one mills stood at -5 °C. | The twenty\u2011one mills stood at \u22125 °C.
The well-known mills stood at -5 °C. | The well\u2010known mills stood at \u22125 °C.
"""


@pytest.mark.parametrize(("draft", "document"), rows(SUPPORTED))
def test_what_is_written_in_another_way_is_supported(draft, document):
    assert label(draft, document) == "supported"


@pytest.mark.parametrize("date", ["03/04/1934", "04-Mar-34", "4-MAR-1934", "04.03.34"])
def test_a_date_holds_under_any_reading(date):
    document = f"The Halden bridge was opened on {date} by the king."
    draft = "The Halden bridge was opened on March 4, 1934."
    assert label(draft, document) == "supported"
    assert correct(draft=draft, documents=[document]).response == draft
    assert label(document, draft.replace("March 4, 1934", "4 March 1934, by the king")) != "refuted"


NEAR_MISSES = """
The paper is arXiv:2410.15667. | The paper is arXiv:2410.15676.
The book has the ISBN 978-0-306-40651-7. | The book has the ISBN 978-0-306-40615-7.
The paper is doi:10.1038/nature12337. | The paper is https://doi.org/10.1038/nature12373.
The office's number is +44 20 7946 0985. | The office's number is +44 20 7946 0958.
Call 555-0198 for help. | Call 555-0189 for help.
The fix is in version 3.1. | The fix is in version 3.12.
The account is DE89 3704 0044 0532 0130 01. | The account is DE89 3704 0044 0532 0130 00.
The rule is in RFC 2618. | The rule is in RFC 2616.
Write to info@halden.org for help. | Write to info@haldon.org for help.
The page is https://halden.org/bridges. | The page is https://halden.org/bridge.
The flight is LH 454. | The flight is LH 445.
The server is 192.168.100.201. | The server is 192.168.100.210.
Python 3.1 added the syntax. | The syntax was added in Python 3.12.
Her number is +41795551234. | Her number is +41 79 555 12 43.
The canton has 730 people. | The canton has 730'000 people.
In 1950 the town had 500 people. | In 1950 the town had 48 500 people.
The town has 12,500,000 voters. | The town has 1,52,00,000 voters.
The show starts at 7:30 pm. | The show starts at 18.30.
The walker is 1.98 m tall. | The walker is 6 ft 2 in tall.
The sample holds 10⁷ cells. | The sample holds 10⁶ cells.
The dose is 20 mg twice a day. | Take 20 mg once a day.
Interest is paid twice a year. | Interest is paid once a year.
Up to 5 guests may stay. | At least 5 guests must stay.
"""


@pytest.mark.parametrize(("draft", "document"), rows(NEAR_MISSES))
def test_a_near_miss_is_never_supported(draft, document):
    assert label(draft, document) != "supported"


OPEN_READINGS = """
In 1950 500 people lived there. | In 1950 500 people lived there and two cats.
The guests had the rooms 12 and 345. | The guests had the rooms 12 345.
The lecture begins at 6:30. | The lecture begins at 18:30.
The host has 1.25 litres of milk. | The host has 1.250 litres of milk.
The war ended in November 1918. | The war ended in late 1918.
"""


@pytest.mark.parametrize(("draft", "document"), rows(OPEN_READINGS))
def test_a_value_whose_reading_is_open_refutes_nothing(draft, document):
    assert label(draft, document) != "refuted"


BORN = "Renée Søndergård was born in Malmö in {} near the Åse ferry."
FULL = str.maketrans("0123456789", "０１２３４５６７８９")


@pytest.mark.parametrize(
    "write",
    [
        lambda text: normalize("NFD", text),
        lambda text: text.replace("Malmö in", "Malmö\u00a0in").replace(" near", "\u202fnear"),
        lambda text: text.replace("Malmö", "Mal\u00admö").replace("born", "bo\u00adrn"),
        lambda text: text.replace("Søndergård", "Sønder\u200bgård").replace("ferry", "fer\u2060ry"),
        lambda text: text.translate(FULL),
        lambda text: f"\ufeff{text}",
    ],
    ids=["decomposed", "spaces", "soft hyphens", "zero width", "full width", "mark"],
)
def test_letters_are_one_text_in_any_encoding(write):
    false, true = (BORN.format(year) for year in ("1934", "1931"))
    assert label(write(true), true) == label(true, write(true)) == "supported"
    for draft, document in ((write(false), true), (false, write(true)), (write(false),) * 2):
        result = correct(draft=draft, documents=[document])
        made = [(edit.start, edit.before, edit.after) for edit in result.edits]
        if document == draft:
            assert not made
            continue
        [(start, before, after)] = made
        assert normalize("NFKC", before) == "1934"
        assert (normalize("NFKC", after), draft[start : start + len(before)]) == ("1931", before)
        assert result.response == draft[:start] + after + draft[start + len(before) :]
