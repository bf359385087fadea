"""The guard drops edits that delete supported facts or add ungrounded ones."""

import pytest

from errata.edits import apply_edits, diff
from errata.records import Document, Fix
from errata.tools.local.extract import extract
from errata.tools.local.guard import guard
from example import CORRECTED_CLAIM, DRAFT, LONG_PAGE, QUESTION, RESPONSE

DOCUMENT = Document(id="d", text=LONG_PAGE)
FIX = Fix(claim="c1", text=CORRECTED_CLAIM)


def guard_revision(revision):
    """The draft after the edits that the guard keeps, and its notes."""
    claims = extract(QUESTION, DRAFT)
    edits, notes = guard(QUESTION, DRAFT, diff(DRAFT, revision), claims, [FIX], [DOCUMENT])
    return apply_edits(DRAFT, edits), notes


@pytest.mark.parametrize(
    "revision",
    [
        RESPONSE,
        RESPONSE.replace(" She kept bees.", ""),
        DRAFT.replace("a physicist", "a physicist, and lived in Paris"),
        DRAFT,
    ],
)
def test_grounded_edits_are_kept(revision):
    assert guard_revision(revision) == (revision, [])


@pytest.mark.parametrize(
    ("revision", "response", "note"),
    [
        (
            "Marie Curie was born in 1867. She kept bees.",
            DRAFT,
            "deletes what the documents support",
        ),
        (RESPONSE.replace("physicist.", "physicist from Brazil."), RESPONSE, "adds 'brazil'"),
        (DRAFT.replace("1865", "1866"), DRAFT, "adds '1866'"),
        (DRAFT + " She won the lottery in 1999.", DRAFT, "adds '1999'"),
    ],
)
def test_harmful_edits_are_dropped_with_a_note(revision, response, note):
    guarded, notes = guard_revision(revision)
    assert guarded == response
    assert note in notes[0]
