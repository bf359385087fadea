"""Self-RAG: deciding, answering by each passage, judging, ranking."""

import pytest

from errata import aanswer
from errata_baselines.selfrag import graph
from example import BIRTH_QUESTION, PAGE

pytestmark = pytest.mark.anyio
CURIE = {"id": "curie", "title": "Marie Curie", "text": PAGE}
BEES = {"id": "bees", "title": "Bees", "text": "Bees make honey. They fly far."}
PIERRE = {"id": "pierre", "title": "Pierre Curie", "text": "Pierre Curie was born in 1859."}
PASSAGES = [BEES, PIERRE, CURIE]
WEB = ["rewrite", "search", "read", "select"]


def said(answer, relevant, supported, useful):
    lines = (f"Relevant: {relevant}", f"Answer: {answer}", f"Supported: {supported}")
    return "\n".join([*lines, f"Useful: {useful}"])


BY_PASSAGE = [
    {"when": "Bees make honey", "reply": said("1900", "no", "no", 5)},
    {"when": "in 1859", "reply": said("1859", "yes", "partially", 5)},
    {"when": "7 November 1867", "reply": said("1867", "yes", "fully", 4)},
]
ALL = {
    "selfrag/decide": "Retrieve: yes",
    "selfrag/generate.passage": BY_PASSAGE,
    "selfrag/generate": "Answer: from memory",
}


async def ask(model, *documents, **settings):
    settings = {"method": "selfrag", "model": model, **settings}
    return await aanswer(BIRTH_QUESTION, documents=[*documents], **settings)


async def test_the_answer_with_the_highest_weighted_sum_is_handed_out(scripted):
    result = await ask(scripted(ALL), *PASSAGES)
    assert (result.response, result.action) == ("1867", "")
    assert [strip.document for strip in result.knowledge] == ["curie"]
    assert result.usage.model_calls == 1 + len(PASSAGES)
    scores = {c["text"]: c["score"] for c in result.trail["candidates"]}
    assert scores == {"1867": 1 + 1 + 0.5 * 0.5, "1859": 1 + 0.5 + 0.5, "1900": 0.5}
    assert list(scores) == ["1867", "1859", "1900"]
    assert result.notes == ()


@pytest.mark.parametrize(
    ("settings", "decision", "steps"),
    [
        ({}, "Retrieve: yes", ["decide", "retrieve", "generate"]),
        ({}, "Retrieve: no", ["decide", "generate"]),
        ({}, "no", ["decide", "generate"]),
        ({}, "Who knows?", ["decide", "retrieve", "generate"]),
        ({"search": "demo"}, "Retrieve: yes", ["decide", "retrieve", *WEB, "generate"]),
    ],
)
async def test_the_model_decides_whether_to_retrieve(
    scripted, updates, demo, settings, decision, steps
):
    model = scripted({**ALL, "selfrag/decide": decision, "crag/rewrite": "Marie Curie, born"})
    context = {"model": model, **settings} | ({"search": demo} if "search" in settings else {})
    request = {"question": BIRTH_QUESTION, "documents": [CURIE]}
    taken = await updates(graph, request, context)
    assert [name for name, _ in taken] == ["receive", *steps]
    response = taken[-1][1]["response"]
    assert response == ("1867" if "retrieve" in steps else "from memory")
    notes = taken[1][1].get("notes", ())
    noted = any("documents were retrieved: the reply" in note for note in notes)
    assert noted == (decision == "Who knows?")


@pytest.mark.parametrize(
    ("documents", "response", "calls"),
    [(PASSAGES, "1867", 4), ([BEES], "No answer found.", 2), ([], "No answer found.", 0)],
)
async def test_a_run_that_abstains_needs_support(scripted, documents, response, calls):
    result = await ask(scripted(ALL), *documents, abstain=True)
    assert (result.response, result.usage.model_calls) == (response, calls)


async def test_the_scores_of_the_same_verdict_add_up(scripted):
    """As in the published program for tasks with a fixed set of answers."""
    replies = [
        {"when": "Bees", "reply": said("false", "yes", "fully", 5)},
        {"when": "1859", "reply": said("It is true.", "yes", "partially", 4)},
        {"when": "1867", "reply": said("true", "yes", "partially", 4)},
    ]
    model = scripted(ALL | {"selfrag/generate.passage": replies})
    assert (await ask(model, *PASSAGES, task="pubhealth")).response == "true"
    assert (await ask(model, *PASSAGES)).response == "false"
