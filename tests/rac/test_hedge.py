"""`unsupported=hedge`: what has no support stays, and is marked in the text."""

import pytest

from errata import check, correct
from errata.core.edits import apply_edits
from errata.tools.local.hedge import is_mark

DOCUMENTS = [
    "Marie Curie (born 7 November 1867) was a French physicist. Marie Curie was born in Warsaw."
]
BORN, BEES = "Marie Curie was born in Warsaw.", "Marie Curie kept bees in Peru."
BOTH = "Marie Curie was born in 1865 and kept bees."


def marked(draft, **further):
    """The correction, whose edits give its response, and which marks nothing once more."""
    chosen = {"documents": DOCUMENTS, "unsupported": "hedge", **further}
    correction = correct(draft=draft, **chosen)
    assert apply_edits(draft, correction.edits) == correction.response
    again = correct(draft=correction.response, **chosen)
    assert not any(map(is_mark, again.edits))
    assert len(again.claims) == len(correction.claims)
    return correction


@pytest.mark.parametrize(
    ("draft", "response"),
    [
        (f"{BORN} {BEES} {BORN}", f"{BORN} {BEES} [unverified] {BORN}"),
        (BOTH, f"{BOTH.replace('1865', '1867')} [partly unverified]"),
        (
            f"{BORN}\n\n- {BORN}\n- {BEES[:-1]}\n",
            f"{BORN}\n\n- {BORN}\n- {BEES[:-1]} [unverified]\n",
        ),
        (f"> {BEES}\n> {BORN}", f"> {BEES} [unverified]\n> {BORN}"),
        (f"{BORN} **{BEES}**", f"{BORN} **{BEES}** [unverified]"),
        (f"{BORN} {BEES}[1] {BORN}", f"{BORN} {BEES}[1] [unverified] {BORN}"),
        (f"{BORN} {BEES}({BORN})", f"{BORN} {BEES} [unverified] ({BORN})"),
        (f"{BORN}\n\n```\n{BEES}\n```\n", f"{BORN}\n\n```\n{BEES}\n```\n"),
        (f"{BORN} {BEES} [unverified]", f"{BORN} {BEES} [unverified]"),
        (f"{BEES} **{BORN}**", f"{BEES} [unverified] **{BORN}**"),
        (
            f"{BORN}\n{BORN} {BEES}\nBees: none",
            f"{BORN}\n{BORN} {BEES} [unverified]\nBees: none [unverified]",
        ),
        (
            f"{BORN}\n\n| Person | Town |\n|---|---|\n| Marie Curie | Lima |\n",
            f"{BORN}\n\n| Person | Town |\n|---|---|\n| Marie Curie | Lima [unverified] |\n",
        ),
    ],
)
def test_a_sentence_that_is_not_mentioned_is_marked_at_its_end(draft, response):
    assert marked(draft).response == response


@pytest.mark.parametrize("silent", [["correct"], ["correct", "revise"]])
@pytest.mark.parametrize("revision", ["sentences", "draft"])
def test_a_refuted_claim_that_was_not_corrected_is_marked_and_counts_as_unmended(
    scripted, silent, revision
):
    """What is not all right is not rewritten, but marked, also where models rewrite drafts."""
    verifier = scripted({"rac/verify": "1: True [1]\n2: False [1]"})
    roles = dict.fromkeys(silent, scripted({})) | {"verify": verifier}
    settings = {"documents": DOCUMENTS, "unsupported": "hedge", "revision": revision}
    correction = correct(draft=f"{BORN} {BEES}", roles=roles, **settings)
    assert correction.response == f"{BORN} {BEES} [contradicted]"
    assert correction.unmended == ("c2",)


def test_nothing_is_marked_in_a_check_or_where_nothing_was_judged_or_all_is_kept():
    draft = f"{BORN} {BEES}"
    assert not check(draft=draft, documents=DOCUMENTS, unsupported="hedge").edits
    assert not correct(draft=draft, unsupported="hedge").changed
    assert not marked(draft, keep_all_true=True).changed
