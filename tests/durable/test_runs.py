"""Runs under names: what is stored, gone on with, handed out again, and refused."""

import asyncio
import operator
import pickle
import re
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from uuid import uuid4

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, StateGraph

from errata import Session
from errata.core.errors import InputError, SettingError
from errata.core.records import Document
from errata.durable.stores import MARK, PlainSerializer, in_order
from example import DRAFT, PAGE, QUESTION, RESPONSE

ASKED = {"question": QUESTION, "draft": DRAFT, "documents": [PAGE]}
MODEL = {"model": "openai:m"}


def test_a_run_that_ended_is_handed_out_again_without_work(server, store):
    name = str(uuid4())
    with Session("rac", checkpoints=store, **MODEL) as session:
        first = session.correct(**ASKED, run=name)
        asked = len(server.requests)
        assert session.correct(**ASKED, run=name) == first
    assert first.response == RESPONSE
    assert asked
    assert Session("rac", checkpoints=store, **MODEL).correct(**ASKED, run=name) == first
    assert len(server.requests) == asked


def test_a_run_that_failed_goes_on_from_its_last_step(server, store):
    name = str(uuid4())
    session = Session("plain", checkpoints=store, retries=0, **MODEL)
    server.plan = [500]
    with pytest.raises(Exception, match="no good"):
        session.answer(QUESTION, [PAGE], run=name)
    assert session.answer(QUESTION, [PAGE], run=name).response
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("changed", "settings", "named"),
    [
        ({"question": "Who was she?"}, {}, "question"),
        ({"draft": "Marie Curie kept bees."}, {}, "draft"),
        ({"documents": [PAGE, PAGE]}, {}, "documents"),
        ({}, {"max_claims": 1}, "max_claims"),
        ({}, {"roles": {"verify": "local"}}, "roles"),
        ({"documents": ["http://127.0.0.1:9/page"]}, {}, "documents"),
    ],
)
@pytest.mark.usefixtures("server")
def test_another_run_of_the_same_name_is_refused(file, changed, settings, named):
    Session("rac", checkpoints=file, **MODEL).correct(**ASKED, run="one")
    other = Session("rac", checkpoints=file, **MODEL, **settings)
    with pytest.raises(InputError, match=rf"'one' was started with a different {named};"):
        other.correct(**{**ASKED, **changed}, run="one")


@pytest.mark.usefixtures("server")
def test_another_method_is_named_and_how_calls_are_made_may_change(file):
    first = Session("rac", checkpoints=file, **MODEL).correct(**ASKED, run="one")
    with pytest.raises(InputError, match=r"different method \(rac\)"):
        Session("reex", checkpoints=file, **MODEL).correct(**ASKED, run="one")
    patient = Session("rac", checkpoints=file, timeout=99, **MODEL)
    assert patient.correct(**ASKED, run="one") == first


def test_no_call_without_a_name_and_no_key_enters_the_store(server, tmp_path, file, monkeypatch):
    monkeypatch.setenv("LANGSMITH_API_KEY", "lsv2-alsosecret")
    with Session("rac", checkpoints=file, **MODEL) as session:
        session.correct(**ASKED)
        with closing(sqlite3.connect(file)) as database:
            assert database.execute("SELECT count(*) FROM checkpoints").fetchone() == (0,)
        session.correct(**ASKED, run="one")
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("runs.sqlite*"))
    assert PAGE.encode() in stored
    assert server.KEY.encode() not in stored
    assert b"alsosecret" not in stored


@pytest.mark.usefixtures("server")
def test_inside_a_graph_of_the_callers_its_configuration_is_not_stored(tmp_path, file):
    async def node(_):
        async with Session("rac", checkpoints=file, **MODEL) as session:
            return {"response": (await session.acorrect(**ASKED, run="one")).response}

    outer = StateGraph(dict).add_node(node).add_edge(START, "node").compile(InMemorySaver())
    config = {"configurable": {"thread_id": "outer", "token": "callers-secret"}}
    out = asyncio.run(outer.ainvoke({}, {**config, "metadata": {"note": "callers-note"}}))
    assert out["response"] == RESPONSE
    stored = b"".join(path.read_bytes() for path in tmp_path.glob("runs.sqlite*"))
    assert MARK.encode() in stored
    assert b"callers-" not in stored


@pytest.mark.usefixtures("server")
def test_many_runs_at_once_share_a_store(store):
    names = [str(uuid4()) for _ in range(6)]

    async def correct():
        async with Session("rac", checkpoints=store, **MODEL) as session:
            runs = (session.acorrect(**ASKED, run=name) for name in names)
            return await asyncio.gather(*runs)

    assert [each.response for each in asyncio.run(correct())] == [RESPONSE] * 6


@pytest.mark.usefixtures("server")
def test_checkpoints_may_be_an_open_saver():
    saver = InMemorySaver()
    session = Session("rac", checkpoints=saver, **MODEL)
    assert session.correct(**ASKED, run="one").response == RESPONSE
    assert saver.get_tuple({"configurable": {"thread_id": "one"}})


def test_a_store_that_cannot_be_opened_is_named_without_its_password(tmp_path):
    unknown = {3: "got a int", "": "got a str", "redis://x": "cannot be kept at a redis:// address"}
    for where, fault in unknown.items():
        with pytest.raises(SettingError, match=fault):
            Session("rac", checkpoints=where)
    (tmp_path / "notes.txt").write_text("no database " * 99)
    for bad in (tmp_path / "notes.txt", tmp_path / "no" / "runs.sqlite"):
        session = Session("rac", checkpoints=bad)
        with pytest.raises(SettingError, match=re.escape(repr(str(bad)))):
            session.correct(**ASKED, run="one")
    session = Session("rac", checkpoints="postgresql://me:hidden@127.0.0.1:9/x")
    with pytest.raises(SettingError, match="cannot be used") as failed:
        session.correct(**ASKED, run="one")
    assert "hidden" not in str(failed.value)


def test_a_name_needs_checkpoints_and_characters_that_show(file):
    with pytest.raises(InputError, match="checkpoints=FILE"):
        Session("rac").correct(**ASKED, run="one")
    with pytest.raises(InputError, match="cannot be seen"):
        Session("rac", checkpoints=file).correct(**ASKED, run="o\0ne")


@pytest.mark.usefixtures("server")
def test_what_others_stored_under_the_name_is_no_run(file):
    async def store():
        from errata.graphs.rac import graph

        async with AsyncSqliteSaver.from_conn_string(file) as saver:
            kept = graph.copy({"checkpointer": saver})
            thread = {"configurable": {"thread_id": "one"}}
            await kept.ainvoke({"draft": DRAFT, "documents": [{"text": PAGE}]}, thread)

    asyncio.run(store())
    with pytest.raises(InputError, match="no run of errata's"):
        Session("rac", checkpoints=file, **MODEL).correct(**ASKED, run="one")


def test_a_run_under_way_is_not_begun_a_second_time(server, file):
    with Session("rac", checkpoints=file, **MODEL) as session, ThreadPoolExecutor(4) as threads:
        calls = [threads.submit(session.correct, **ASKED, run="one") for _ in range(4)]
        faults = [call.exception() for call in calls]
        assert session.correct(**ASKED, run="one").response == RESPONSE
    assert None in faults
    assert all("is under way" in str(fault) for fault in faults if fault)
    assert len(server.requests) == 4


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ("UPDATE checkpoints SET checkpoint = x'ff00ff'", "'one' cannot be read"),
        ("""UPDATE checkpoints SET metadata = '{"errata": "[1]"}'""", "no run of errata's"),
        ("""UPDATE checkpoints SET metadata = '{"errata": "{}"}'""", "no run of errata's"),
        ("""UPDATE checkpoints SET metadata = '{"errata": "x"}'""", "no run of errata's"),
        ("ALTER TABLE checkpoints RENAME COLUMN checkpoint_id TO thread_ts", "'one' cannot be"),
        (
            """DELETE FROM checkpoints; CREATE TRIGGER full BEFORE INSERT ON writes
            BEGIN SELECT RAISE(ABORT, 'database or disk is full'); END""",
            "could not be stored: .*disk is full.* goes on from the last step",
        ),
    ],
)
def test_a_store_that_is_damaged_full_or_of_another_form_is_told(file, change, fault):
    with Session("rac", checkpoints=file, **MODEL) as session:
        session.correct(**ASKED, run="one")
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(change)
    with pytest.raises(InputError, match=fault):
        Session("rac", checkpoints=file, **MODEL).correct(**ASKED, run="one")


class Loaded:
    """What a stranger's file would have us load."""

    def __reduce__(self):
        return operator.add, (1, 2)


def test_values_in_another_form_are_refused_and_no_class_of_a_strangers_is_made():
    for stored in (("pickle", pickle.dumps(Loaded())), ("json", b'{"lc": 2, "id": ["os", "x"]}')):
        with pytest.raises(InputError, match=f"in the form '{stored[0]}'"):
            PlainSerializer().loads_typed(stored)
    foreign = JsonPlusSerializer().dumps_typed(Document(text="x"))
    assert not isinstance(PlainSerializer().loads_typed(foreign), Document)


def test_a_checkpoint_is_stored_after_the_writes_that_were_begun_before_it(server, file):
    stored = []

    def slow(kind):
        """Savers whose writes take longer than their checkpoints: langgraph issue 8039."""

        async def aput_writes(self, *args):
            for _ in range(20):
                await asyncio.sleep(0)
            await kind.aput_writes(self, *args)
            stored.append("writes")

        async def aput(self, *args):
            config = await kind.aput(self, *args)
            stored.append("checkpoint")
            return config

        return type("Slow", (kind,), {"aput_writes": aput_writes, "aput": aput})

    async def run(order):
        stored.clear()
        async with order(slow(AsyncSqliteSaver)).from_conn_string(file) as saver:
            session = Session("rac", checkpoints=saver, **MODEL)
            await session.acorrect(**ASKED, run=str(uuid4()))
        return list(stored)

    in_turn = asyncio.run(run(in_order))
    assert in_turn[0] == "checkpoint"
    assert in_turn[1:] == ["writes", "checkpoint"] * ((len(in_turn) - 1) // 2)
    assert server.requests
