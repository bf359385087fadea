"""A Ray worker of a batch, with a desk in the same process: no Ray is needed to try it."""

import asyncio
import json
from contextlib import closing

import pytest

from example import DRAFT, PAGE, RESPONSE

pytest.importorskip("pyarrow", reason="needs the extra parquet or ray")

from errata.batch.ray_engine import handfuls
from errata.batch.ray_worker import (
    NUMBER,
    ROWS,
    STOP,
    TEXT,
    Desk,
    RowWorker,
    hand_out,
    table_of,
)
from errata.batch.rows import BatchRow
from errata.batch.work import Work
from errata.core.records import Document

WORK = Work(method="rac")
PAGES = (Document(id="d", text=PAGE),)


@pytest.fixture
def ask():
    """Asks a desk that is here."""
    desk = Desk()
    return lambda name, *args: asyncio.run(getattr(desk, name)(*args))


def results_of(work, ask, *rows):
    [text] = handfuls(rows, len(rows))
    with closing(RowWorker(work, ask)) as worker:
        table = worker(table_of(7, text))
    assert table[NUMBER].to_pylist() == [7]
    return json.loads(table[TEXT].to_pylist()[0])


def row(name, draft=DRAFT):
    return BatchRow(id=name, draft=draft, documents=PAGES)


def test_handfuls_become_tables_until_there_are_no_more(ask):
    for text in ("[1]", "[2]"):
        ask("put", text)
    ask("done", 0)
    ask("close")
    tables = [table.to_pylist() for table in hand_out(None, ask)]
    assert tables == [[{NUMBER: 0, TEXT: ""}], [{NUMBER: 1, TEXT: "[2]"}]]


def test_a_handful_comes_back_with_every_row(ask):
    results = results_of(WORK, ask, row("a"), row("b", ""))
    assert [out["id"] for out in results[ROWS]] == ["a", "b"]
    assert results[ROWS][0]["response"] == RESPONSE
    assert "empty" in results[ROWS][1]["error"]
    assert STOP not in results


def test_a_handful_that_is_done_costs_nothing(ask):
    with closing(RowWorker(WORK, ask)) as worker:
        table = worker(table_of(3, ""))
    assert table.to_pylist() == [{NUMBER: 3, TEXT: "{}"}]


@pytest.mark.parametrize(("deaths", "failed"), [(0, []), (1, []), (2, ["b"])])
def test_a_row_at_which_workers_ended_twice_has_failed(ask, deaths, failed):
    for _ in range(deaths):
        ask("start", ["b"])
    results = results_of(WORK, ask, row("a"), row("b"), row("c"))
    assert [out["id"] for out in results[ROWS]] == ["a", "b", "c"]
    assert [out["id"] for out in results[ROWS] if "error" in out] == failed
    assert all(out["draft"] == DRAFT for out in results[ROWS])
    assert ask("starts", ["a", "b", "c"]) == [0, 0, 0]


@pytest.mark.parametrize("work", [Work(method="none"), Work("rac", {"top_k": "many"})])
def test_settings_that_are_wrong_on_a_worker_end_the_batch(ask, work):
    results = results_of(work, ask, row("a"))
    assert results[STOP][0] == "SettingError"
    assert ROWS not in results
