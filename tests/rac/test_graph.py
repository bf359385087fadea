"""The ways through RAC's graph, with local code."""

import pytest

from errata import acheck, acorrect
from errata.core.errors import InputError
from errata.graphs.rac import graph
from example import CORRECTED_CLAIM, DOCUMENTS, DRAFT, LONG_PAGE, PAGE, QUESTION, REPLIES, REQUEST
from waiting_chat import waiting_chat

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("context", "steps"),
    [
        ({}, "receive retrieve extract verify correct revise propose review report"),
        ({"rag": False}, "receive retrieve extract correct revise propose review report"),
        ({"check_only": True}, "receive retrieve extract verify report"),
        ({"check_only": True, "rag": False}, "receive retrieve extract verify report"),
    ],
)
async def test_the_settings_choose_a_drafts_way(updates, context, steps):
    assert [name for name, _ in await updates(graph, REQUEST, context)] == steps.split()


async def test_without_a_draft_one_is_written_first_and_told(updates, scripted):
    request = {"question": QUESTION, "documents": DOCUMENTS}
    steps = await updates(graph, request)
    assert [name for name, _ in steps][:4] == ["receive", "retrieve", "generate", "extract"]
    assert steps[2][1]["draft"].startswith("Marie Curie (born")
    assert "put together from sentences" in steps[2][1]["notes"][0]
    model = scripted({**REPLIES, "rac/generate.rag": [DRAFT]})
    result = await graph.ainvoke(request, context={"model": model})
    assert "no draft was given: a model wrote one" in result["notes"]


async def test_the_last_answer_of_a_chat_is_corrected():
    chat = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": DRAFT}]
    out = await graph.ainvoke({"messages": chat, "documents": DOCUMENTS})
    assert (out["question"], out["draft"]) == (QUESTION, DRAFT)
    assert out["messages"][-1].content == out["response"]
    assert out["response"].startswith(CORRECTED_CLAIM)


@pytest.mark.parametrize("once", [{"documents_per_claim": 0}, {"profile": "paper"}])
@pytest.mark.parametrize("rag", [True, False])
async def test_a_run_retrieves_once_and_corrects_once(updates, rag, once, root):
    """Table 1: one retrieval and one correction pass, whatever the draft."""
    context = {"rag": rag, "corpus": str(root / "demo" / "corpus"), **once}
    steps = await updates(graph, {"question": QUESTION, "draft": DRAFT}, context)
    names = [name for name, _ in steps]
    assert names.count("retrieve") == names.count("correct") == 1
    assert "look_up" not in names
    bills = [getattr(update["usage"], "value", update["usage"]) for _, update in steps]
    assert sum(bill["searches"] for bill in bills) == 1


@pytest.mark.parametrize("method", ["rac", "reex"])
async def test_documents_over_the_limit_are_left_out_with_a_note(method):
    documents = [PAGE, "More.", "More still."]
    correction = await acheck(QUESTION, DRAFT, method, documents, max_documents=1)
    assert [document.id for document in correction.documents] == ["d1"]
    assert "2 documents were left out: max_documents=1" in correction.notes


@pytest.mark.parametrize(
    ("settings", "ids"),
    [
        ({"entity": "Curie"}, ["a"]),
        ({"blocked_domains": ["github"]}, ["a"]),
        ({"max_document_tokens": 20}, ["a"]),
        ({}, ["a", "b"]),
    ],
)
async def test_documents_are_filtered_by_the_settings(settings, ids):
    documents = [
        {"id": "a", "text": LONG_PAGE},
        {"id": "b", "text": "Another person.", "url": "https://github.com/x"},
    ]
    correction = await acheck(QUESTION, DRAFT, documents=documents, **settings)
    assert [document.id for document in correction.documents] == ids


@pytest.mark.parametrize("cut", [True, False])
async def test_sections_of_references_are_cut_if_set(cut):
    page = f"# Curie\n\n{PAGE}\n\n## References\n\nOf radium.\n"
    correction = await acheck(QUESTION, DRAFT, documents=[page], cut_sections=cut)
    assert ("Of radium." in correction.documents[0].text) is not cut


@pytest.mark.parametrize("empty", [{}, {"draft": "  \n"}, {"messages": []}])
async def test_a_request_without_question_and_draft_is_an_error(empty):
    with pytest.raises(InputError, match="give at least one"):
        await graph.ainvoke(empty)


async def test_several_claims_are_corrected_at_once():
    roles = {"correct": waiting_chat({"rac/correct": CORRECTED_CLAIM}, calls=2)}
    draft = "Marie Curie was born in 1865. Marie Curie died in 1990."
    page = "Marie Curie (born 7 November 1867 – died 4 July 1934) was a physicist."
    correction = await acorrect(QUESTION, draft, documents=[page], roles=roles, claims_per_call=1)
    assert correction.usage.model_calls == 2
