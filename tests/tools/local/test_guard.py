"""The guard drops revisions of sentences that delete supported facts or add new ones."""

import pytest

from errata.core.edits import apply_edits, diff
from errata.core.records import Claim, Document, Fix, Verdict
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


def test_a_number_may_come_from_the_documents_where_no_claim_was_fixed():
    edits = diff(DRAFT, RESPONSE)
    kept, _ = guard(QUESTION, DRAFT, edits, [], [], [DOCUMENT])
    assert kept == edits
    _, [note] = guard(QUESTION, DRAFT, edits, [], [Fix(claim="c2", text="")], [DOCUMENT])
    assert note.endswith("adds '1867', which is in no correction")


@pytest.mark.parametrize(
    ("revision", "response", "note"),
    [
        (
            "Marie Curie was born in 1867. She kept bees.",
            DRAFT,
            "no longer says what should stay",
        ),
        (RESPONSE.replace("physicist.", "physicist from Brazil."), RESPONSE, "adds 'Brazil'"),
        (DRAFT.replace("1865", "1866"), DRAFT, "adds '1866'"),
        (DRAFT + " She won the lottery in 1999.", DRAFT, "adds '1999'"),
    ],
)
def test_harmful_edits_are_dropped_with_a_note(revision, response, note):
    guarded, notes = guard_revision(revision)
    assert guarded == response
    assert note in notes[0]


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
    document = Document(id="d", text="Jupiter is large, dense and fast. Saturn is a planet.")
    claims = extract("", draft)
    fixes = [Fix(claim=claims[0].id, text="Jupiter is denser than Saturn.")]
    edits, notes = guard("", draft, diff(draft, revision), claims, fixes, [document])
    assert (apply_edits(draft, edits), notes) == (revision, [])


def test_a_sentences_revision_is_taken_or_left_whole():
    draft = "Marie Curie was born in 1865. She was a physicist of Rome."
    revision = "Marie Curie was born in 1867. She was a physicist of Brazil, and rich."
    edits, [note] = guard(
        QUESTION, draft, diff(draft, revision), extract(QUESTION, draft), [FIX], [DOCUMENT]
    )
    assert apply_edits(draft, edits) == draft.replace("1865", "1867")
    assert "revision of “She was a physicist of Rome.” was not used" in note


@pytest.mark.parametrize(
    ("revision", "is_kept"),
    [
        ("Ada wrote a poem in 1840, and sang.", True),
        ("Ada wrote a poem in 1841, and sang.", False),
        ("Ada wrote a poem in 1843.", False),
        ("Ada wrote a poem, and sang.", False),
        ("Ada wrote verse in 1843, and sang.", True),
        ("Ada wrote a poem in 1843, and was a keen gardener.", False),
    ],
)
def test_what_is_supported_the_verdicts_say(revision, is_kept):
    """A number that a document has, but no correction, is still a change of what is supported."""
    draft = "Ada wrote a poem in 1843, and sang."
    texts = ["Ada wrote a poem.", "Ada wrote in 1843.", "Ada sang."]
    claims = [Claim(id=f"c{n}", text=t, start=0, end=len(draft)) for n, t in enumerate(texts)]
    fixes = [Fix(claim="c1", text="Ada wrote in 1840.")] if "1840" in revision else []
    labelled = [Verdict(claim=claim.id, label="supported") for claim in claims]
    document = Document(id="d", text="Ada wrote verse in 1843. Bo wrote in 1841.")
    edits, _ = guard("", draft, diff(draft, revision), claims, fixes, [document], "", labelled)
    assert (apply_edits(draft, edits) == revision) == is_kept
