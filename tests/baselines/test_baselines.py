"""What holds of several baselines: mixed roles, and runs without anything to go by."""

import pytest

from errata import aanswer, acorrect
from errata.core.errors import SettingError
from example import BIRTH_QUESTION, DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio
BEES = {"id": "bees", "title": "Bees", "text": "Bees make honey. They fly far."}


@pytest.mark.parametrize(
    ("method", "by_model"),
    [
        ("cove", "ask"),
        ("cove", "answer"),
        ("cove", "cross_check"),
        ("cove", "revise"),
        ("critic", "verify"),
        ("critic", "correct"),
        ("rarr", "ask agree"),
        ("rarr", "ask edit"),
    ],
)
async def test_some_roles_may_be_a_models_and_the_others_local_codes(scripted, method, by_model):
    roles = {role: scripted(REPLIES) for role in by_model.split()}
    correction = await acorrect(QUESTION, DRAFT, method, documents=[PAGE], roles=roles)
    assert (correction.response, correction.label) == (RESPONSE, "refuted")


@pytest.mark.parametrize(("method", "calls"), [("cove", 1), ("ever", 3), ("factool", 4)])
async def test_without_evidence_nothing_is_judged_and_the_draft_stays(scripted, method, calls):
    correction = await acorrect(QUESTION, DRAFT, method, model=scripted(REPLIES))
    assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}
    assert (correction.response, correction.label) == (DRAFT, "not_mentioned")
    assert correction.usage.model_calls == calls
    assert not {f"{method}/verify.v1", f"{method}/cross_check.v2"} & set(correction.prompts)


async def test_without_a_document_rarr_says_that_it_can_check_nothing():
    correction = await acorrect(QUESTION, DRAFT, "rarr")
    assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}
    assert "there is no document to judge by: no claim can be checked" in correction.notes


@pytest.mark.parametrize(("method", "role"), [("cove", "answer"), ("ever", "verify")])
async def test_local_code_has_no_knowledge_of_its_own(method, role):
    with pytest.raises(SettingError, match=f"name one for the role {role}"):
        await acorrect(QUESTION, DRAFT, method, documents=[PAGE], evidence="internal")


@pytest.mark.parametrize(
    ("method", "documents", "settings"),
    [
        ("plain", [], {}),
        ("plain", [], {"rag": False}),
        ("plain", [], {"chain_of_thought": True}),
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
