"""A reply that fails, or is none, never changes the draft, and never counts as support."""

import pytest

from errata import acheck, acorrect
from example import CORRECTING, DRAFT, LABELS, LONG_PAGE, QUESTION, REPLIES

pytestmark = pytest.mark.anyio
REFUSAL = "I'm sorry, I cannot help."
UNCHECKED, UNREADABLE, JUDGED = {"unchecked"}, {"unreadable"}, set(LABELS)
ONE, FOR_ONE = "reex/explain_and_revise", {"steps": 1}
ROWS = [
    ({"rac/verify": "It depends."}, {}, UNREADABLE, "held no verdict for 3 claims"),
    ({"rac/verify": " "}, {}, UNCHECKED, "is empty"),
    ({"rac/correct": " "}, {}, JUDGED, "1 claim not corrected"),
    ({"rac/revise.sentence": " "}, {}, JUDGED, "not revised"),
    ({"rac/revise.sentence": DRAFT}, {}, JUDGED, "holds more than that sentence"),
    ({"rac/revise.sentence": "1. None"}, {}, JUDGED, "the reply leaves it out"),
    ({"rac/revise.sentence": "1. unchanged"}, {}, JUDGED, "not revised"),
    ({"rac/revise": "(no changes)"}, {"revision": "draft"}, JUDGED, "not revised"),
    ({"reex/explain": " "}, {}, UNCHECKED, "no errors were looked for"),
    ({"reex/explain": REFUSAL}, {}, UNCHECKED, "refused"),
    ({"reex/revise": " "}, {}, JUDGED, "the draft was not revised"),
    ({ONE: " "}, FOR_ONE, UNCHECKED, "no errors were looked for"),
    ({ONE: "It is fine, I think."}, FOR_ONE, UNCHECKED, "names no errors"),
    ({ONE: REPLIES["reex/explain"]}, FOR_ONE, JUDGED, "holds no revision"),
]


@pytest.mark.parametrize(("replies", "settings", "labels", "note"), ROWS)
async def test_a_failed_reply_never_changes_the_draft(scripted, replies, settings, labels, note):
    method, model = next(iter(replies)).partition("/")[0], scripted(REPLIES | replies)
    settings = {"documents": [LONG_PAGE], "model": model, "guard": False, **settings}
    correction = await acorrect(QUESTION, DRAFT, method, **settings)
    assert correction.response == DRAFT
    assert {verdict.label for verdict in correction.verdicts} == labels
    assert correction.label == ("refuted" if "refuted" in labels else "unchecked")
    assert note in " ".join(correction.notes)


@pytest.mark.parametrize("method", CORRECTING)
async def test_local_code_abstains_in_another_language(method):
    draft = "Marie Curie wurde 1865 in Warschau geboren. Sie war eine berühmte Physikerin."
    correction = await acorrect(QUESTION, draft, method, [LONG_PAGE])
    assert (correction.response, correction.label) == (draft, "unchecked")
    assert "reads English" in " ".join(correction.notes)


@pytest.mark.parametrize("method", CORRECTING)
@pytest.mark.parametrize("by_model", [False, True])
async def test_claims_over_the_limit_are_not_checked(method, by_model, scripted):
    settings = {"model": scripted(REPLIES | {"rac/verify": "1: False"})} if by_model else {}
    correction = await acheck(QUESTION, DRAFT, method, [LONG_PAGE], max_claims=1, **settings)
    first, *others = [verdict.label for verdict in correction.verdicts]
    assert first == "refuted"
    if method != "reex":
        assert others == ["unchecked"] * 2
        assert "2 claims were not checked: over max_claims=1" in correction.notes
