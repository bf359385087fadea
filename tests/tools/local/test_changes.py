"""A model's rewriting as edits: each one change, tied to its fixes, guarded, and read again."""

from dataclasses import replace

import pytest

from errata.core.edits import apply_edits, diff
from errata.core.records import Fix, Verdict
from errata.tools.local.extract import extract
from errata.tools.local.guard import guard
from example import CORRECTED_CLAIM, DRAFT, LONG_PAGE, QUESTION, RESPONSE, claims_of, pages_of

FIX = Fix(claim="c1", text=CORRECTED_CLAIM)


def guard_revision(draft, revision, fixes, page, question=""):
    """The draft after the edits that the guard keeps, and its notes."""
    claims, edits = extract(question, draft), diff(draft, revision)
    kept, notes = guard(question, draft, edits, claims, fixes, pages_of(page))
    return apply_edits(draft, kept), notes


@pytest.mark.parametrize(
    ("revision", "response", "note"),
    [
        (RESPONSE, RESPONSE, ""),
        (RESPONSE.replace(" She kept bees.", ""), None, ""),
        (DRAFT.replace("a physicist", "a physicist, and lived in Paris"), None, ""),
        (DRAFT, DRAFT, ""),
        (RESPONSE.replace("She was a physicist. ", ""), DRAFT, "no longer says what should stay"),
        (RESPONSE.replace("physicist.", "physicist from Brazil."), RESPONSE, "adds 'Brazil'"),
        (DRAFT.replace("1865", "1866"), DRAFT, "adds '1866'"),
    ],
)
def test_harmful_revisions_of_a_sentence_are_dropped_whole_with_a_note(revision, response, note):
    guarded, notes = guard_revision(DRAFT, revision, [FIX], LONG_PAGE, QUESTION)
    assert guarded == (response or revision)
    assert note in "".join(notes)
    assert len(notes) == bool(note)


def test_a_number_may_come_from_the_documents_where_no_claim_was_fixed():
    edits = diff(DRAFT, RESPONSE)
    assert guard(QUESTION, DRAFT, edits, [], [], pages_of(LONG_PAGE)) == (edits, [])
    fixes = [Fix(claim="c2", text="")]
    _, [note] = guard(QUESTION, DRAFT, edits, [], fixes, pages_of(LONG_PAGE))
    assert note.endswith("adds '1867', which is in no correction")


@pytest.mark.parametrize(
    ("draft", "revision"),
    [
        ("Yes, Saturn is denser than Jupiter.", "No, Jupiter is more dense than Saturn."),
        ("It was shown to be small.", "No, it has shown itself being rather large, though."),
        ("There were three planets.", "There are five planets."),
        ("Jupiter rotated slowly.", "Jupiter is rotating fast."),
    ],
)
def test_yes_and_no_function_words_number_words_and_tense_are_no_facts(draft, revision):
    """It dropped "No" and kept the rest of the sentence, which then said the contrary."""
    fixes = [Fix(claim="c1", text="Jupiter is denser than Saturn.")]
    page = "Jupiter is large, dense and fast. Saturn is a planet."
    assert guard_revision(draft, revision, fixes, page) == (revision, [])


@pytest.mark.parametrize(
    ("revision", "is_kept"),
    [
        ("Ada wrote a poem in 1840, and sang.", True),
        ("Ada wrote a poem in 1841, and sang.", False),
        ("Ada wrote a poem in 1843.", False),
        ("Ada wrote a poem, and sang.", False),
        ("Ada wrote verse in 1843, and sang.", True),
    ],
)
def test_what_is_supported_the_verdicts_say(revision, is_kept):
    """A number that a document has, but no correction, is still a change of what is supported."""
    draft = "Ada wrote a poem in 1843, and sang."
    claims = claims_of("Ada wrote a poem.", "Ada wrote in 1843.", "Ada sang.")
    claims = [replace(claim, end=len(draft)) for claim in claims]
    fixes = [Fix(claim="c2", text="Ada wrote in 1840.")] if "1840" in revision else []
    labelled = [Verdict(claim=claim.id, label="supported") for claim in claims]
    pages = pages_of("Ada wrote verse in 1843. Bo wrote in 1841.")
    edits, _ = guard("", draft, diff(draft, revision), claims, fixes, pages, "", labelled)
    assert (apply_edits(draft, edits) == revision) == is_kept


@pytest.mark.parametrize(
    ("gone", "note"),
    [
        ("", ""),
        ("It is known that ", ""),
        ("Ida ", "loses 'Ida', of which no correction speaks"),
        (" at 240 metres", "loses '240', of which no correction speaks"),
        ("the Mjosa bridge, ", ""),
    ],
)
def test_a_sentence_keeps_numbers_and_names_that_no_correction_speaks_of(gone, note):
    draft = "It is known that Ida Lund built the Mjosa bridge, 1938, at 240 metres."
    claims = [replace(claims_of("The Mjosa bridge is of 1938.")[0], end=len(draft))]
    fixes = [Fix(claim="c1", text="The Mjosa bridge is of 1932.")]
    edits = diff(draft, draft.replace(gone, "").replace("1938", "1932"))
    edits = [replace(edit, claims=("c1",)) for edit in edits]
    doubtful = [Verdict(claim="c1", label="refuted")]
    kept, notes = guard("", draft, edits, claims, fixes, pages_of("A page."), "", doubtful)
    assert (kept, "".join(notes).endswith(note)) == ([] if note else edits, True)
