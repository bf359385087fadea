"""Runs of one name in two processes: one works on it, the other is refused."""

import asyncio
import signal
import time
from hashlib import sha256
from uuid import uuid4

import pytest

from errata import Session
from errata.core.errors import InputError
from errata.durable.runs import locked
from errata.durable.stores import open_store
from example import DRAFT, PAGE, QUESTION, RESPONSE
from forks import Fork
from openai_server import prompt_name

ASKED = {"question": QUESTION, "draft": DRAFT, "documents": [PAGE]}
MODEL = {"model": "openai:m"}


@pytest.fixture
def name():
    return str(uuid4())


@pytest.fixture
def other(server, store, name):
    """Another process, stopped in the second step of a run of the name."""
    server.plan = [0.0, 4.0]
    process = Fork(
        lambda: Session("rac", checkpoints=store, **MODEL).correct(**ASKED, run=name),
    )
    while len(server.requests) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    process.send_signal(signal.SIGSTOP)
    yield process
    process.kill()
    process.wait()


def test_a_run_under_way_in_another_process_is_refused_until_that_is_killed_and_then_goes_on(
    other, server, store, name
):
    """The step that was done is not paid for again, the one that was under way is."""
    with Session("rac", checkpoints=store, **MODEL) as session:
        with pytest.raises(InputError, match=f"{name}' is under way in another process"):
            session.correct(**ASKED, run=name)
        assert len(server.requests) == 2
        assert session.correct(**ASKED, run=f"{name}/other").response == RESPONSE
        other.kill()
        server.requests.clear()
        assert session.correct(**ASKED, run=name).response == RESPONSE
    asked = [prompt_name(headers) for headers, _ in server.requests]
    assert asked == ["rac/verify", "rac/correct", "rac/revise.sentence"]


def test_a_process_that_ends_its_run_lets_others_have_it(server, store, name, tmp_path):
    session = Session("rac", checkpoints=store, **MODEL)
    with Session("rac", checkpoints=store, **MODEL) as opened:
        assert opened.correct(**ASKED, run=name) == session.correct(**ASKED, run=name)
        assert len(server.requests) == 4
    assert not list(tmp_path.glob("*.lock"))


def test_a_run_that_cannot_be_locked_is_told(server, file, tmp_path):
    (tmp_path / f"runs.sqlite-{sha256(b'two').hexdigest()[:16]}.lock").mkdir()
    session = Session("rac", checkpoints=file, **MODEL)
    with pytest.raises(InputError, match="'two' cannot be locked"):
        session.correct(**ASKED, run="two")
    assert not server.requests


@pytest.mark.anyio
@pytest.mark.parametrize("held", [0.0005, 60])
async def test_a_call_that_is_cancelled_at_any_instant_lets_go(store, name, held):
    async def hold(saver, number):
        async with locked(store, f"{name}/{number}", saver):
            await asyncio.sleep(held)

    async with open_store(store) as ours, open_store(store) as theirs:
        for number in range(150):
            holding = asyncio.create_task(hold(ours, number))
            await asyncio.sleep(number / 40_000)
            holding.cancel()
            await asyncio.wait([holding])
        for number in range(150):
            async with locked(store, f"{name}/{number}", theirs):
                pass
