"""What may be paid for: calls to models, their tokens, money, searches and pages; nothing twice.

Budgets nest: what is spent inside a run counts in the run's, and in those that are open around it,
such as a batch's. Each of them may refuse, and refuses before anything is paid for.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, fields
from math import inf
from time import monotonic
from typing import Literal

from errata.core.errors import BudgetError, SettingError
from errata.core.once import free_in_forks

KINDS = ("calls", "tokens", "money", "searches", "pages", "seconds")
_WORDS = {"calls": "calls to models", "money": "costs", "seconds": "time"}
_ROUNDING = 1e-9
"""How far sums of money may be over a limit because they are sums of fractions."""
_LOCK = free_in_forks()
"""One for all budgets, so that nested ones are reserved in together or not at all."""


@dataclass(frozen=True)
class Cost:
    """What was, or will be, paid for."""

    calls: int = 0
    """Calls to models, also those that brought no reply."""
    tokens: int = 0
    """Tokens of prompts and replies."""
    searches: int = 0
    pages: int = 0
    money: float = 0.0

    def __add__(self, other: "Cost") -> "Cost":
        """The sum."""
        return self._with(other, 1)

    def __sub__(self, other: "Cost") -> "Cost":
        """The difference."""
        return self._with(other, -1)

    def _with(self, other: "Cost", sign: int) -> "Cost":
        names = (field.name for field in fields(self))
        return Cost(**{name: getattr(self, name) + sign * getattr(other, name) for name in names})

    @property
    def counted(self) -> "Cost":
        """The same without what only a reply says: its tokens and their price."""
        return Cost(calls=self.calls, searches=self.searches, pages=self.pages)


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
        longest_reply: int = 0,
    ) -> None:
        """Limit each of KINDS that is named, of which some is spent already; None is no limit.

        `names` are those by which errors call the limits: `max_calls` and so on, unless given;
        `longest_reply` is the most tokens of a reply so far.

        Raises SettingError for an unknown kind or a negative limit.
        """
        self.limits = {k: _checked(k, limit) for k, limit in limits.items() if limit is not None}
        self.spent = spent or Cost()
        self.longest_reply = longest_reply
        self._reserved = Cost()
        self._names = dict(names or {})
        self._began = monotonic()

    def refusal(self, cost: Cost) -> str:
        """Which limit does not allow to pay so much more, in words; empty if all do.

        What the cost has nothing of may be used up.
        """
        asked = (k for k in self.limits if k == "seconds" or getattr(cost, k))
        return next((self._describe(k) for k in asked if self._left(k, cost) < 0), "")

    @property
    def used_up(self) -> str:
        """Which limit is reached, in words; empty if something is left of each."""
        return next((self._describe(k) for k in self.limits if self._left(k) <= _ROUNDING), "")

    def _left(self, kind: str, cost: Cost | None = None) -> float:
        """What is left of a limit when a cost is paid, too; 0 up to rounding, no second below 0."""
        if kind == "seconds":
            left = self.limits[kind] - (monotonic() - self._began)
            return left if left > 0 else -1.0
        parts = (self.spent, self._reserved, cost or Cost())
        left = self.limits[kind] - sum(getattr(part, kind) for part in parts)
        return 0.0 if abs(left) <= _ROUNDING * max(1.0, self.limits[kind]) else left

    def _describe(self, kind: str) -> str:
        name = self._names.get(kind, f"max_{kind}")
        return f"{name}={self.limits[kind]:.10g} allows no more {_WORDS.get(kind, kind)}"

    def room(self, kind: str) -> float:
        """How much of one kind may still be paid for."""
        return max(0.0, self._left(kind)) if kind in self.limits else inf

    def reserve(self, cost: Cost) -> None:
        """Hold a part back for what is under way; the caller holds the lock."""
        self._reserved += cost

    def settle(self, reserved: Cost, paid: Cost, reply: int) -> None:
        """Replace a reservation by what was paid; the caller holds the lock."""
        self._reserved -= reserved
        self.spent += paid
        self.longest_reply = max(self.longest_reply, reply)


def _checked(kind: str, limit: float) -> float:
    if kind not in KINDS:
        raise SettingError(f"no budget is called {kind!r}; there is {', '.join(KINDS)}")
    if not limit >= 0:
        raise SettingError(f"a budget is a number from 0, or None for no limit; got {kind}={limit}")
    return limit


_OPEN: ContextVar[tuple[Budget, ...]] = ContextVar("errata.core.budgets", default=())


@contextmanager
def open_budget(budget: Budget) -> Iterator[Budget]:
    """Have all that is paid for inside the block count in a budget, also in tasks and threads.

    It counts in the budgets that are open around it as well; once in one that is opened again.
    """
    token = _OPEN.set(tuple(dict.fromkeys((*_OPEN.get(), budget))))
    try:
        yield budget
    finally:
        _OPEN.reset(token)


@dataclass
class Admission:
    """Leave to pay for something."""

    reserved: Cost
    paid: Cost
    """What it did cost; unless the payer says so, what is counted without a reply."""
    reply: int = 0
    """The tokens of the reply, by which later reservations go."""
    fault: str = ""
    """Why it is less than was asked for."""


@contextmanager
def admit(cost: Cost) -> Iterator[Admission]:
    """Reserve what something will cost; at the end of the block what it did cost is spent.

    Raises BudgetError, which says which limit it is over, before the block begins.
    """
    budgets = _OPEN.get()
    with _LOCK:
        if fault := _refusal(budgets, cost):
            raise BudgetError(fault)
        _reserve(budgets, cost)
    with _settled(budgets, Admission(cost, cost.counted)) as admission:
        yield admission


@contextmanager
def admit_some(kind: Literal["searches", "pages"], count: int) -> Iterator[Admission]:
    """As `admit` for as many of a kind as are left, which may be none; `fault` says why not all."""
    budgets = _OPEN.get()
    with _LOCK:
        most = int(min([count, *(budget.room(kind) for budget in budgets)]))
        one_more = Cost(**{kind: most + 1})
        fault = _refusal(budgets, one_more) if most < count else _refusal(budgets, Cost())
        over_time = bool(_refusal(budgets, Cost()))
        cost = Cost() if over_time else Cost(**{kind: most})
        _reserve(budgets, cost)
    with _settled(budgets, Admission(cost, cost, fault=fault)) as admission:
        yield admission


def _refusal(budgets: Iterable[Budget], cost: Cost) -> str:
    faults = (budget.refusal(cost) for budget in budgets)
    fault = next(filter(None, faults), "")
    return f"the budget is spent: {fault}" if fault else ""


def _reserve(budgets: Iterable[Budget], cost: Cost) -> None:
    for budget in budgets:
        budget.reserve(cost)


@contextmanager
def _settled(budgets: Iterable[Budget], admission: Admission) -> Iterator[Admission]:
    try:
        yield admission
    finally:
        with _LOCK:
            for budget in budgets:
                budget.settle(admission.reserved, admission.paid, admission.reply)


def longest_reply() -> int:
    """The most tokens of a reply that the open budgets have seen."""
    return max((budget.longest_reply for budget in _OPEN.get()), default=0)


def check_priced(price: object, what: str) -> None:
    """Go on only if what is to be paid for has a price, or no open budget limits money.

    Raises BudgetError: what has no price would count as nothing.
    """
    if price is None and any("money" in budget.limits for budget in _OPEN.get()):
        raise BudgetError(
            f"a budget limits money, and {what} has no price (a file of prices can name one)"
        )
