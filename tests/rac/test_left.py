"""What a run says of claims that it leaves: refuted ones, and with drop unsupported ones."""

import pytest

from errata import check, correct
from errata.core.records import Verdict, result_json
from errata.nodes.rac.correct import removals, say_what_is_left
from errata.nodes.rac.state import Rac, RacContext
from errata.render.findings import as_text
from errata.render.html import page
from errata.render.terminal import verdict_list
from errata.render.text import describe_claims
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
