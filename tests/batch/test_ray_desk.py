"""What the driver and the Ray workers of a batch share: no Ray is needed to try it."""

import asyncio
import json

import pytest

from errata.batch.ray_engine import RayEngine, handfuls
from errata.batch.ray_worker import Desk
from errata.batch.rows import BatchRow
from errata.core.errors import SettingError
from errata.core.jsonable import from_json
from errata.core.records import Document
from example import DRAFT, PAGE

pytestmark = pytest.mark.anyio
ROWS = [
    BatchRow(id=f"r{n}", draft=DRAFT, documents=(Document(id="d", text=PAGE),)) for n in range(7)
]


def test_handfuls_hold_every_row_in_order():
    texts = list(handfuls(ROWS, 3))
    assert [len(json.loads(text)) for text in texts] == [3, 3, 1]
    assert [from_json(BatchRow, row) for text in texts for row in json.loads(text)] == ROWS


def test_handfuls_are_read_no_further_than_asked():
    read = []

    def rows():
        for row in ROWS:
            read.append(row.id)
            yield row

    next(handfuls(rows(), 2))
    assert read == ["r0", "r1"]


def test_a_row_as_large_as_many_is_a_handful_alone():
    large = BatchRow(id="large", draft="a" * 4_000_000)
    assert [len(json.loads(text)) for text in handfuls([large, *ROWS], 8)] == [1, 7]


async def test_a_handful_can_be_taken_again_until_it_is_done():
    desk = Desk()
    await desk.put("[1]")
    await desk.put("[2]")
    assert [await desk.take(0), await desk.take(0), await desk.take(1)] == ["[1]", "[1]", "[2]"]
    await desk.done(0)
    assert [await desk.take(0), await desk.take(1)] == ["", "[2]"]


async def test_who_takes_too_early_waits_for_the_driver():
    desk = Desk()
    first, second = asyncio.create_task(desk.take(0)), asyncio.create_task(desk.take(1))
    await desk.put("[1]")
    assert await first == "[1]"
    assert not second.done()
    await desk.close()
    assert await second is None


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
