"""Where a strip says what a claim says, and where it only has the claim's words."""

import pytest

from errata.records import Document
from errata.tools.judges.evidence import Evidence, Reading, collect_evidence
from errata.tools.judges.statements import find_statement
from errata.tools.text.strips import split_strips


def is_stated(claim, text):
    evidence = Evidence(split_strips(Document(id="d1", text=text)))
    return find_statement(Reading(claim), evidence) is not None


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Greta Holm was a doctor.", "Greta Holm was a physician in Umea."),
        ("Greta Holm never married.", "Greta Holm never married and kept bees."),
        ("The hut is 4 metres wide.", "The hut is 9 metres long and 4 metres wide."),
        ("Greta Holm died in 1902.", "Greta Holm kept bees. She died in 1902."),
        ("The ferry may carry horses.", "The ferry may carry horses on Sundays."),
    ],
)
def test_the_words_of_a_claim_in_order_are_a_statement(claim, text):
    assert is_stated(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Greta Holm was a smith.", "Greta Holm's father was a smith."),
        ("Greta Holm died in 1902.", "Greta Holm met Jonas Berg, who died in 1902."),
        ("The pills slow the disease.", "The pills might slow the disease."),
        ("The mill opened in 1911.", "The mill opened in 1904, and the bakery in 1911."),
        ("The council sold the mill.", "The council planned to sell the mill."),
        ("The council sold the mill.", "The council never sold the mill."),
        ("The mill burned.", "The mill stood while the barn burned."),
        ("Greta Holm was mayor of Lund.", "Greta Holm was vice mayor of Lund."),
        ("Greta Holm died in 1902.", "The husband of Greta Holm died in 1902."),
        ("The pills cure gout.", "Do the pills cure gout?"),
        ("All members voted.", "All members but two voted."),
    ],
)
def test_what_is_taken_back_or_said_of_another_is_none(claim, text):
    assert not is_stated(claim, text)


@pytest.mark.parametrize(
    ("claim", "stated"),
    [
        ("The novel High Tide has 90 pages.", False),
        ("High Tide has 90 pages.", True),
    ],
)
def test_of_two_namesakes_only_the_one_that_the_claim_means_counts(claim, stated):
    documents = [
        Document(id="d1", title="High Tide (novel)", text="High Tide has 310 pages."),
        Document(id="d2", title="High Tide (play)", text="High Tide has 90 pages."),
    ]
    evidence = collect_evidence(frozenset(), documents)
    assert (find_statement(Reading(claim), evidence) is not None) == stated
