"""The handfuls and the worker of a batch on Ray, in this process: no Ray is needed to try them."""

import pytest

from errata.batch.ray_engine import RayEngine, RowWorker, handfuls
from errata.batch.rows import BatchRow
from errata.batch.work import Work
from errata.core.errors import SettingError
from errata.core.records import Document
from example import DRAFT, PAGE, RESPONSE

PAGES = (Document(id="d", text=PAGE),)
MANY = [BatchRow(id=f"r{n}", draft=DRAFT, documents=PAGES) for n in range(7)]


def test_handfuls_hold_every_row_in_order_and_are_read_no_further_than_asked():
    rows = iter(MANY)
    first = next(handfuls(rows, 3))
    assert next(rows) == MANY[3]
    assert [*first, *(row for each in handfuls(rows, 3) for row in each)] == [*MANY[:3], *MANY[4:]]
    large = BatchRow(id="large", draft="a" * 4_000_000)  # is a handful alone
    assert [len(each) for each in handfuls([large, *MANY], 8)] == [1, 7]


def test_rays_client_is_refused_at_once():
    with pytest.raises(SettingError, match="not through Ray's client"):
        RayEngine("ray://head:10001")


def test_a_handful_comes_back_with_every_row():
    worker = RowWorker(Work("rac"))
    rows, faults = worker.run([MANY[0], BatchRow(id="b")])
    worker.session.__exit__()
    assert ([out["id"] for out in rows], faults) == (["r0", "b"], [])
    assert rows[0]["response"] == RESPONSE
    assert "empty" in rows[1]["error"]


@pytest.mark.parametrize("work", [Work(method="none"), Work("rac", {"top_k": "many"})])
def test_settings_that_are_wrong_on_a_worker_end_the_batch(work):
    rows, [fault] = RowWorker(work).run(MANY[:1])
    assert rows == []
    assert isinstance(fault, SettingError)
