"""A session: settings validated once, connections that stay open, one limit on an endpoint."""

import asyncio
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from errata import Session, correct
from errata.core.errors import InputError, SettingError
from example import DRAFT, PAGE, QUESTION, RESPONSE

ALL_TRUE = {"rac/verify": "1: True\n2: True\n3: True"}
VERIFIED = {"roles": {"verify": "openai:m"}}


@pytest.fixture
def server(openai_server):
    """A slow model that calls every claim true."""
    openai_server.replies, openai_server.delay = ALL_TRUE, 0.05
    return openai_server


def test_plain_calls_share_one_connection_in_a_session(server):
    with Session("rac", **VERIFIED) as session:
        for _ in range(4):
            assert session.check(QUESTION, DRAFT, [PAGE]).label == "supported"
    assert len(server.requests) == 4
    assert len(server.ports) == 1


def test_async_calls_share_one_connection_in_a_session(server):
    async def run():
        async with Session("rac", **VERIFIED) as session:
            return [await session.acheck(QUESTION, DRAFT, [PAGE]) for _ in range(3)]

    assert [correction.label for correction in asyncio.run(run())] == ["supported"] * 3
    assert len(server.ports) == 1


def test_the_limit_on_an_endpoint_covers_all_threads_sessions_and_plain_calls(server):
    def check(at_once):
        return correct(QUESTION, DRAFT, documents=[PAGE], at_once=at_once, **VERIFIED)

    with (
        Session("rac", at_once=2, **VERIFIED) as session,
        ThreadPoolExecutor(8) as pool,
    ):
        runs = [pool.submit(check, 1 + n % 2) for n in range(8)]
        runs += [pool.submit(session.check, QUESTION, DRAFT, [PAGE]) for _ in range(8)]
    assert {run.result().label for run in runs} == {"supported"}
    assert server.most <= 2


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


def test_a_session_works_without_with_and_inside_an_event_loop():
    session = Session("rac")

    async def cell():
        return session.correct(QUESTION, DRAFT, [PAGE]).response

    assert asyncio.run(cell()) == RESPONSE
    assert session.check(QUESTION, DRAFT, [PAGE]).label == "refuted"
    with pytest.raises(SettingError, match="review stops the run"):
        Session(review="all")


def test_a_session_has_only_its_methods_verbs():
    with pytest.raises(SettingError, match="crag can answer"):
        Session("crag").correct(QUESTION, DRAFT)
    with pytest.raises(SettingError, match="rac can correct or check"):
        Session("rac").answer(QUESTION)
    with pytest.raises(InputError, match="put it in brackets"):
        Session("crag").answer(QUESTION, PAGE)
    assert Session("rac").check(QUESTION, DRAFT, None).label == "not_mentioned"


def test_an_error_leaves_the_session_usable(scripted):
    with Session("rac", roles={"verify": scripted(ALL_TRUE)}) as session:
        with pytest.raises(InputError):
            session.correct("", "")
        assert session.check(QUESTION, DRAFT, [PAGE]).notes == ()
