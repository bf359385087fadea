"""What the step that writes queries takes, and how many it writes (RE-EX, appendix D, table 9)."""

from collections.abc import Callable, Mapping, Sequence

from errata.core.records import Correction
from errata.evals.metrics.cost import is_timed
from errata.evals.metrics.estimate import SHARE, estimate
from errata.evals.scoring import Figure, Row

STEPS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "factool": (("extract", "query"), "queries"),
    "cove": (("ask",), "questions"),
    "rarr": (("ask",), "answers"),
    "reex": (("ask",), "questions"),
}
"""The roles that lead to a method's queries, and what of its trail lists them."""


def query_seconds(rows: Sequence[Row]) -> Figure:
    """The mean seconds of the query step, of the runs that took their own time."""
    timed = [row for row in rows if row.result and is_timed(row.result.usage)]
    return _mean(timed, lambda result: _cost(result, "seconds"))


def query_tokens(rows: Sequence[Row]) -> Figure:
    """The mean tokens of the query step, those that a model reads and those that it writes."""
    return _mean(rows, lambda result: _cost(result, "prompt_tokens", "completion_tokens"))


def queries(rows: Sequence[Row]) -> Figure:
    """The mean number of queries."""
    return _mean(rows, _count)


def _mean(rows: Sequence[Row], measure: Callable[[Correction], float]) -> Figure:
    """The mean over the corrections among the rows; None if there are none."""
    results = {row.item.id: row.result for row in rows if isinstance(row.result, Correction)}
    return estimate(SHARE, {name: (measure(result), 1) for name, result in results.items()})


def _cost(result: Correction, *counts: str) -> float:
    roles, _ = STEPS[result.method]
    bills = (result.usage.by_role.get(role, {}) for role in roles)
    return sum(bill.get(count, 0) for bill in bills for count in counts)


def _count(result: Correction) -> int:
    """How many queries there are; where each claim has a list of them, those of all lists."""
    _, listed = STEPS[result.method]
    found = result.trail.get(listed, ())
    return sum(len(each) if isinstance(each, list | tuple) else 1 for each in found)
