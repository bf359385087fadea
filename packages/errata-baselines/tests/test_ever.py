"""EVER with a scripted model: its three stages, what fails, and writing in real time."""

import pytest

from errata import acheck, acorrect
from errata.core.edits import apply_edits
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
