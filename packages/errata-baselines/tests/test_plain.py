"""The plain rows: from memory, RAG, RAG with the web."""

import pytest

from errata import aanswer
from errata_baselines.plain import graph
from example import BIRTH_QUESTION, PAGE

pytestmark = pytest.mark.anyio
CURIE = {"id": "curie", "title": "Marie Curie", "text": PAGE}
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
    [({}, "plain/generate.rag"), ({"rag": False}, "plain/generate")],
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
