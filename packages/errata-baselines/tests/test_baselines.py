"""What holds of several: mixed roles, failures, and runs without anything to go by."""

import pytest

from errata import aanswer, acorrect
from example import (
    BIRTH_QUESTION,
    DRAFT,
    ERROR,
    LABELS,
    LONG_PAGE,
    QUESTION,
    REPLIES,
)

pytestmark = pytest.mark.anyio
REFUSAL = "I'm sorry, I cannot help."
UNCHECKED, UNREADABLE, JUDGED = {"unchecked"}, {"unreadable"}, set(LABELS)
DISAGREE, WRONG = "1865 is wrong.\ndisagree", f"It is plausible.\nProblems:\n{ERROR}"
ELSEWHERE = "Problems:\nit is too short"
VERIFY = "critic/verify.answer"
GATE, EDIT = "rarr/revise.agree", "rarr/revise.edit"
ROWS = [
    ({"cove/cross_check": "It depends."}, UNREADABLE, "held no verdict for 3 claims"),
    ({"cove/cross_check": "INCONSISTENT."}, UNREADABLE, "held no verdict for 3 claims"),
    ({"cove/cross_check": REFUSAL}, UNCHECKED, "3 claims were not judged"),
    ({"cove/answer.documents": REFUSAL}, UNCHECKED, "was not answered"),
    ({"cove/revise": " "}, JUDGED, "the draft was not revised"),
    ({"ever/verify": "It may be so."}, UNREADABLE, "held no verdict"),
    ({"ever/verify": ""}, UNCHECKED, "was not judged"),
    ({"ever/revise": ""}, JUDGED, "not revised"),
    ({"ever/revise": "One sentence. And one more."}, JUDGED, "more than that sentence"),
    ({"factool/verify": "Who can say?"}, UNREADABLE, "held no verdict"),
    ({"factool/verify": REFUSAL}, UNCHECKED, "claim c1 was not judged"),
    ({"factool/extract": " "}, JUDGED, "split"),
    ({VERIFY: "I am not sure."}, UNCHECKED, "does not say what the problems are"),
    ({VERIFY: []}, UNCHECKED, "the text was not verified"),
    ({VERIFY: WRONG}, JUDGED, "the critique proposes none"),
    ({VERIFY: ELSEWHERE}, {*JUDGED, "disputed"} - {"refuted"}, "speaks of no claim"),
    ({GATE: "They do not agree."}, {"unreadable", "unchecked"}, "holds no label"),
    ({GATE: DISAGREE, EDIT: "The year is wrong."}, {"refuted", "unchecked"}, "holds no fix"),
    ({GATE: DISAGREE, EDIT: "Fix: Sorry, no."}, {"refuted", "unchecked"}, "holds no fix"),
    ({GATE: DISAGREE, EDIT: []}, {"refuted", "unchecked"}, "was not edited for"),
]


@pytest.mark.parametrize(("replies", "labels", "note"), ROWS)
async def test_a_failed_reply_never_changes_the_draft(scripted, replies, labels, note):
    method, model = next(iter(replies)).partition("/")[0], scripted(REPLIES | replies)
    settings = {"documents": [LONG_PAGE], "model": model}
    settings |= {} if method == "factool" else {"guard": False}
    correction = await acorrect(QUESTION, DRAFT, method, **settings)
    assert correction.response == DRAFT
    assert {verdict.label for verdict in correction.verdicts} == labels
    worst = (label for label in ("refuted", "disputed") if label in labels)
    rest = "unchecked" if labels <= {"unchecked", "unreadable"} else "not_mentioned"
    assert correction.label == next(worst, rest)
    assert note in " ".join(correction.notes)


BEES = {"id": "bees", "title": "Bees", "text": "Bees make honey. They fly far."}


@pytest.mark.parametrize(("method", "calls"), [("cove", 1), ("ever", 3), ("factool", 4)])
async def test_without_evidence_nothing_is_judged_and_the_draft_stays(scripted, method, calls):
    correction = await acorrect(QUESTION, DRAFT, method, model=scripted(REPLIES))
    assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}
    assert (correction.response, correction.label) == (DRAFT, "unchecked")
    assert correction.usage.model_calls == calls
    assert not {f"{method}/verify.v1", f"{method}/cross_check.v2"} & set(correction.prompts)


@pytest.mark.parametrize(
    ("method", "documents", "settings"),
    [
        ("plain", [], {}),
        ("plain", [], {"rag": False}),
        ("selfrag", [], {}),
        ("selfrag", [BEES], {}),
    ],
)
async def test_local_code_never_answers_from_elsewhere(method, documents, settings):
    result = await aanswer(BIRTH_QUESTION, documents=documents, method=method, **settings)
    assert (result.response, result.knowledge) == ("No answer found.", ())
    assert "nothing was found to answer from" in result.notes


@pytest.mark.parametrize("method", ["plain", "selfrag"])
async def test_a_run_that_abstains_asks_no_model_without_documents(scripted, method):
    settings = {"method": method, "model": scripted(REPLIES), "abstain": True}
    result = await aanswer(BIRTH_QUESTION, **settings)
    assert (result.response, result.usage.model_calls) == ("No answer found.", 0)
