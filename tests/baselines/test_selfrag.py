"""Self-RAG: deciding, answering by each passage, judging, ranking."""

import pytest

from errata import aanswer
from errata.core.errors import ChatError, SettingError
from errata.core.limits import Bounds, open_bounds
from errata.core.records import Document
from errata.evals.baselines.critiques import value_of
from errata.evals.baselines.selfrag import graph, write_locally
from errata.tools.judges.evaluator import load_local_evaluator
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
    ("weights", "response"),
    [
        ({"supported": 0, "useful": 2}, "1859"),
        ({"relevant": 0, "supported": 0, "useful": 1}, "1900"),
        ({}, "1867"),
    ],
)
async def test_the_weights_decide(scripted, weights, response):
    result = await ask(scripted(ALL), *PASSAGES, critique_weights=weights)
    assert result.response == response


@pytest.mark.parametrize(
    ("settings", "decision", "steps"),
    [
        ({}, "Retrieve: yes", ["decide", "retrieve", "generate"]),
        ({}, "Retrieve: no", ["decide", "generate"]),
        ({}, "no", ["decide", "generate"]),
        ({}, "Who knows?", ["decide", "retrieve", "generate"]),
        ({"retrieval": "always"}, "Retrieve: no", ["decide", "retrieve", "generate"]),
        ({"retrieval": "never"}, "Retrieve: yes", ["decide", "generate"]),
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
    noted = any("documents were retrieved: the reply" in note for note in taken[1][1]["notes"])
    assert noted == (decision == "Who knows?")


async def test_without_anything_to_retrieve_from_one_call_answers(scripted):
    result = await ask(scripted(ALL))
    assert (result.response, result.usage.model_calls) == ("from memory", 1)
    assert "the model gave it from memory" in result.notes[0]


async def test_a_passage_whose_call_fails_is_left_out(scripted):
    result = await ask(scripted(ALL | {"selfrag/generate.passage": BY_PASSAGE[:2]}), *PASSAGES)
    assert result.response == "1859"
    assert result.notes[0].startswith("passage 3 was left out: ")


async def test_a_model_that_fails_on_every_passage_is_an_error(scripted):
    with pytest.raises(ChatError, match=r"selfrag/generate\.passage"):
        await ask(scripted(ALL | {"selfrag/generate.passage": []}), *PASSAGES)


async def test_critiques_that_cannot_be_read_are_worth_nothing_and_noted(scripted):
    replies = [{"when": "Bees", "reply": "It was 1900."}, *BY_PASSAGE[1:]]
    model = scripted(ALL | {"selfrag/generate.passage": replies})
    assert (await ask(model, *PASSAGES)).response == "1867"
    alone = await ask(model, BEES)
    assert alone.response == "It was 1900."
    assert [note.rpartition(" is ")[2] for note in alone.notes] == [
        "relevant was not judged",
        "supported was not judged",
    ]


async def test_an_answer_that_its_critique_doubts_has_a_note(scripted):
    result = await ask(scripted(ALL), BEES)
    assert result.response == "1900"
    assert len([note for note in result.notes if "own critique" in note]) == 2


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


async def test_passages_over_the_most_are_left_out_with_a_note(scripted):
    result = await ask(scripted(ALL), *PASSAGES, max_passages=2)
    assert (result.response, result.usage.model_calls) == ("1859", 3)
    assert result.notes == ("passages over max_passages=2 were left out",)


async def test_local_code_answers_by_the_passage_it_trusts_most():
    result = await ask("local", *PASSAGES)
    assert result.response == PAGE
    assert [strip.document for strip in result.knowledge] == ["curie"]
    best = result.trail["candidates"][0]
    assert set(best["critiques"]) == {"relevant", "supported"}
    assert result.notes == ("the answer was put together from strips of the documents",)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"retrieval": "sometimes"}, "retrieval='sometimes'"),
        ({"retrieval_threshold": 1}, "retrieval_threshold=1"),
        ({"critique_weights": {"nice": 1}}, "nice"),
        ({"roles": {"verify": "local"}}, "no role is called 'verify'"),
    ],
)
async def test_wrong_settings_are_an_error(settings, message):
    with pytest.raises(SettingError, match=message):
        await ask("local", CURIE, **settings)


def test_local_code_answers_by_relevant_passages_alone():
    passages = [[Document(text=PAGE, title="Marie Curie")], [Document(text="Bees fly far.")]]
    (answer, critiques), (none, nothing) = write_locally(
        BIRTH_QUESTION, passages, lambda strips: strips[0].text, load_local_evaluator
    )
    assert (answer, none, nothing) == (PAGE, "", {})
    assert value_of(critiques, "relevant") > 0.5
    assert value_of(critiques, "supported") > 0.5


def test_passages_over_the_time_are_not_read():
    passages = [[Document(text=PAGE)]] * 2
    with open_bounds(Bounds(max_seconds=1e-9), 0.0) as bounds:
        answers = write_locally(BIRTH_QUESTION, passages, str, load_local_evaluator)
    assert answers == [("", {}), ("", {})]
    assert next(iter(bounds.notes)).startswith("2 passages were not read")
