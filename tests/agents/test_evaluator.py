"""The methods as evaluators, in the hands of LangSmith and openevals."""

import asyncio
import json
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langsmith import Client, aevaluate, evaluate
from langsmith.evaluation import EvaluationResult
from langsmith.schemas import Example
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata import aevaluator, evaluator
from errata.core.errors import InputError, SettingError
from errata.core.records import Claim, Correction, Document, Verdict
from errata.langchain.evaluator import rate, texts_in
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

OFFLINE = pytest.mark.filterwarnings("ignore:'upload_results' parameter is in beta")
CHAT = [{"role": "user", "content": QUESTION}, {"role": "assistant", "content": DRAFT}]
RUNS = {
    "our own names": ({"question": QUESTION, "documents": [PAGE]}, {"draft": DRAFT}, None),
    "a chain": ({"input": QUESTION}, {"answer": DRAFT, "context": [PAGE]}, None),
    "texts": (QUESTION, DRAFT, PAGE),
    "a reference": ({"question": QUESTION}, {"output": DRAFT}, {"answer": PAGE}),
    "a chat": ({"messages": CHAT[:1]}, {"messages": CHAT}, {"messages": [AIMessage(PAGE)]}),
    "a trajectory": (None, CHAT, [PAGE]),
    "messages": (None, [HumanMessage(QUESTION), AIMessage(DRAFT)], PAGE),
}


@pytest.fixture(autouse=True)
def untraced(monkeypatch):
    monkeypatch.setenv("LANGSMITH_TRACING", "false")


@pytest.mark.parametrize(("inputs", "outputs", "reference"), RUNS.values(), ids=RUNS)
def test_an_evaluator_says_what_is_wrong_and_what_would_be_right(inputs, outputs, reference):
    result = evaluator()(inputs=inputs, outputs=outputs, reference_outputs=reference)
    assert (result["key"], result["score"]) == ("factuality", pytest.approx(1 / 3))
    assert list(result["correction"].values()) == [RESPONSE]
    assert "refuted" in result["comment"]
    assert result["metadata"]["label"] == "refuted"
    assert json.loads(json.dumps(result)) == result


def test_a_correction_stands_under_the_name_of_the_output():
    result = evaluator(documents=[PAGE], key="facts")(outputs={"answer": DRAFT}, inputs=None)
    assert (result["key"], result["correction"]) == ("facts", {"answer": RESPONSE})
    plain = evaluator(documents=[PAGE], correct=False)(outputs=DRAFT)
    assert "correction" not in plain


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("1: perhaps\n2: True\n3: True", "1 of 3 verdicts unreadable"),
        ("", "none of 3 claims was judged"),
    ],
)
def test_what_could_not_be_read_is_unscored(scripted, reply, reason):
    model = scripted(REPLIES | {"rac/verify": reply})
    result = evaluator(model=model)(inputs=QUESTION, outputs=DRAFT, reference_outputs=PAGE)
    assert result["score"] is None
    assert reason in result["comment"]
    assert EvaluationResult(**result).score is None


def test_without_evidence_nothing_is_scored():
    result = evaluator()(inputs=QUESTION, outputs=DRAFT)
    assert (result["score"], result["comment"]) == (None, "unscored: none of 3 claims was judged")


@pytest.mark.parametrize("outputs", [{}, "", {"other": "x"}, {"messages": CHAT[:1]}])
def test_an_output_without_a_text_is_refused(outputs):
    with pytest.raises(InputError):
        evaluator()(inputs=QUESTION, outputs=outputs)


@pytest.mark.parametrize("make", [evaluator, aevaluator])
def test_settings_are_checked_when_it_is_made(make):
    with pytest.raises(SettingError):
        make(no_such_setting=1)
    with pytest.raises(SettingError, match="choose another method"):
        make("crag")


def test_claims_that_nothing_could_judge_do_not_count():
    labels = ["supported", "unchecked", "refuted"]
    correction = Correction(
        method="rac",
        question="",
        draft=DRAFT,
        response=DRAFT,
        changed=False,
        label="refuted",
        claims=tuple(Claim(id=f"c{n}", text="", start=0, end=1) for n in range(3)),
        verdicts=tuple(Verdict(claim=f"c{n}", label=label) for n, label in enumerate(labels)),
        documents=(Document(text=PAGE),),
    )
    assert rate(correction) == (0.5, "")


@pytest.mark.parametrize(
    ("reference", "texts"),
    [(None, []), ("a", ["a"]), ({"x": ["a", 1, " "], "y": {"z": "b"}}, ["a", "b"]), (7, [])],
)
def test_texts_of_a_reference(reference, texts):
    assert texts_in(reference) == texts


def examples():
    now = datetime.now(UTC)
    asked, answered = {"question": QUESTION}, {"answer": PAGE}
    ids = {"id": uuid4(), "dataset_id": uuid4()}
    return [Example(**ids, created_at=now, inputs=asked, outputs=answered)]


@pytest.fixture
def local(serving):
    """What keeps an evaluation on this machine: a server that takes all that LangSmith sends."""

    async def take(_):
        return JSONResponse({}, status_code=202)

    methods = ["GET", "POST", "PATCH"]
    url = serving(Starlette(routes=[Route("/{path:path}", take, methods=methods)]))
    client = Client(api_url=url, api_key="none", auto_batch_tracing=False, info={})
    return {"client": client, "upload_results": False}


def answer(inputs: dict) -> dict:
    assert inputs["question"] == QUESTION
    return {"answer": DRAFT}


def checked(results):
    [row] = results
    [feedback] = row["evaluation_results"]["results"]
    assert isinstance(feedback, EvaluationResult)
    assert (feedback.key, feedback.score) == ("factuality", pytest.approx(1 / 3))
    assert feedback.correction == {"answer": RESPONSE}


@OFFLINE
def test_langsmith_evaluates_with_it(local):
    checked(list(evaluate(answer, data=examples(), evaluators=[evaluator()], **local)))


@OFFLINE
def test_langsmith_evaluates_with_it_inside_an_event_loop(local):

    async def target(inputs: dict) -> dict:
        return answer(inputs)

    async def run():
        own = [aevaluator()]
        results = await aevaluate(target, data=examples(), evaluators=own, **local)
        return [row async for row in results]

    checked(asyncio.run(run()))


def test_openevals_evaluates_a_conversation_with_it():
    simulators = pytest.importorskip("openevals.simulators", reason="needs openevals")
    result = simulators.run_multiturn_simulation(
        app=lambda message, *, thread_id: {"role": "assistant", "content": DRAFT},  # noqa: ARG005
        user=lambda trajectory, **_: CHAT[0],  # noqa: ARG005
        max_turns=1,
        trajectory_evaluators=[evaluator()],
        reference_outputs=PAGE,
    )
    [feedback] = result["evaluator_results"]
    assert feedback["score"] == pytest.approx(1 / 3)
    assert feedback["correction"] == {"output": RESPONSE}
