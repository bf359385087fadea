"""EVER with a scripted model: its three stages, what fails, and writing in real time."""

import pytest

from errata import acheck, acorrect
from errata.core.edits import apply_edits
from errata.core.errors import ChatError, ReplyError
from example import CLAIMS, CORRECTED_CLAIM, DRAFT, LABELS, PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio
HOME = "Marie Curie lived in Paris."
REWRITING = REPLIES | {
    "ever/revise.extrinsic": HOME,
    "ever/verify.questions": [
        {"when": f"<claim>\n{HOME}", "reply": f"Paris | Did Marie Curie live in Paris? | {HOME}"},
        {"when": f"<claim>\n{CORRECTED_CLAIM}", "reply": "1867 | Was Marie Curie born in 1867?"},
        *REPLIES["ever/verify.questions"],
    ],
    "ever/verify": [
        *REPLIES["ever/verify"],
        {"when": "in 1867?", "reply": "Decision: True"},
        {"when": "in Paris?", "reply": "Decision: True"},
    ],
}


async def ever(draft=DRAFT, documents=(PAGE,), **settings):
    return await acorrect(QUESTION, draft, "ever", documents=list(documents), **settings)


async def test_each_concept_is_asked_about_and_decided(scripted):
    correction = await ever(model=scripted(REPLIES))
    assert [claim.text for claim in correction.claims] == CLAIMS
    assert [verdict.label for verdict in correction.verdicts] == LABELS
    assert correction.verdicts[0].explanation == "The page says 1867."
    assert correction.trail == {
        "concepts": ["1865", "a physicist", "bees"],
        "questions": [
            "Was Marie Curie born in 1865?",
            "Was Marie Curie a physicist?",
            "Did Marie Curie keep bees?",
        ],
    }
    assert [edit.claims for edit in correction.edits] == [("c1",)]
    assert correction.usage.model_calls == 3 + 3 + 1


async def test_the_published_form_writes_anew_what_has_no_evidence_and_validates_it(scripted):
    correction = await ever(model=scripted(REWRITING), profile="paper")
    assert correction.response == RESPONSE.replace("She kept bees.", HOME)
    assert [set(edit.claims) for edit in correction.edits] == [{"c1"}, {"c3"}]
    assert correction.usage.model_calls == (3 + 3) + 2 + (2 + 2)
    assert not correction.notes


async def test_what_stays_without_support_is_flagged(scripted):
    replies = REWRITING | {"ever/revise.extrinsic": "She kept many bees."}
    correction = await ever(model=scripted(replies), profile="paper")
    assert "validated again and not supported" in " ".join(correction.notes)


async def test_rounds_are_bounded(scripted):
    replies = REPLIES | {"ever/revise": "Marie Curie was born in 1866, not in 1865."}
    correction = await ever(model=scripted(replies), rounds=2, guard=False)
    passes = correction.usage.by_role["verify"]["model_calls"]
    assert passes <= 6 + 2 * 2
    assert "Marie Curie was born" in correction.response


async def test_what_local_code_corrects_is_validated_again_too(scripted):
    local = {"model": scripted(REWRITING), "roles": {"revise": "local"}}
    once, twice = [await ever(rounds=rounds, **local) for rounds in (0, 1)]
    assert once.response == twice.response == RESPONSE
    assert twice.usage.model_calls == once.usage.model_calls + 2


@pytest.mark.parametrize("reply", ["I'm sorry, I cannot help.", "None", "1865; bees", "1865 |"])
async def test_a_sentence_without_questions_is_validated_as_a_whole(scripted, reply):
    whole = [{"when": "Is it true that", "reply": "Decision: Not Enough Information"}]
    replies = {"ever/verify.questions": reply, "ever/verify": whole}
    correction = await ever(model=scripted(REPLIES | replies))
    assert " ".join(claim.text for claim in correction.claims) == DRAFT
    assert (correction.response, correction.label) == (DRAFT, "not_mentioned")


async def test_a_model_may_be_asked_for_the_evidence(scripted):
    replies = REPLIES | {"ever/verify.answer": "Marie Curie was a physicist, born in 1867."}
    correction = await ever(documents=(), model=scripted(replies), evidence="internal")
    assert correction.response == RESPONSE
    assert {document.source for document in correction.documents} == {"model"}


async def test_evidence_is_searched_for_by_question_statement_and_name(scripted, demo):
    draft = "The Eiffel Tower was opened in 1889."
    asked = f"1889 | Was the Eiffel Tower opened in 1889? | {draft}"
    model = scripted({"ever/verify.questions": asked, "ever/verify": "Decision: True"})
    question = "What is the Eiffel Tower?"
    settings = {"model": model, "search": demo}
    one, three = [
        await acheck(question, draft, "ever", queries=queries, **settings) for queries in (1, 3)
    ]
    assert (one.label, three.label) == ("supported", "supported")
    assert (one.usage.searches, three.usage.searches) == (1, 3)


WRITING = REPLIES | {
    "ever/generate": [
        {"when": "<draft>\n\n</draft>", "reply": CLAIMS[0]},
        {
            "when": "<draft>\nMarie Curie was born in 1867.\n</draft>",
            "reply": "She was a physicist.",
        },
        {"when": "a physicist.\n</draft>", "reply": "She kept bees. And more."},
        {"when": "bees.\n</draft>", "reply": "Done."},
    ]
}


async def test_an_answer_is_written_by_the_corrected_sentences(scripted):
    """The second sentence is asked for after the first was mended: the script wants 1867."""
    correction = await ever("", model=scripted(WRITING))
    assert (correction.draft, correction.response) == (DRAFT, RESPONSE)
    assert apply_edits(correction.draft, correction.edits) == correction.response
    assert [verdict.label for verdict in correction.verdicts] == LABELS
    assert [verdict.claim for verdict in correction.verdicts] == ["c1", "c2", "c3"]
    places = [(claim.start, claim.end) for claim in correction.claims]
    assert [DRAFT[a:b] for a, b in places] == [CLAIMS[0], "She was a physicist.", "She kept bees."]
    assert correction.trail["concepts"] == ["1865", "a physicist", "bees"]


@pytest.mark.parametrize("evidence", ["external", "internal"])
async def test_every_quote_is_in_a_document_of_the_result(scripted, evidence):
    replies = {"ever/verify.answer": "Marie Curie was a physicist, born in 1867."}
    correction = await ever("", model=scripted(WRITING | replies), evidence=evidence)
    texts = {document.id: document.text for document in correction.documents}
    quotes = [quote for verdict in correction.verdicts for quote in verdict.evidence]
    assert quotes
    assert all(texts[quote.document][quote.start : quote.end] == quote.text for quote in quotes)


async def test_writing_stops_at_its_bound_and_where_the_model_fails(scripted):
    short = await ever("", model=scripted(WRITING), max_sentences=1)
    assert short.response == "Marie Curie was born in 1867."
    assert "max_sentences=1" in short.notes[0]
    failing = WRITING | {"ever/generate": WRITING["ever/generate"][:2]}
    correction = await ever("", model=scripted(failing))
    assert correction.response == "Marie Curie was born in 1867. She was a physicist."
    assert any("the answer ends where the model failed" in note for note in correction.notes)
    with pytest.raises(ChatError):
        await ever("", model=scripted({}))


@pytest.mark.parametrize("reply", ["I'm sorry, I can't.", "Sure!", "Hope this helps! Bye."])
async def test_a_reply_that_is_no_sentence_ends_the_answer(scripted, reply):
    replies = WRITING | {"ever/generate": [CLAIMS[0], reply, "She was a physicist."]}
    correction = await ever("", model=scripted(replies))
    assert (correction.draft, correction.response) == (CLAIMS[0], "Marie Curie was born in 1867.")
    assert any("refused, or was only polite" in note for note in correction.notes)
    with pytest.raises(ReplyError, match="no first sentence"):
        await ever("", model=scripted(WRITING | {"ever/generate": reply}))


async def test_a_check_of_what_is_written_changes_nothing(scripted):
    replies = WRITING | {"ever/generate": [CLAIMS[0], "Done"]}
    checked = await acheck(QUESTION, "", "ever", documents=[PAGE], model=scripted(replies))
    assert (checked.response, checked.label) == (CLAIMS[0], "refuted")


async def test_local_code_writes_all_at_once():
    correction = await ever("")
    assert correction.response == PAGE
    assert correction.label == "supported"
