"""Budgets: what they admit, reserve and refuse, one inside another, across threads and tasks."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.budgets import Budget, Cost, admit, admit_some, open_budget
from errata.core.errors import BudgetError, SettingError

CALL = Cost(calls=1, tokens=100, money=0.1)
FAULT = "the budget is spent: max_calls=2 allows no more calls to models"


def spend(cost=CALL, paid=None):
    with admit(cost) as admission:
        admission.paid = paid or cost


def test_the_refusal_names_the_limit():
    budget = Budget({"calls": 2}, Cost(calls=1), names={"calls": "max_calls"})
    with open_budget(budget):
        spend()
        with pytest.raises(BudgetError, match=FAULT):
            spend()
    assert budget.used_up == FAULT.partition(": ")[2]
    assert not Budget({"calls": 2}).used_up


def test_all_budgets_around_are_paid_from_and_any_may_refuse():
    outer, inner = Budget({"calls": 2}), Budget({"tokens": 1000})
    with open_budget(outer), open_budget(inner):
        spend()
        spend()
        with pytest.raises(BudgetError, match=FAULT):
            spend()
    assert outer.spent == inner.spent == CALL + CALL
    with open_budget(inner):
        spend()
    assert (outer.spent, inner.spent.calls) == (CALL + CALL, 3)


def test_what_is_under_way_is_reserved_across_tasks():
    async def call():
        try:
            with admit(CALL) as admission:
                await asyncio.sleep(0)
                admission.paid = CALL
        except BudgetError:
            return 0
        return 1

    async def run():
        return sum(await asyncio.gather(*(call() for _ in range(32))))

    batch = Budget({"calls": 7, "tokens": 750})
    with open_budget(batch):
        assert asyncio.run(run()) == 7
    assert batch.spent.calls == 7


@given(st.integers(0, 12), st.lists(st.integers(1, 3), max_size=24))
def test_threads_never_spend_more_than_the_limit(limit, costs):
    budget = Budget({"pages": limit})

    def read(pages):
        with admit_some("pages", pages) as admission:
            return admission.reserved.pages

    with open_budget(budget), ThreadPoolExecutor(4) as threads:
        runs = [threads.submit(copy_context().run, read, pages) for pages in costs]
    read_pages = sum(run.result() for run in runs)
    assert read_pages == budget.spent.pages == min(limit, sum(costs))


@pytest.mark.parametrize("limits", [{"calls": -1}, {"money": float("nan")}, {"words": 3}])
def test_what_is_no_limit_is_refused(limits):
    with pytest.raises(SettingError):
        Budget(limits)
