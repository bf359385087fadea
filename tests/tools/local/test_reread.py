"""What a revised text says twice, or leaves open."""

from dataclasses import replace

import pytest

from errata.core.edits import apply_edits, compose, diff
from errata.tools.local.guard import reread

QUESTION = "Who was Ada Lovelace?"


def read_again(draft, revision, question=QUESTION):
    """The text after the certain mends, and the reasons of all flaws."""
    edits = diff(draft, revision)
    flaws = reread(question, draft, edits)
    mends = [flaw.mend for flaw in flaws if flaw.mend]
    assert all(revision[m.start : m.end] == m.before for m in mends)
    return apply_edits(draft, compose(draft, edits, mends)), [flaw.reason for flaw in flaws]


@pytest.mark.parametrize(
    ("draft", "revision", "response", "reason"),
    [
        (
            "Ada Lovelace was born on 10 December 1815. She wrote notes. She was born in Rome.",
            "Ada Lovelace was born on 10 December 1815. She wrote notes. She was born in 1815.",
            "Ada Lovelace was born on 10 December 1815. She wrote notes.",
            "it says again what another sentence says",
        ),
        (
            "Ada Lovelace wrote notes. She lived in Rome. She died in 1852 in London.",
            "Ada Lovelace wrote notes. She died in London. She died in 1852 in London.",
            "Ada Lovelace wrote notes. She died in 1852 in London.",
            "it says again what another sentence says",
        ),
        (
            "Ada Lovelace wrote notes in Rome. She was paid by Babbage, and sang in Oslo.",
            "Ada Lovelace wrote notes in Rome. She wrote notes in Rome, and sang in Oslo.",
            "Ada Lovelace wrote notes in Rome. She wrote notes in Rome, and sang in Oslo.",
            "it says again what another sentence says",
        ),
        (
            "Ada Lovelace wrote notes. She sang. She wrote notes.",
            "Ada Lovelace wrote notes. She danced. She wrote notes.",
            None,
            None,
        ),
        (
            "Ada Lovelace wrote notes. She was never paid for long.",
            "Ada Lovelace wrote notes. She never wrote notes.",
            None,
            None,
        ),
        (
            "She sang in 1840, and has danced ever since.",
            "She sang in 1841, and has danced ever since.",
            None,
            None,
        ),
    ],
)
def test_flaws_that_a_revision_makes_are_found_and_mended_where_certain(
    draft, revision, response, reason
):
    text, reasons = read_again(draft, revision)
    assert text == (response or revision)
    assert len(reasons) == bool(reason)
    assert not reason or reason in reasons[0]


def test_a_mend_rests_on_the_claims_of_the_edits_nearby():
    draft = "Ada sang in 1840. She was born in 1815. She was born in Rome."
    revision = "Ada sang in 1840. She was born in 1815. She was born in 1815."
    [edit] = diff(draft, revision)
    [flaw] = reread("", draft, [replace(edit, claims=("c3",))])
    assert flaw.mend.claims == ("c3",)


def test_a_draft_without_edits_has_no_flaws():
    assert reread(QUESTION, "She sang. She sang.", []) == []
