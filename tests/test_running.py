"""Sessions and plain calls, from everywhere: inside each other, in threads, tasks and forks.

A session has connections that stay open, and one limit on an endpoint.
"""

import asyncio
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack

import pytest
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

import errata
from errata import Session, check, correct
from errata.core.errors import InputError, SettingError
from errata.tools.models.scripted import ScriptedChat
from example import DRAFT, PAGE, QUESTION, RESPONSE
from forks import Fork

ALL_TRUE = {"rac/verify": "1: True\n2: True\n3: True"}
VERIFIED = {"roles": {"verify": "openai:m"}}


@pytest.fixture
def server(openai_server):
    """A slow model that calls every claim true."""
    openai_server.replies, openai_server.delay = ALL_TRUE, 0.05
    return openai_server


def plain():
    with Session("rac", **VERIFIED) as session:
        return [session.check(QUESTION, DRAFT, [PAGE]) for _ in range(3)]


async def awaited():
    async with Session("rac", **VERIFIED) as session:
        return [await session.acheck(QUESTION, DRAFT, [PAGE]) for _ in range(3)]


@pytest.mark.parametrize("run", [plain, lambda: asyncio.run(awaited())])
def test_calls_share_one_connection_in_a_session(server, run):
    assert [correction.label for correction in run()] == ["supported"] * 3
    assert (len(server.requests), len(server.ports)) == (3, 1)


def test_the_limit_on_an_endpoint_covers_all_calls_of_a_session(server):
    with Session("rac", at_once=2, **VERIFIED) as session, ThreadPoolExecutor(8) as pool:
        runs = [pool.submit(session.check, QUESTION, DRAFT, [PAGE]) for _ in range(8)]
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


def test_a_session_has_only_its_methods_verbs():
    with pytest.raises(SettingError, match="crag can answer"):
        Session("crag").correct(QUESTION, DRAFT)
    with pytest.raises(SettingError, match="rac can correct or check"):
        Session("rac").answer(QUESTION)
    with pytest.raises(SettingError, match="review stops the run"):
        Session(review="all")
    with pytest.raises(InputError, match="put it in brackets"):
        Session("crag").answer(QUESTION, PAGE)
    assert Session("rac").check(QUESTION, DRAFT, None).label == "unchecked"


def test_an_error_leaves_the_session_usable(scripted):
    with Session("rac", roles={"verify": scripted(ALL_TRUE)}) as session:
        with pytest.raises(InputError):
            session.correct("", "")
        assert session.check(QUESTION, DRAFT, [PAGE]).notes == ()


class AskingRetriever(BaseRetriever):
    """A corpus that itself asks errata, in a plain call, before it returns its page."""

    def _get_relevant_documents(self, query, *, run_manager):  # noqa: ARG002
        errata.answer(query, documents=[PAGE])
        return [Document(PAGE)]


class AskingChat(ScriptedChat):
    """A model that itself makes a plain call, inside the event loop."""

    async def _agenerate(self, messages, stop=None, run_manager=None, **kwargs):
        assert correct(QUESTION, DRAFT, documents=[PAGE]).response == RESPONSE
        return self._generate(messages, stop, run_manager, **kwargs)


@pytest.mark.parametrize("opened", [True, False])
def test_calls_inside_calls_never_wait_for_each_other(opened):
    session = Session("rac", corpus=AskingRetriever())
    asking = Session("rac", roles={"verify": AskingChat(script=ALL_TRUE)})
    with ThreadPoolExecutor(12) as pool, ExitStack() as stack:
        if opened:
            stack.enter_context(session)
            stack.enter_context(asking)
        runs = [pool.submit(session.correct, QUESTION, DRAFT) for _ in range(12)]
        assert {run.result(60).response for run in runs} == {RESPONSE}
        assert asking.check(QUESTION, DRAFT, [PAGE]).label == "supported"


def test_a_fork_of_an_open_session_works_on():
    with Session("rac") as session:
        session.correct(QUESTION, DRAFT, [PAGE])

        def work():
            signal.alarm(30)
            unread = f"{DRAFT} She met Ada Lovelace."
            assert check(QUESTION, DRAFT, documents=[PAGE]).label == "refuted"
            assert session.correct(QUESTION, DRAFT, [PAGE]).response == RESPONSE
            assert session.check(QUESTION, unread, [PAGE]).label == "refuted"

        assert Fork(work).wait() == 0
        assert session.correct(QUESTION, DRAFT, [PAGE]).response == RESPONSE


def test_a_session_is_opened_once():
    with Session("rac") as session:
        with pytest.raises(InputError, match="one `with` serves all"), session:
            pass
        assert session.correct(QUESTION, DRAFT, [PAGE]).response == RESPONSE
    with session:
        assert session.correct(QUESTION, DRAFT, [PAGE]).response == RESPONSE
