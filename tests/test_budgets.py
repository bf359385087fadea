"""Budgets, one inside another and across threads; `nodes/test_budgets.py` has those of runs."""

from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context

import pytest
from hypothesis import given
from hypothesis import strategies as st

from errata.core.budgets import Budget, Cost, admit, admit_some, open_budget
from errata.core.errors import BudgetError

CALL = Cost(calls=1, tokens=100, money=0.1)
FAULT = "the budget is spent: max_calls=2 allows no more calls to models"


def spend():
    with admit(CALL) as admission:
        admission.paid = CALL


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
