"""Ages and spans that follow from the dates of the evidence."""

import pytest

from errata.records import Document
from errata.tools.judges.durations import compute_years
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.text.strips import split_strips

LIFE = (
    "Greta Holm (4 May 1850 – 2 April 1931) was a surveyor. She was appointed mayor on 1 June 1890."
)
BRIDGE = "Work on the bridge began in March 1901. The bridge was opened in July 1908."


def compute(claim, text):
    found = compute_years(Reading(claim), Evidence(split_strips(Document(id="d1", text=text))))
    return found and (found.holds, found.stated)


@pytest.mark.parametrize(
    ("claim", "text", "result"),
    [
        ("Greta Holm died at the age of 80.", LIFE, (True, "80")),
        ("Greta Holm lived to the age of 81.", LIFE, (False, "80")),
        ("Greta Holm was forty when she was appointed mayor.", LIFE, (True, "40")),
        ("Greta Holm was 39 when she was appointed mayor.", LIFE, (False, "40")),
        (
            "Seven years passed between the begin of work and the day the bridge was opened.",
            BRIDGE,
            (True, "7 years"),
        ),
        ("Greta Holm was forty when she moved to Lund.", LIFE, None),
        ("Greta Holm was tired when she was appointed mayor.", LIFE, None),
        ("The bridge is 40 metres long.", BRIDGE, None),
        ("Greta Holm kept bees for twelve years.", LIFE, None),
    ],
)
def test_years_are_counted_between_dates(claim, text, result):
    assert compute(claim, text) == result


@pytest.mark.parametrize("age", ["79", "80"])
def test_years_alone_leave_two_ages_open(age):
    text = "Jonas Berg was born in 1850. He died in 1930."
    assert compute(f"Jonas Berg died at the age of {age}.", text) == (True, "79 or 80")
