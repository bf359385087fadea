"""CoVe with scripted models in its roles: who is asked what, and what becomes of the replies."""

import pytest

from errata import acorrect
from errata.tools.models.scripted import ScriptedChat
from example import CLAIMS, DRAFT, LABELS, PAGE, QUESTION, QUESTIONS, REPLIES, RESPONSE

pytestmark = pytest.mark.anyio
MEMORY = [{"when": QUESTIONS[0], "reply": "She was born in 1867."}]
MEMORY += [{"when": question, "reply": "She was."} for question in QUESTIONS[1:]]


class Noting(ScriptedChat):
    """A scripted model that keeps what it was asked."""

    asked: list[tuple[str, str]] = []

    def answer(self, prompt, request, sample):
        self.asked.append((prompt.rpartition(".v")[0], request))
        return super().answer(prompt, request, sample)

    def about(self, prompt):
        return [request for name, request in self.asked if name == prompt]


async def cove(**settings):
    return await acorrect(QUESTION, DRAFT, "cove", documents=[PAGE], **settings)


async def test_each_question_is_answered_alone_and_all_are_compared_with_their_facts():
    model = Noting(script=REPLIES, asked=[])
    correction = await cove(model=model)
    assert [verdict.label for verdict in correction.verdicts] == LABELS
    assert [claim.text for claim in correction.claims] == CLAIMS
    assert correction.trail["questions"] == QUESTIONS
    [edit] = correction.edits
    assert (edit.before, edit.after, edit.claims) == ("1865", "1867", ("c1",))
    assert edit.explanation == f"{QUESTIONS[0]} {correction.trail['answers'][0]} INCONSISTENT."
    assert edit.evidence[0].text in PAGE
    assert not any("1865" in request for request in model.about("cove/answer.documents"))
    [comparing] = model.about("cove/cross_check")
    rows = zip(CLAIMS, QUESTIONS, correction.trail["answers"], strict=True)
    for number, (claim, question, answer) in enumerate(rows, start=1):
        assert f"\n{number}. {claim}\n" in comparing
        assert f"\n{number}. {question} {answer}\n" in comparing
    [revising] = model.about("cove/revise")
    assert f"{edit.explanation}\n" in revising
    assert correction.usage.model_calls == 1 + 3 + 1 + 1


async def test_the_factored_variant_revises_by_the_answers_and_judges_nothing(scripted):
    correction = await cove(model=scripted(REPLIES), variant="factored")
    assert correction.response == RESPONSE
    assert {verdict.label for verdict in correction.verdicts} == {"unchecked"}
    assert correction.label == "unchecked"
    assert correction.usage.model_calls == 1 + 3 + 1


async def test_a_consistent_draft_stays_without_a_further_call(scripted):
    replies = REPLIES | {"cove/cross_check": "1: CONSISTENT.\n2: CONSISTENT.\n3: CONSISTENT."}
    correction = await cove(model=scripted(replies))
    assert (correction.response, correction.label) == (DRAFT, "supported")
    assert correction.usage.model_calls == 1 + 3 + 1
