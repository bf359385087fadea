"""A rewriting may mend, but not lose what is supported or add what is not."""

import pytest

from errata.edits import apply_edits, diff
from errata.records import Document, Fix
from errata.tools.local.extract import extract
from errata.tools.local.guard import guard as guard_edits

QUESTION = "Who was Marie Curie?"
DRAFT = "Marie Curie was born in 1865. She was a French physicist. She kept bees."
PAGE = Document(
    id="d", text="Marie Curie (born 7 November 1867) was a French physicist. She lived in Paris."
)
FIX = Fix(claim="c1", text="Marie Curie was born in 1867.")


def guard(revised):
    claims = extract(QUESTION, DRAFT)
    edits, notes = guard_edits(QUESTION, DRAFT, diff(DRAFT, revised), claims, [FIX], [PAGE])
    return apply_edits(DRAFT, edits), notes


@pytest.mark.parametrize(
    "revised",
    [
        DRAFT.replace("1865", "1867"),
        DRAFT.replace("1865", "1867").replace(" She kept bees.", ""),
        DRAFT.replace("a French physicist", "a French physicist, and lived in Paris"),
        DRAFT,
    ],
)
def test_what_mends_stays(revised):
    assert guard(revised) == (revised, [])


@pytest.mark.parametrize(
    ("revised", "kept", "said"),
    [
        (
            "Marie Curie was born in 1867. She kept bees.",
            DRAFT,
            "takes out what the documents support",
        ),
        (
            DRAFT.replace("1865", "1867").replace("physicist.", "physicist from Brazil."),
            DRAFT.replace("1865", "1867"),
            "adds 'brazil'",
        ),
        (DRAFT.replace("1865", "1866"), DRAFT, "adds '1866'"),
        (DRAFT + " She won the lottery in 1999.", DRAFT, "adds"),
    ],
)
def test_what_harms_goes(revised, kept, said):
    response, notes = guard(revised)
    assert response == kept
    assert said in notes[0]
