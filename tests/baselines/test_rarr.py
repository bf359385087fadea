"""RARR with scripted models in its roles and with local code: what becomes of passages."""

import pytest

from errata import acheck, acorrect
from errata.tools.models.scripted import ScriptedChat
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE
from waiting_chat import waiting_chat

pytestmark = pytest.mark.anyio
GATE, EDIT = "rarr/revise.agree", "rarr/revise.edit"


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


async def test_a_later_passage_is_compared_with_the_edited_text():
    seen = []

    class Watching(ScriptedChat):
        def answer(self, prompt, request):
            if prompt.startswith(GATE):
                seen.append("1867. She" in request)
            return super().answer(prompt, request)

    await rarr(model=Watching(script=REPLIES))
    assert seen == [False, True]


async def test_a_check_asks_about_all_passages_at_once():
    roles = {"ask": ScriptedChat(script=REPLIES), "agree": waiting_chat(REPLIES, calls=2)}
    correction = await acheck(QUESTION, DRAFT, "rarr", documents=[PAGE], roles=roles)
    assert (correction.response, correction.label) == (DRAFT, "refuted")
    assert correction.trail["attribution"][0]["edit"] == ""


async def test_sets_of_questions_are_joined_without_what_repeats(scripted):
    sets = ["When was Marie Curie born?", "1. When was Marie Curie born?\n2. What was Marie Curie?"]
    replies = REPLIES | {"rarr/ask": [*sets, "What was Marie Curie?"]}
    correction = await rarr(model=scripted(replies), question_sets=3)
    questions = [answer["question"] for answer in correction.trail["answers"]]
    assert questions == ["When was Marie Curie born?", "What was Marie Curie?"]
    assert correction.usage.by_role["ask"]["model_calls"] == 3


@pytest.mark.parametrize(
    ("settings", "edited"),
    [({"max_edit": 1}, True), ({"max_edit": 0}, False), ({"max_edit_share": 0.01}, False)],
)
async def test_an_edit_that_changes_too_much_is_refused(scripted, settings, edited):
    correction = await rarr(model=scripted(REPLIES), **settings)
    assert correction.response == (RESPONSE if edited else DRAFT)
    assert correction.trail["attribution"][0]["edit"] == ("made" if edited else "refused")
    assert any("was refused: it changes 1 char" in note for note in correction.notes) is not edited
    assert correction.label == "refuted"


async def test_a_draft_with_the_headings_of_the_reply_stays_whole(scripted):
    draft = DRAFT.replace(". She kept", ".\nFix: she kept")
    mended = RESPONSE.replace(". She kept", ".\nFix: she kept")
    replies = REPLIES | {EDIT: f"“1865” is wrong.\nFix: {mended}"}
    correction = await rarr(draft, model=scripted(replies), profile="paper", question_sets=1)
    assert correction.response == mended


@pytest.mark.parametrize("wrapped", ["```\n{}\n```", "<draft>\n{}\n</draft>"])
@pytest.mark.parametrize("lead", ["“1865” is wrong.\nFix: {}", "{}"])
async def test_what_stands_around_the_edited_text_is_left_out(scripted, lead, wrapped):
    inside, around = lead.format(wrapped.format(RESPONSE)), wrapped.format(lead.format(RESPONSE))
    for reply in (inside, around):
        correction = await rarr(model=scripted(REPLIES | {EDIT: reply}), profile="paper")
        assert correction.response == (RESPONSE if "Fix:" in reply else DRAFT)


async def test_without_questions_each_claim_is_asked_about(scripted):
    correction = await rarr(roles={"ask": scripted({"rarr/ask": "None come to mind."})})
    questions = [answer["question"] for answer in correction.trail["answers"]]
    assert questions[0] == "Is it true that Marie Curie was born in 1865?"
    assert any("each claim was asked about instead" in note for note in correction.notes)
    assert correction.response == RESPONSE


async def test_local_code_searches_for_each_claim(demo):
    correction = await acorrect(QUESTION, DRAFT, "rarr", search=demo)
    assert correction.response == RESPONSE
    assert [v.label for v in correction.verdicts] == ["refuted", "supported", "not_mentioned"]
    assert correction.usage.searches == 3
    assert {document.source for document in correction.documents} == {"web"}


async def test_questions_over_the_limit_are_noted():
    correction = await rarr(max_questions=1)
    assert "2 questions over max_questions=1 were not looked up" in correction.notes
    assert [v.label for v in correction.verdicts] == ["refuted", "unchecked", "unchecked"]
