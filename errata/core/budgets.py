"""Budgets: limits on calls to models, tokens, money, searches, pages and seconds.

Budgets nest: what is spent inside a run counts once in the run's budget, and once in each that is
open around it. Each of them may refuse, and refuses before anything is paid for.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from math import inf
from threading import Lock
from time import monotonic
from typing import Literal

from errata.core.errors import BudgetError, SettingError
from errata.core.limits import current_run, using_run
from errata.core.records import Usage

KINDS = ("calls", "tokens", "money", "searches", "pages", "seconds")
_WORDS = {"calls": "calls to models", "money": "costs", "seconds": "time"}
_ROUNDING = 1e-9
"""How far a sum of money may exceed a limit through rounding."""
_LOCK = Lock()
"""One lock for all budgets, so that a cost is reserved in all nested ones or in none."""


@dataclass(frozen=True)
class Cost:
    """What was, or will be, paid for."""

    calls: int = 0
    """Calls to models, also those that brought no reply."""
    tokens: int = 0
    searches: int = 0
    pages: int = 0
    money: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        """The sum."""
        return Cost(**{name: ours + getattr(other, name) for name, ours in vars(self).items()})

    def __sub__(self, other: "Cost") -> "Cost":
        """The difference."""
        return Cost(**{name: ours - getattr(other, name) for name, ours in vars(self).items()})

    @classmethod
    def of(cls, usage: Usage) -> "Cost":
        """Usage as a budget counts it: calls that brought no reply are calls, too."""
        failed = sum(share.get("failed_calls", 0) for share in usage.by_model.values())
        return cls(
            calls=usage.model_calls + int(failed),
            tokens=usage.prompt_tokens + usage.completion_tokens,
            searches=usage.searches,
            pages=usage.pages,
            money=usage.money,
        )


class Budget:
    """Limits, and what is spent and reserved of them; safe across threads and event loops.

    It may be open in many places at once. `seconds` run from when it is made.
    """

    def __init__(
        self,
        limits: Mapping[str, float | None],
        spent: Cost | None = None,
        *,
        names: Mapping[str, str] | None = None,
    ) -> None:
        """Limit each of KINDS that is named; None is no limit, and `spent` counts already.

        `names` are the limits' names in errors, by default `max_calls` and so on.

        Raises SettingError for an unknown kind or a negative limit.
        """
        self.limits = {kind: limit for kind, limit in limits.items() if limit is not None}
        for kind, limit in self.limits.items():
            if kind not in KINDS:
                raise SettingError(f"no budget is called {kind!r}; there is {', '.join(KINDS)}")
            if not limit >= 0:
                fault = "a budget is a number from 0, or None for no limit"
                raise SettingError(f"{fault}; got {kind}={limit}")
        self.spent = spent or Cost()
        self.reserved = Cost()
        self._names = dict(names or {})
        self._began = monotonic()

    def refusal(self, cost: Cost) -> str:
        """The limit that a further cost would exceed, in words; empty if there is none.

        Besides time, only the kinds that the cost contains are checked.
        """
        asked = (k for k in self.limits if k == "seconds" or getattr(cost, k))
        return next((self._describe(k) for k in asked if self._left(k, cost) < 0), "")

    @property
    def used_up(self) -> str:
        """Which limit is reached, in words; empty if something is left of each."""
        return next((self._describe(k) for k in self.limits if self._left(k) <= _ROUNDING), "")

    def room(self, kind: str) -> float:
        """How much of one kind may still be paid for."""
        return max(0.0, self._left(kind)) if kind in self.limits else inf

    def _left(self, kind: str, cost: Cost | None = None) -> float:
        """What a further cost leaves of a limit; below 0 if that is exceeded or no time is left."""
        if kind == "seconds":
            left = self.limits[kind] - (monotonic() - self._began)
            return left if left > 0 else -1.0
        parts = (self.spent, self.reserved, cost or Cost())
        left = self.limits[kind] - sum(getattr(part, kind) for part in parts)
        return 0.0 if abs(left) <= _ROUNDING * max(1.0, self.limits[kind]) else left

    def _describe(self, kind: str) -> str:
        name = self._names.get(kind, f"max_{kind}")
        return f"{name}={self.limits[kind]:.10g} allows no more {_WORDS.get(kind, kind)}"


@contextmanager
def open_budget(budget: Budget) -> Iterator[Budget]:
    """Count what all runs inside the block pay for in a budget, in tasks and threads too.

    It also counts in the budgets that are open around the block; once in one that is opened twice.
    """
    run = current_run()
    with using_run(replace(run, budgets=tuple(dict.fromkeys((*run.budgets, budget))))):
        yield budget


@dataclass
class Admission:
    """Leave to spend, and what was spent in the end."""

    reserved: Cost
    paid: Cost
    """The actual cost; until the payer sets it, the part that is known without a reply."""
    fault: str = ""
    """Why it is less than was asked for."""


@contextmanager
def admit(cost: Cost) -> Iterator[Admission]:
    """Reserve a cost, or raise BudgetError; at the end of the block spend `paid` in its place."""
    with _LOCK:
        if fault := _refusal(cost):
            raise BudgetError(fault)
        known = Cost(calls=cost.calls, searches=cost.searches, pages=cost.pages)
        admission = _reserve(Admission(cost, known))
    with _settled(admission):
        yield admission


@contextmanager
def admit_some(kind: Literal["searches", "pages"], count: int) -> Iterator[Admission]:
    """As `admit`, for as many searches or pages as are left, or none; `fault` says why not all."""
    with _LOCK:
        over_time = _refusal(Cost())
        most = int(min([count, *(budget.room(kind) for budget in current_run().budgets)]))
        fault = _refusal(Cost(**{kind: most + 1})) if most < count else over_time
        cost = Cost() if over_time else Cost(**{kind: most})
        admission = _reserve(Admission(cost, cost, fault))
    with _settled(admission):
        yield admission


def _reserve(admission: Admission) -> Admission:
    for budget in current_run().budgets:
        budget.reserved += admission.reserved
    return admission


@contextmanager
def _settled(admission: Admission) -> Iterator[None]:
    """Spend what was paid at the end of the block, in place of what was reserved."""
    budgets = current_run().budgets
    try:
        yield
    finally:
        with _LOCK:
            for budget in budgets:
                budget.reserved -= admission.reserved
                budget.spent += admission.paid


def _refusal(cost: Cost) -> str:
    refusals = (budget.refusal(cost) for budget in current_run().budgets)
    fault = next(filter(None, refusals), "")
    return f"the budget is spent: {fault}" if fault else ""


def check_priced(price: object, what: str) -> None:
    """Raise BudgetError if an open budget limits money and `what` has no price."""
    if price is None and any("money" in budget.limits for budget in current_run().budgets):
        raise BudgetError(
            f"a budget limits money, and {what} has no price (a file of prices can name one)"
        )
