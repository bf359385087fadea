"""The plain rows: from memory, RAG, RAG with the web, chain of thought."""

import pytest

from errata import aanswer
from errata.core.errors import SettingError
from errata.evals.baselines.plain import graph
from example import BIRTH_QUESTION, PAGE

pytestmark = pytest.mark.anyio
CURIE = {"id": "curie", "title": "Marie Curie", "text": PAGE}
BEES = {"id": "bees", "title": "Bees", "text": "Bees make honey. They fly far."}
REQUEST = {"question": BIRTH_QUESTION, "documents": [CURIE]}
WEB = ["rewrite", "search", "read", "select"]
ANSWER = "Answer: 1867"


@pytest.mark.parametrize(
    ("settings", "steps"),
    [
        ({}, ["retrieve"]),
        ({"search": "demo"}, ["retrieve", *WEB]),
        ({"rag": False, "search": "demo"}, []),
    ],
)
async def test_each_row_has_its_steps(updates, demo, settings, steps):
    context = settings | ({"search": demo} if "search" in settings else {})
    names = [name for name, _ in await updates(graph, REQUEST, context)]
    assert names == ["receive", *steps, "generate"]


@pytest.mark.parametrize(
    ("settings", "prompt"),
    [
        ({}, "plain/generate.rag"),
        ({"chain_of_thought": True}, "plain/generate.rag.cot"),
        ({"rag": False}, "plain/generate"),
        ({"rag": False, "chain_of_thought": True}, "plain/generate.cot"),
    ],
)
async def test_each_row_takes_one_call_by_its_prompt(scripted, settings, prompt):
    model = scripted({prompt: f"Step by step, 1866 or 1867.\n{ANSWER}"})
    result = await aanswer(
        BIRTH_QUESTION, documents=[CURIE], method="plain", model=model, **settings
    )
    assert (result.response, result.action, result.usage.model_calls) == ("1867", "", 1)
    assert list(result.prompts) == [f"{prompt}.v1"]
    from_memory = not settings.get("rag", True)
    assert any("gave it from memory" in note for note in result.notes) is from_memory
    assert ("rag is off: the documents were not read" in result.notes) is from_memory
    assert [strip.document for strip in result.knowledge] == ([] if from_memory else ["curie"])


async def test_with_the_web_the_answer_is_by_both(scripted, demo):
    both = [{"when": "[2] Marie Curie\nMarie Curie (born 7 November", "reply": ANSWER}]
    model = scripted({"plain/generate.rag": both, "crag/rewrite": "Marie Curie, born"})
    result = await aanswer(
        BIRTH_QUESTION, documents=[BEES], method="plain", model=model, search=demo
    )
    assert result.response == "1867"
    assert result.queries == ("Marie Curie, born",)
    assert {document.source for document in result.documents} == {"given", "web"}


async def test_after_steps_without_a_label_the_last_line_is_the_answer(scripted):
    model = scripted({"plain/generate.rag.cot": "She was a physicist.\nTrue it is not: false"})
    settings = {"method": "plain", "model": model, "chain_of_thought": True}
    result = await aanswer(BIRTH_QUESTION, documents=[CURIE], **settings)
    assert result.response == "True it is not: false"


async def test_local_code_answers_by_documents():
    result = await aanswer(BIRTH_QUESTION, documents=[CURIE], method="plain")
    assert result.response == PAGE
    assert "put together from strips" in result.notes[0]


async def test_a_chat_model_cannot_score_strips(scripted):
    roles = {"evaluate": scripted({})}
    with pytest.raises(SettingError, match="in plain an evaluator alone can fill this role"):
        await aanswer(BIRTH_QUESTION, documents=[CURIE], method="plain", roles=roles)
