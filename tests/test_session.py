"""A session: settings validated once, connections kept, one bound on an endpoint for all."""

import asyncio
import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.applications import Starlette
from starlette.responses import JSONResponse
from starlette.routing import Route

from errata import Session, correct
from errata.bulk import VerifyRow, verify_rows
from errata.errors import InputError, SettingError
from errata.tools.models.opening import current_models

QUESTION = "Who was Marie Curie?"
DRAFT = "Marie Curie was born in 1865. She was a physicist."
PAGE = "Marie Curie (born 7 November 1867) was a Polish and French physicist."


class Model:
    """A server on loopback that finds every claim true, slowly, and counts."""

    def __init__(self):
        self.busy, self.most, self.calls, self.peers = 0, 0, 0, set()

    async def complete(self, request):
        self.calls += 1
        self.peers.add(request.client.port)
        self.busy += 1
        self.most = max(self.most, self.busy)
        await asyncio.sleep(0.05)
        self.busy -= 1
        message = {"role": "assistant", "content": "1: True\n2: True"}
        row = {"index": 0, "message": message, "finish_reason": "stop"}
        about = {"id": "1", "created": 1, "model": "m", "object": "chat.completion"}
        return JSONResponse({**about, "choices": [row]})


@pytest.fixture
def model(serving, monkeypatch):
    server = Model()
    app = Starlette(routes=[Route("/v1/chat/completions", server.complete, methods=["POST"])])
    monkeypatch.setenv("OPENAI_BASE_URL", f"{serving(app)}/v1")
    return server


VERIFIED = {"roles": {"verify": "openai:m"}}


def test_plain_calls_share_one_connection_in_a_session(model):
    with Session("rac", **VERIFIED) as session:
        for _ in range(4):
            assert session.check(QUESTION, DRAFT, [PAGE]).label == "supported"
    assert model.calls == 4
    assert len(model.peers) == 1


def test_async_calls_share_one_connection_in_a_session(model):
    async def run():
        async with Session("rac", **VERIFIED) as session:
            return [await session.acheck(QUESTION, DRAFT, [PAGE]) for _ in range(3)]

    assert [done.label for done in asyncio.run(run())] == ["supported"] * 3
    assert len(model.peers) == 1


def test_a_session_serves_many_threads(model):
    with Session("rac", **VERIFIED) as session, ThreadPoolExecutor(8) as pool:
        runs = [pool.submit(session.check, QUESTION, DRAFT, [PAGE]) for _ in range(16)]
    assert {run.result().label for run in runs} == {"supported"}


def test_a_bound_on_an_endpoint_holds_across_threads_and_settings(model):
    """Two sessions and plain calls from eight threads never have more under way than allowed."""

    def check(at_once):
        return correct(QUESTION, DRAFT, documents=[PAGE], at_once=at_once, **VERIFIED)

    with (
        Session("rac", at_once=2, **VERIFIED) as session,
        ThreadPoolExecutor(8) as pool,
    ):
        runs = [pool.submit(check, 1 + n % 2) for n in range(8)]
        runs += [pool.submit(session.check, QUESTION, DRAFT, [PAGE]) for _ in range(8)]
    assert {run.result().label for run in runs} == {"supported"}
    assert model.most <= 2


def test_no_thread_is_left_behind():
    correct(QUESTION, DRAFT, documents=[PAGE])
    with Session("rac") as session:
        session.correct(QUESTION, DRAFT, [PAGE])
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        names = [thread.name for thread in threading.enumerate()]
        if not any("portal" in name for name in names):
            break
        time.sleep(0.01)
    assert not any("portal" in name for name in names)


def test_a_session_works_without_with_and_inside_a_running_loop():
    session = Session("rac")

    async def cell():
        return session.correct(QUESTION, DRAFT, [PAGE]).response

    assert asyncio.run(cell()).startswith("Marie Curie was born in 1867")
    assert session.check(QUESTION, DRAFT, [PAGE]).label == "refuted"


def test_rows_are_judged_by_the_sessions_own_models(model):
    """They are closed when the session ends, as those of single calls are."""
    rows = [VerifyRow(claim="She was a physicist.", evidence=(PAGE,), id=str(n)) for n in range(3)]

    async def collect(results):
        return [row async for row in results]

    with Session("rac", **VERIFIED) as session:
        results = session.run(collect, verify_rows(rows, session))
        assert session.run(opened_models) == 1
    assert [row["label"] for row in results] == ["supported"] * 3
    assert len(model.peers) <= 3


async def opened_models():
    return len(current_models()._models)


def test_settings_are_refused_when_the_session_is_made():
    with pytest.raises(SettingError, match="no setting 'colour'"):
        Session("rac", colour="red")
    with pytest.raises(SettingError, match="no method is called 'magic'"):
        Session("magic")
    with pytest.raises(SettingError, match="review stops the run"):
        Session("rac", review="all")


def test_a_session_does_what_its_method_does():
    with pytest.raises(SettingError, match="crag can answer"):
        Session("crag").correct(QUESTION, DRAFT)
    with pytest.raises(SettingError, match="rac can correct or check"):
        Session("rac").answer(QUESTION)
    with pytest.raises(InputError, match="put it in brackets"):
        Session("crag").answer(QUESTION, PAGE)


def test_an_error_leaves_the_session_usable(scripted):
    path = scripted({"rac/verify": "1: True\n2: True"})
    with Session("rac", roles={"verify": path}) as session:
        with pytest.raises(InputError):
            session.correct("", "")
        assert json.dumps(session.check(QUESTION, DRAFT, [PAGE]).notes) == "[]"
