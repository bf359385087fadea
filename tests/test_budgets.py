"""Budgets: what they admit, reserve and refuse, one inside another, across threads and tasks."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.budgets import Budget, Cost, admit, admit_some, longest_reply, open_budget
from errata.core.errors import BudgetError, SettingError

CALL = Cost(calls=1, tokens=100, money=0.1)
FAULT = "the budget is spent: max_calls=2 allows no more calls to models"


def spend(cost=CALL, paid=None):
    with admit(cost) as admission:
        admission.paid = paid or cost


@pytest.mark.parametrize(
    ("limits", "made"),
    [
        ({}, 5),
        ({"calls": None, "tokens": None}, 5),
        ({"calls": 0}, 0),
        ({"calls": 3}, 3),
        ({"tokens": 299}, 2),
        ({"tokens": 300}, 3),
        ({"money": 0.3}, 3),
        ({"money": 0.29}, 2),
        ({"searches": 0, "pages": 0}, 5),
        ({"calls": 4, "money": 0.15}, 1),
        ({"seconds": 0}, 0),
        ({"seconds": 1e9}, 5),
    ],
)
def test_so_many_calls_are_made_within_limits(limits, made):
    budget = Budget(limits)
    with open_budget(budget):
        for _ in range(made):
            spend()
        if made < 5:
            with pytest.raises(BudgetError):
                spend()
    assert budget.spent.calls == made


def test_the_refusal_names_the_limit():
    budget = Budget({"calls": 2}, Cost(calls=1), names={"calls": "max_calls"})
    with open_budget(budget):
        spend()
        with pytest.raises(BudgetError, match=FAULT):
            spend()
    assert budget.used_up == FAULT.partition(": ")[2]
    assert not Budget({"calls": 2}).used_up


def test_what_was_not_paid_is_given_back():
    budget = Budget({"calls": 1, "tokens": 100})
    with open_budget(budget):
        for _ in range(3):
            spend(paid=Cost(calls=0))
        spend()
    assert budget.spent == Cost(calls=1, tokens=100, money=0.1)


def test_what_is_broken_off_counts_without_a_reply():
    budget = Budget({"calls": 9})
    with open_budget(budget), pytest.raises(KeyError), admit(CALL):
        raise KeyError
    assert budget.spent == Cost(calls=1)


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


def test_a_budget_that_is_open_twice_is_paid_from_once():
    with open_budget(Budget({"calls": 2})) as budget, open_budget(budget):
        spend()
        spend()
    assert budget.spent.calls == 2


def test_a_refusal_reserves_nothing():
    outer, inner = Budget({"calls": 1}), Budget({"calls": 0})
    with open_budget(outer):
        with open_budget(inner), pytest.raises(BudgetError):
            spend()
        spend()
    assert (outer.spent.calls, inner.spent.calls) == (1, 0)


@pytest.mark.parametrize(
    ("limits", "granted", "fault"),
    [
        ({}, 5, ""),
        ({"searches": 5}, 5, ""),
        ({"searches": 3}, 3, "max_searches=3 allows no more searches"),
        ({"searches": 0}, 0, "max_searches=0 allows no more searches"),
        ({"calls": 0}, 5, ""),
        ({"seconds": 0}, 0, "max_seconds=0 allows no more time"),
    ],
)
def test_as_many_are_admitted_as_are_left(limits, granted, fault):
    budget = Budget(limits)
    with open_budget(Budget({})), open_budget(budget), admit_some("searches", 5) as admission:
        assert admission.reserved.searches == granted
        assert admission.fault == (fault and f"the budget is spent: {fault}")
    assert budget.spent.searches == granted


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


def test_the_longest_reply_is_that_of_any_budget_that_is_open():
    assert longest_reply() == 0
    with open_budget(Budget({}, longest_reply=7)), open_budget(Budget({})) as inner:
        with admit(CALL) as admission:
            admission.reply = 5
        assert (longest_reply(), inner.longest_reply) == (7, 5)


@pytest.mark.parametrize("limits", [{"calls": -1}, {"money": float("nan")}, {"words": 3}])
def test_what_is_no_limit_is_refused(limits):
    with pytest.raises(SettingError):
        Budget(limits)
