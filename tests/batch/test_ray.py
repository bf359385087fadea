"""The desk and a Ray worker of a batch, in one process: no Ray is needed to try them."""

import asyncio
import json
from contextlib import closing

import pytest

from errata.batch.ray_engine import RayEngine, handfuls
from errata.batch.ray_worker import NUMBER, ROWS, STOP, TEXT, Desk, RowWorker, hand_out, table_of
from errata.batch.rows import BatchRow
from errata.batch.work import Work
from errata.core.errors import SettingError
from errata.core.jsonable import from_json
from errata.core.records import Document
from example import DRAFT, PAGE, RESPONSE

MANY = [
    BatchRow(id=f"r{n}", draft=DRAFT, documents=(Document(id="d", text=PAGE),)) for n in range(7)
]


def test_handfuls_hold_every_row_in_order_and_are_read_no_further_than_asked():
    rows = iter(MANY)
    texts = [next(handfuls(rows, 3))]
    assert next(rows) == MANY[3]
    texts += handfuls(rows, 3)
    assert [from_json(BatchRow, row) for text in texts for row in json.loads(text)] == [
        *MANY[:3],
        *MANY[4:],
    ]
    large = BatchRow(id="large", draft="a" * 4_000_000)  # is a handful alone
    assert [len(json.loads(text)) for text in handfuls([large, *MANY], 8)] == [1, 7]


@pytest.mark.anyio
async def test_a_handful_can_be_taken_again_until_it_is_done_and_who_comes_early_waits():
    desk = Desk()
    first = asyncio.create_task(desk.take(0))
    await desk.put("[1]")
    await desk.put("[2]")
    assert [await first, await desk.take(0), await desk.take(1)] == ["[1]", "[1]", "[2]"]
    await desk.done(0)
    assert [await desk.take(0), await desk.take(1)] == ["", "[2]"]
    last = asyncio.create_task(desk.take(2))
    await asyncio.sleep(0)
    assert not last.done()
    await desk.close()
    assert await last is None


@pytest.mark.anyio
async def test_only_starts_without_an_end_are_counted():
    desk = Desk()
    assert await desk.start(["a", "b"]) == [0, 0]
    assert await desk.starts(["a", "b", "c"]) == [1, 1, 0]
    assert await desk.start(["b"]) == [1]
    await desk.end(["a", "b"])
    assert await desk.starts(["a", "b", "c"]) == [0, 0, 0]


def test_rays_client_is_refused_at_once():
    with pytest.raises(SettingError, match="not through Ray's client"):
        RayEngine("ray://head:10001")


WORK = Work(method="rac")
PAGES = (Document(id="d", text=PAGE),)


@pytest.fixture
def ask():
    """Asks a desk that is here."""
    pytest.importorskip("pyarrow", reason="needs the extra parquet or ray")
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
