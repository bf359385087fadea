"""What a run says of claims that it leaves, in notes and views, and with hedge in the text."""

import pytest

from errata import check, correct
from errata.core.edits import apply_edits
from errata.core.records import Verdict, result_json
from errata.nodes.rac.correct import removals, say_what_is_left
from errata.nodes.rac.state import Rac, RacContext
from errata.render.findings import as_text
from errata.render.html import page
from errata.render.terminal import verdict_list
from errata.render.text import describe_claims
from errata.tools.local.hedge import is_mark
from example import CLAIMS, DRAFT, PAGE, QUESTION, REPLIES, claims_of, pages_of

CLAIM = CLAIMS[0]
FALSE = {"rac/verify": "1: False\n2: True\n3: True", "rac/correct": "1: Not told"}


def test_a_refuted_claim_that_stays_has_a_note_and_a_mark_in_every_view(scripted):
    correction = correct(QUESTION, DRAFT, documents=[PAGE], model=scripted(REPLIES | FALSE))
    assert (correction.response, correction.unmended) == (DRAFT, ("c1",))
    assert correction.notes == (f"claim c1 is refuted and was left as it was: “{CLAIM}”",)
    shown = [page(correction, {}, ""), verdict_list(correction).plain]
    assert all("refuted (stays)" in view for view in shown)
    assert f"refuted (stays): {CLAIM}" in as_text(correction)
    assert describe_claims(correction) == "3 claims: 2 supported, 1 refuted (stays)"
    assert result_json(correction)["unmended"] == ["c1"]


def test_a_check_leaves_nothing_unmended(scripted):
    settings = {"documents": [PAGE], "model": scripted(REPLIES | FALSE)}
    checked = check(QUESTION, DRAFT, **settings)
    assert (checked.label, checked.unmended, checked.notes) == ("refuted", (), ())


REFUTED = {"label": "refuted", "score": 0.6}
ABSENT = {"label": "not_mentioned", "reason": "absent", "score": 0.02}
UNSURE = {"label": "not_mentioned", "reason": "absent", "score": 0.11}
UNLIKELY = {"label": "not_mentioned", "reason": "not_understood", "score": 0.02}
UNREAD = {"label": "not_mentioned", "reason": "not_understood", "score": 0.4}
DISPUTED = {"label": "disputed", "score": 0.4}
BY_MODEL = {"label": "not_mentioned"}


@pytest.mark.parametrize(
    ("verdict", "settings", "left"),
    [
        (REFUTED, {}, ""),
        (ABSENT, {}, ""),
        (UNSURE, {}, "not mentioned"),
        (UNSURE, {"drop_below": 0.2}, ""),
        (UNLIKELY, {}, "not mentioned"),
        (BY_MODEL, {}, ""),
        (UNREAD, {}, "not mentioned"),
        (DISPUTED, {}, "disputed"),
        (UNREAD, {"profile": "paper"}, ""),
        (ABSENT, {"keep_all_true": True}, "not mentioned"),
        ({"label": "conflicting"}, {}, "conflicting"),
        ({"label": "unchecked"}, {}, "unchecked"),
        ({"label": "unreadable"}, {}, "unreadable"),
    ],
)
def test_drop_takes_a_claim_out_or_says_why_not(verdict, settings, left):
    context = RacContext(unsupported="drop", **settings)
    verdicts = [Verdict(claim="c1", **verdict)]
    state = Rac(claims=claims_of(CLAIM), verdicts=verdicts, documents=pages_of(PAGE))
    gone = {fix.claim for fix in removals(state, context, set())}
    assert gone == (set() if left else {"c1"})
    notes = say_what_is_left(state, context, gone)
    assert notes == ([f"left 1 unsupported claim: 1 {left}"] if left else [])


TOLD = [
    "Marie Curie (born 7 November 1867) was a French physicist. Marie Curie was born in Warsaw."
]
WARSAW, BEES = "Marie Curie was born in Warsaw.", "Marie Curie kept bees in Peru."
BOTH = "Marie Curie was born in 1865 and kept bees."
LINES, LISTED = f"{WARSAW}\n{WARSAW} {BEES}", f"{WARSAW}\n\n- {WARSAW}\n- {BEES[:-1]}"
TOWNS = f"{WARSAW}\n\n| Person | Town |\n|---|---|\n| Marie Curie |"


def marked(draft, **further):
    """The correction, whose edits give its response, and which marks nothing once more."""
    chosen = {"documents": TOLD, "unsupported": "hedge", **further}
    correction = correct(draft=draft, **chosen)
    assert apply_edits(draft, correction.edits) == correction.response
    again = correct(draft=correction.response, **chosen)
    assert not any(map(is_mark, again.edits))
    assert len(again.claims) == len(correction.claims)
    return correction


@pytest.mark.parametrize(
    ("draft", "response"),
    [
        (f"{WARSAW} {BEES} {WARSAW}", f"{WARSAW} {BEES} [unverified] {WARSAW}"),
        (BOTH, f"{BOTH.replace('1865', '1867')} [partly unverified]"),
        (f"{LISTED}\n", f"{LISTED} [unverified]\n"),
        (f"> {BEES}\n> {WARSAW}", f"> {BEES} [unverified]\n> {WARSAW}"),
        (f"{WARSAW} **{BEES}**", f"{WARSAW} **{BEES}** [unverified]"),
        (f"{WARSAW} {BEES}[1] {WARSAW}", f"{WARSAW} {BEES}[1] [unverified] {WARSAW}"),
        (f"{WARSAW} {BEES}({WARSAW})", f"{WARSAW} {BEES} [unverified] ({WARSAW})"),
        (f"{WARSAW}\n\n```\n{BEES}\n```\n", f"{WARSAW}\n\n```\n{BEES}\n```\n"),
        (f"{WARSAW} {BEES} [unverified]", f"{WARSAW} {BEES} [unverified]"),
        (f"{BEES} **{WARSAW}**", f"{BEES} [unverified] **{WARSAW}**"),
        (f"{LINES}\nBees: none", f"{LINES} [unverified]\nBees: none [unverified]"),
        (f"{TOWNS} Lima |\n", f"{TOWNS} Lima [unverified] |\n"),
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
    settings = {"documents": TOLD, "unsupported": "hedge", "revision": revision}
    correction = correct(draft=f"{WARSAW} {BEES}", roles=roles, **settings)
    assert correction.response == f"{WARSAW} {BEES} [contradicted]"
    assert correction.unmended == ("c2",)


def test_nothing_is_marked_in_a_check_or_where_nothing_was_judged_or_all_is_kept():
    draft = f"{WARSAW} {BEES}"
    assert not check(draft=draft, documents=TOLD, unsupported="hedge").edits
    assert not correct(draft=draft, unsupported="hedge").changed
    assert not marked(draft, keep_all_true=True).changed
