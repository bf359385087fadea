"""The forms that answers have, and what is said of those that are not from the documents."""

import pytest

from errata import aanswer
from errata.core.records import Document
from errata.tools.local.generate import judge_statement
from example import BIRTH_QUESTION, PAGE

pytestmark = pytest.mark.anyio
CURIE = {"id": "curie", "title": "Marie Curie", "text": PAGE}
BEES = {"id": "bees", "title": "Bees", "text": "Bees make honey. They fly far."}
CHOICES = "Which of these makes honey?\nA: bees\nB: stones\nC: the sea"
MEMORY = "the answer is not from the documents: the model gave it from memory"
GUESS = "the answer is not from the documents: it is a guess of the model's"
BOTH = "part of the answer is not from the documents: the model gave it from memory"


@pytest.mark.parametrize(
    ("task", "prompt", "question", "reply", "response"),
    [
        ("popqa", "crag/generate.short", BIRTH_QUESTION, "Answer: 1867", "1867"),
        ("biography", "crag/generate.long", "Who was Marie Curie?", "She was born.", None),
        ("pubhealth", "crag/generate.verdict", "Bees make honey.", "**Yes**, they do.", "true"),
        ("arc", "crag/generate.choice", CHOICES, "Answer: (A) bees", "A"),
        ("arc", "crag/generate.choice", CHOICES, "bees", "A"),
        ("arc", "crag/generate.choice", CHOICES.replace("A:", "1:").replace("B:", "2:"), "b", "2"),
        ("", "crag/generate", BIRTH_QUESTION, "In 1867.", None),
    ],
)
async def test_a_task_brings_its_form(scripted, task, prompt, question, reply, response):
    model = scripted({prompt: f"{reply}\nFrom: knowledge"})
    roles = {"generate": model}
    answer = await aanswer(question, documents=[CURIE, BEES], task=task, roles=roles)
    assert answer.response == (response or reply)
    assert not [note for note in answer.notes if "answer" in note]


async def test_a_reply_that_says_only_where_it_is_from_is_no_answer(scripted):
    roles = {"generate": scripted({"crag/generate": "From: memory"})}
    answer = await aanswer(BIRTH_QUESTION, documents=[CURIE], roles=roles)
    assert answer.response == "No answer found."


@pytest.mark.parametrize("task", ["pubhealth", "arc"])
async def test_a_reply_in_another_form_stays_and_is_noted(scripted, task):
    script = {"crag/generate.verdict": "Perhaps.", "crag/generate.choice": "Perhaps."}
    answer = await aanswer(
        CHOICES, documents=[BEES], task=task, roles={"generate": scripted(script)}
    )
    assert answer.response == "Perhaps."
    assert any("has no answer in the form of" in note for note in answer.notes)


@pytest.mark.parametrize(
    ("reply", "note"),
    [
        ("In 1867.\nFrom: memory", MEMORY),
        ("In 1867.\nFrom: guess", GUESS),
        ("In 1867.\nFrom: both", BOTH),
        (
            "In 1867, as Ann Lee says.",
            "the answer names 'Ann Lee', which nothing that was read holds",
        ),
        ("In 1867.", None),
    ],
)
async def test_what_no_document_holds_is_noted(scripted, reply, note):
    roles = {"generate": scripted({"crag/generate": reply})}
    answer = await aanswer(BIRTH_QUESTION, documents=[CURIE], roles=roles)
    assert answer.response == reply.split("\n")[0]
    assert answer.notes == ((note,) if note else ())


@pytest.mark.parametrize(
    ("reply", "response"),
    [
        ("no answer found", "No answer found."),
        ("No answer found.\nFrom: knowledge", "No answer found."),
        ("No answer found. She may be from Warsaw.", "No answer found. She may be from Warsaw."),
    ],
)
async def test_what_is_said_beside_no_answer_stays(scripted, reply, response):
    roles = {"generate": scripted({"crag/generate": reply})}
    answer = await aanswer(BIRTH_QUESTION, documents=[CURIE], roles=roles)
    assert answer.response == response


async def test_a_model_answers_without_knowledge(scripted):
    """Algorithm 1 always generates."""
    roles = {"generate": scripted({"crag/generate": "In 1867."})}
    answer = await aanswer(BIRTH_QUESTION, documents=[BEES], roles=roles)
    assert (answer.response, answer.usage.model_calls) == ("In 1867.", 1)
    assert answer.notes[-2:] == ("nothing relevant was found to answer from", MEMORY)


@pytest.mark.parametrize(("documents", "calls"), [([BEES], 0), ([CURIE], 1)])
async def test_abstaining_gives_no_answer_from_memory(scripted, documents, calls):
    roles = {"generate": scripted({"crag/generate": "In 1867.\nFrom: memory"})}
    answer = await aanswer(BIRTH_QUESTION, documents=documents, roles=roles, abstain=True)
    assert (answer.response, answer.usage.model_calls) == ("No answer found.", calls)


async def test_abstaining_keeps_an_answer_from_the_knowledge(scripted):
    roles = {"generate": scripted({"crag/generate": "In 1867.\nFrom: knowledge"})}
    answer = await aanswer(BIRTH_QUESTION, documents=[CURIE], roles=roles, abstain=True)
    assert answer.response == "In 1867."


async def test_strips_are_shown_with_numbers_and_titles(scripted):
    shown = f"[1] Marie Curie\n{PAGE}"
    roles = {"generate": scripted({"crag/generate": [{"when": shown, "reply": "In 1867."}]})}
    answer = await aanswer(BIRTH_QUESTION, documents=[CURIE], roles=roles)
    assert answer.response == "In 1867."


@pytest.mark.parametrize(
    ("task", "question", "response"),
    [
        ("pubhealth", "Marie Curie was born on 7 November 1867.", "true"),
        ("pubhealth", "Marie Curie was born on 7 November 1870.", "false"),
        ("pubhealth", "Marie Curie kept nine cats.", "No answer found."),
        ("arc", CHOICES, "A"),
        ("arc", "Who makes honey?", "No answer found."),
    ],
)
async def test_local_code_keeps_to_the_form(task, question, response):
    answer = await aanswer(question, documents=[CURIE, BEES], task=task)
    assert answer.response == response
    assert any("words" in note for note in answer.notes)
    unfilled = any("no answer in the form of" in note for note in answer.notes)
    assert unfilled == (response == "No answer found.")


@pytest.mark.parametrize(
    ("statement", "answers"),
    [
        ("Marie Curie was born in Warsaw.", {"true"}),
        ("Marie Curie was born in 1870.", {"false"}),
        ("Marie Curie was born in Paris.", {"false", ""}),
    ],
)
def test_local_code_calls_a_statement_true_only_if_the_documents_bear_it_out(statement, answers):
    strip = Document(
        title="Marie Curie",
        text="Marie Curie (born 7 November 1867 – died 4 July 1934) was a Polish and French "
        "physicist and chemist who studied radioactivity.\n\nShe was born in Warsaw, then part of "
        "the Russian Empire, as the youngest of five children. In 1891 she moved to Paris, where "
        "she studied at the Sorbonne.",
    )
    assert judge_statement(statement, [strip]) in answers
