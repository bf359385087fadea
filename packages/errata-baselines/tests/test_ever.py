"""EVER with a scripted model: its stages, and the published form."""

import pytest

from errata import acorrect
from example import CLAIMS, DRAFT, LABELS, PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio
HOME = "Marie Curie lived in Paris."
REWRITING = REPLIES | {"ever/revise.extrinsic": HOME}


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


async def test_the_published_form_writes_anew_what_has_no_evidence(scripted):
    correction = await ever(model=scripted(REWRITING), profile="paper")
    assert correction.response == RESPONSE.replace("She kept bees.", HOME)
    assert [set(edit.claims) for edit in correction.edits] == [{"c1"}, {"c3"}]
    assert correction.usage.model_calls == (3 + 3) + 2
    assert not correction.notes
