"""RARR with scripted models in its roles and with local code: what becomes of passages."""

import pytest

from errata import acorrect
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio


async def rarr(draft=DRAFT, documents=(PAGE,), **settings):
    return await acorrect(QUESTION, draft, "rarr", documents=documents, **settings)


async def test_a_passage_that_disagrees_edits_the_draft(scripted):
    correction = await rarr(model=scripted(REPLIES))
    assert correction.response == RESPONSE
    [edit] = correction.edits
    assert (edit.before, edit.after, edit.claims) == ("1865", "1867", ("c1",))
    assert (edit.evidence[0].text, edit.explanation) == (
        PAGE,
        "The text says 1865, the passage 1867.",
    )
    labels = [verdict.label for verdict in correction.verdicts]
    assert labels == ["refuted", "supported", "unchecked"]
    by_role = correction.usage.by_role
    assert [by_role[role]["model_calls"] for role in ("ask", "agree", "edit")] == [1, 2, 1]


async def test_the_trail_is_an_attribution_report(scripted):
    trail = (await rarr(model=scripted(REPLIES))).trail
    report = [(line["question"], line["label"], line["edit"]) for line in trail["attribution"]]
    assert report == [
        ("When was Marie Curie born?", "refuted", "made"),
        ("What was Marie Curie?", "supported", ""),
    ]
    assert all(line["evidence"]["text"] == PAGE for line in trail["attribution"])
    assert trail["preservation"] == 1 - 1 / len(DRAFT)


async def test_an_edit_that_changes_too_much_is_refused(scripted):
    replies = REPLIES | {"rarr/revise.edit": f"Fix: Marie Curie wrote nothing.{' She sang.' * 9}"}
    correction = await rarr(model=scripted(replies))
    assert (correction.response, correction.label) == (DRAFT, "refuted")
    assert correction.trail["attribution"][0]["edit"] == "refused"
    assert any("was refused: it changes" in note for note in correction.notes)


async def test_local_code_searches_for_each_claim(demo):
    correction = await acorrect(QUESTION, DRAFT, "rarr", search=demo)
    assert correction.response == RESPONSE
    assert [v.label for v in correction.verdicts] == ["refuted", "supported", "not_mentioned"]
    assert correction.usage.searches == 3
    assert {document.source for document in correction.documents} == {"web"}
