"""`unsupported=hedge`: what has no support stays, and is marked in the text."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from errata import check, correct
from errata.core.edits import apply_edits
from errata.core.records import Claim, Verdict
from errata.tools.local.extract import sentence_places
from errata.tools.local.hedge import REWRITTEN, hedge, is_mark
from errata.tools.text.citations import HEDGE, strip_marks

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


def test_a_refuted_claim_that_was_not_corrected_is_marked_and_counts_as_unmended(scripted):
    roles = {
        "verify": scripted({"rac/verify": "1: True [1]\n2: False [1]"}),
        "correct": scripted({}),
    }
    correction = correct(
        draft=f"{BORN} {BEES}", documents=DOCUMENTS, roles=roles, unsupported="hedge"
    )
    assert correction.response == f"{BORN} {BEES} [contradicted]"
    assert correction.unmended == ("c2",)


def test_nothing_is_marked_in_a_check_or_where_nothing_was_judged_or_all_is_kept():
    draft = f"{BORN} {BEES}"
    assert not check(draft=draft, documents=DOCUMENTS, unsupported="hedge").edits
    assert not correct(draft=draft, unsupported="hedge").changed
    assert not marked(draft, keep_all_true=True).changed


def test_a_draft_is_marked_without_a_model_also_where_models_rewrite_whole_drafts(scripted):
    """What is not all right is not rewritten, but marked."""
    roles = {"verify": scripted({"rac/verify": "1: True [1]\n2: False"}), "correct": scripted({})}
    chosen = {"roles": {**roles, "revise": scripted({})}, "revision": "draft"}
    correction = correct(draft=f"{BORN} {BEES}", documents=DOCUMENTS, unsupported="hedge", **chosen)
    assert correction.response == f"{BORN} {BEES} [contradicted]"


def test_what_stands_in_a_rewritten_stretch_has_no_mark_but_a_note():
    draft = f"{BEES} {BORN}"
    claims = [Claim(id="c1", text=BEES, start=0, end=len(BEES))]
    doubted = {"c1": Verdict(claim="c1", label="not_mentioned")}
    [edit] = correct(draft=BOTH, documents=DOCUMENTS).edits
    rewritten = edit.__class__(start=0, end=len(draft), before=draft, after=BORN)
    assert hedge(draft, [rewritten], claims, doubted) == (
        [rewritten],
        [f"claim c1: {REWRITTEN}"],
    )
    gone = edit.__class__(start=0, end=len(BEES) + 1, before=f"{BEES} ", after="")
    assert hedge(draft, [gone], claims, doubted) == ([gone], [])


PIECES = st.sampled_from(
    [
        BORN,
        BEES,
        "- ",
        "> ",
        "\n",
        "\n\n",
        " ",
        "**",
        "`x`",
        "[1]",
        "# ",
        "| a | b |\n|---|---|\n| ",
    ]
)


@settings(deadline=None, max_examples=60)
@given(st.lists(PIECES, min_size=1, max_size=12).map("".join))
def test_marks_only_add_to_a_draft(draft):
    places = sentence_places(draft)
    claims = [Claim(id=f"c{n}", text=draft[a:b], start=a, end=b) for n, (a, b) in enumerate(places)]
    doubted = {c.id: Verdict(claim=c.id, label="not_mentioned") for c in claims}
    edits, _ = hedge(draft, [], claims, doubted)
    assert all(is_mark(edit) for edit in edits)
    assert not [edit.after for edit in edits if HEDGE.sub("", edit.after).strip(" ")]
    assert all(draft[edit.start : edit.end] == "" for edit in edits)


def test_a_mark_is_no_part_of_a_claim():
    assert strip_marks(f"{BEES} [partly contradicted] {BORN}") == f"{BEES} {BORN}"
