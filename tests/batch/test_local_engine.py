"""The engine of one machine: many rows at once by models, one by one without them."""

from contextlib import AsyncExitStack

import pytest

from errata.batch.local_engine import LocalEngine, room_for
from errata.batch.rows import BatchRow
from errata.batch.work import Work
from errata.core.errors import AccessError
from errata.core.records import Document
from errata.methods import METHODS
from errata.nodes.rac.state import RacContext
from errata.tools.models.chat import endpoint_for
from errata.tools.models.pool import close_loop_models
from example import DRAFT, PAGE, QUESTION, REPLIES, RESPONSE

ROW = BatchRow(id="a", question=QUESTION, draft=DRAFT, documents=(Document(text=PAGE),))
MODEL = {"model": "openai:m", "retries": 0}


def rows(count):
    return [BatchRow(id=str(n), draft=ROW.draft, documents=ROW.documents) for n in range(count)]


@pytest.mark.parametrize("method", METHODS)
def test_every_method_works_on_a_row_locally(method):
    [result] = LocalEngine()(Work(method), [ROW])
    assert (result["id"], result["method"], "error" in result) == ("a", method, False)
    assert result["response"]


def test_rows_are_under_way_together_and_read_as_there_is_room(openai_server):
    openai_server.replies, openai_server.delay = REPLIES, 0.05
    taken = []
    given = (taken.append(row.id) or row for row in rows(12))
    results = LocalEngine(at_once=4)(Work("rac", MODEL), given)
    first = next(results)
    assert len(taken) <= 5
    others = list(results)
    assert sorted(row["id"] for row in [first, *others]) == sorted(map(str, range(12)))
    assert {row["response"] for row in others} == {RESPONSE}
    assert 1 < openai_server.most <= 4 * 2


@pytest.mark.anyio
@pytest.mark.usefixtures("openai_server")
async def test_there_is_room_for_as_many_rows_as_endpoints_allow_calls():
    limits = {"breaker_after": 1, "breaker_seconds": 60}
    context = RacContext(model="openai:m", **limits)
    endpoint = endpoint_for(context.model_for("verify"))
    assert room_for(context, 32) == 32
    async with AsyncExitStack() as stack:
        for _ in range(4):
            await stack.enter_async_context(endpoint.gate.enter(32))
        endpoint.gate.count(refused=True)
    assert room_for(context, 32) == 6
    with pytest.raises(ConnectionError), endpoint.breaker.watch(1, 60):
        raise ConnectionError
    elsewhere = "openai:m@http://127.0.0.1:9/v1"
    one_role = RacContext(model=elsewhere, roles={"verify": "openai:m"}, **limits)
    assert room_for(context, 32) == room_for(one_role, 32) == 0
    for others in (f"openai:m,{elsewhere}", elsewhere):
        assert room_for(RacContext(model=others, **limits), 32) == 6
    await close_loop_models()


def test_rows_wait_for_a_server_that_is_down(openai_server):
    openai_server.replies = REPLIES
    openai_server.plan = [500, 500]
    settings = {**MODEL, "breaker_after": 2, "breaker_seconds": 0.3}
    results = {row["id"]: row for row in LocalEngine(at_once=2)(Work("rac", settings), rows(12))}
    assert len(results) == 12
    assert sum("error" in row for row in results.values()) <= 4


@pytest.mark.parametrize(
    ("plan", "number", "fault"),
    [
        ([500] * 2, 3, "no call to a model was answered"),
        ([0.0, 500, 500], 1, "no claim could be judged"),
    ],
)
def test_a_row_that_fails_harms_no_other(openai_server, plan, number, fault):
    openai_server.replies, openai_server.plan = REPLIES, plan
    results = list(LocalEngine(at_once=1)(Work("rac", MODEL), rows(number)))
    [failed] = [row for row in results if "error" in row]
    assert failed["error"].startswith(fault)
    assert failed["draft"] == failed["response"] == DRAFT
    assert openai_server.KEY not in str(results)
    assert {row["response"] for row in results if row is not failed} <= {RESPONSE}


def test_the_environments_call_cache_is_used(openai_server, bench, monkeypatch, tmp_path):
    openai_server.replies = REPLIES
    bench.write([{"id": "a", "draft": DRAFT, "documents": [PAGE]}])
    monkeypatch.setenv("ERRATA_CALL_CACHE", str(tmp_path / "shared.sqlite"))
    assert bench.run(engine=LocalEngine(), model="openai:m").calls
    bench.out = bench.out.with_name("other.jsonl")
    assert bench.run(engine=LocalEngine(), model="openai:m").calls == 0
    assert not list(tmp_path.glob("*.calls.sqlite"))


def test_a_refused_key_ends_the_batch(openai_server):
    openai_server.replies = REPLIES
    results = LocalEngine(at_once=1)(Work("rac", MODEL), rows(3))
    assert next(results)["id"] == "0"
    openai_server.plan = [401] * 9
    with pytest.raises(AccessError):
        list(results)


def test_a_fault_of_the_input_is_raised(openai_server):
    def broken():
        yield ROW
        raise OSError("the disk is gone")

    openai_server.replies = REPLIES
    with pytest.raises(OSError, match="the disk is gone"):
        list(LocalEngine()(Work("rac", MODEL), broken()))
