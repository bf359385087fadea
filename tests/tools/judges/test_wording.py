"""Claims with their values as the evidence writes them."""

import pytest

from errata.core.records import Document
from errata.tools.judges.evidence import Evidence, Reading
from errata.tools.judges.wording import as_stated
from errata.tools.text.strips import split_strips


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
