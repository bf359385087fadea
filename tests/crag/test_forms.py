"""The forms that answers have, and what is said of those that are not from the documents."""

import pytest

from errata import aanswer
from errata.nodes.answer import NOTHING
from example import BIRTH_QUESTION, PAGE

pytestmark = pytest.mark.anyio
CURIE = {"id": "curie", "title": "Marie Curie", "text": PAGE}
BEES = {"id": "bees", "title": "Bees", "text": "Bees make honey. They fly far."}
CHOICES = "Which of these makes honey?\nA: bees\nB: stones\nC: the sea"
MEMORY = "the answer is not from the documents: the model gave it from memory"
GUESS = "the answer is not from the documents: it is a guess of the model's"
BOTH = "part of the answer is not from the documents: the model gave it from memory"


@pytest.fixture
def answer(scripted):
    """Answers by a model whose every prompt for `generate` has one reply."""

    async def ask(reply, question=BIRTH_QUESTION, documents=(CURIE,), **settings):
        forms = ("", ".short", ".long", ".verdict", ".choice")
        model = scripted({f"crag/generate{form}": reply for form in forms})
        roles = {"generate": model}
        return await aanswer(question, documents=list(documents), roles=roles, **settings)

    return ask


@pytest.mark.parametrize(
    ("task", "prompt", "question", "reply", "response"),
    [
        ("popqa", "crag/generate.short", BIRTH_QUESTION, "Answer: 1867", "1867"),
        ("biography", "crag/generate.long", "Who was Marie Curie?", "She was born.", None),
        ("pubhealth", "crag/generate.verdict", "Bees make honey.", "**Yes**, they do.", "true"),
        ("arc", "crag/generate.choice", CHOICES, "Answer: (A) bees", "A"),
        ("arc", "crag/generate.choice", CHOICES, "b", "B"),
        ("", "crag/generate", BIRTH_QUESTION, "In 1867.", None),
    ],
)
async def test_a_task_brings_its_form(answer, task, prompt, question, reply, response):
    found = await answer(f"{reply}\nFrom: knowledge", question, [CURIE, BEES], task=task)
    assert found.response == (response or reply)
    assert [name.rpartition(".v")[0] for name in found.prompts] == [prompt]
    assert not [note for note in found.notes if "answer" in note]


@pytest.mark.parametrize("task", ["pubhealth", "arc"])
async def test_a_reply_in_another_form_stays_and_is_noted(answer, task):
    found = await answer("Perhaps.", CHOICES, [BEES], task=task)
    assert found.response == "Perhaps."
    assert any("has no answer in the form of" in note for note in found.notes)


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        ("In 1867.\nFrom: memory", MEMORY),
        ("In 1867.\nFrom: guess", GUESS),
        ("In 1867.\nFrom: both", BOTH),
        ("In 1867.\nFrom: knowledge", ""),
        ("In 1867.", ""),
    ],
)
async def test_what_no_document_holds_is_noted_and_kept_apart(answer, reply, note):
    found = await answer(reply)
    assert found.response == reply.split("\n")[0]
    assert "; ".join(found.notes) == note
    assert found.trail == {"origin": reply.partition("From: ")[2]}


@pytest.mark.parametrize(
    ("reply", "response"),
    [
        ("From: memory", NOTHING),
        ("no answer found", NOTHING),
        ("No answer found.\nFrom: knowledge", NOTHING),
        ("No answer found. She may be from Warsaw.", "No answer found. She may be from Warsaw."),
        ([{"when": f"[1] Marie Curie\n{PAGE}", "reply": "In 1867."}], "In 1867."),
    ],
)
async def test_what_is_said_beside_no_answer_stays(answer, reply, response):
    """Where a reply says only where it is from, it is none; strips have numbers and titles."""
    assert (await answer(reply)).response == response


async def test_a_model_answers_without_knowledge(answer):
    """Algorithm 1 always generates."""
    found = await answer("In 1867.", documents=[])
    assert (found.response, found.usage.model_calls) == ("In 1867.", 1)
    assert found.notes[-2:] == ("nothing relevant was found to answer from", MEMORY)


@pytest.mark.parametrize(
    ("documents", "origin", "response", "calls"),
    [
        ([], "memory", NOTHING, 0),
        ([BEES], "memory", NOTHING, 1),
        ([CURIE], "memory", NOTHING, 1),
        ([CURIE], "knowledge", "In 1867.", 1),
    ],
)
async def test_abstaining_gives_no_answer_from_memory(answer, documents, origin, response, calls):
    found = await answer(f"In 1867.\nFrom: {origin}", documents=documents, abstain=True)
    assert (found.response, found.usage.model_calls) == (response, calls)


@pytest.mark.parametrize("task", ["pubhealth", "arc"])
async def test_local_code_gives_no_answer_of_a_fixed_set(task):
    answer = await aanswer(CHOICES, documents=[CURIE, BEES], task=task)
    assert answer.response == NOTHING
    assert any("no answer in the form of" in note for note in answer.notes)
