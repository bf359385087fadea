"""The engine of one machine: many rows at once by models, one by one without them."""

import pytest

from errata.batch.run import LocalEngine
from errata.core.errors import AccessError
from errata.methods import METHODS
from example import DRAFT, PAGE, REPLIES, RESPONSE

MODEL = {"model": "openai:m", "retries": 0}


def rows(count):
    """Rows of which each has calls of its own."""
    asked = [f"Who was Marie Curie, asked {n}?" for n in range(count)]
    own = {"draft": DRAFT, "documents": [PAGE]}
    return [{"id": n, "question": question, **own} for n, question in enumerate(asked)]


@pytest.fixture
def local(bench, openai_server):
    """Runs rows by a server that answers, so many at once; the totals."""
    openai_server.replies = REPLIES

    def run(count, at_once=0, **settings):
        return bench.run(rows(count), engine=LocalEngine(at_once), **{**MODEL, **settings})

    return run


@pytest.mark.parametrize("method", METHODS)
def test_every_method_works_on_a_row_locally(bench, method):
    bench.run(rows(1), engine=LocalEngine(), method=method)
    [result] = bench.rows
    assert (result["id"], result["method"], "error" in result) == ("0", method, False)
    assert result["response"]


def test_rows_are_under_way_together_and_none_beyond_a_limit(local, bench, openai_server):
    openai_server.delay = 0.05
    assert local(12, at_once=4, limits={"calls": 1}).rows <= 4
    assert local(12, at_once=4).rows == 12
    assert {row["response"] for row in bench.rows} == {RESPONSE}
    assert 1 < openai_server.most <= 4 * 2


def test_rows_wait_for_a_server_that_is_down(local, openai_server):
    openai_server.plan = [500, 500]
    totals = local(12, at_once=2, breaker_after=2, breaker_seconds=0.3)
    assert totals.rows == 12
    assert totals.failed <= 4


@pytest.mark.parametrize(
    ("plan", "number", "fault"),
    [
        ([500] * 2, 3, "no call to a model was answered"),
        ([0.0, 500, 500], 1, "no claim could be judged"),
    ],
)
def test_a_row_that_fails_harms_no_other(local, bench, openai_server, plan, number, fault):
    openai_server.plan = plan
    local(number, at_once=1, roles={"extract": "openai:m"})
    [failed] = [row for row in bench.rows if "error" in row]
    assert failed["error"].startswith(fault)
    assert failed["draft"] == failed["response"] == DRAFT
    assert openai_server.KEY not in str(bench.rows)
    assert {row["response"] for row in bench.rows if row != failed} <= {RESPONSE}


def test_the_environments_call_cache_is_used(local, bench, monkeypatch, tmp_path):
    monkeypatch.setenv("ERRATA_CALL_CACHE", str(tmp_path / "shared.sqlite"))
    assert local(1).spent.calls
    bench.out = bench.out.with_name("other.jsonl")
    assert local(1).spent.calls == 0
    assert not list(tmp_path.glob("*.calls.sqlite"))


def test_a_refused_key_ends_the_batch(local, bench, openai_server):
    def refuse(_):
        openai_server.plan = [401] * 9

    with pytest.raises(AccessError):
        local(3, at_once=1, on_row=refuse)
    assert bench.ids == ["0"]
