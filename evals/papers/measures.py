"""What single tables measure: questions without accurate retrieval, queries.

Retrieval: CRAG, figure 3. Queries: RE-EX, appendix D, table 9.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from errata.core.records import Correction, Document
from errata.evals.items import Figure, Item, Row
from errata.evals.metrics.cost import is_timed
from errata.evals.metrics.estimate import SHARE, estimate
from errata.evals.metrics.labels import mentions

STEPS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "factool": (("extract", "query"), "queries"),
    "cove": (("ask",), "questions"),
    "rarr": (("ask",), "answers"),
    "reex": (("ask",), "questions"),
}
"""The roles that lead to a method's queries, and what of its trail lists them."""


@dataclass(frozen=True)
class Removal:
    """Removes all accurate results of a share of the questions that have such.

    With a larger share the same questions lose theirs, and more.
    """

    share: float
    """Between 0 and 1."""

    @property
    def name(self) -> str:
        """The share, as part of a file name."""
        return f"without-{round(self.share * 100)}-percent"

    def change_of(self, items: Sequence[Item]) -> Callable[[Item], Item]:
        """What changes each of these items."""
        accurate = sorted((item for item in items if has_answer(item)), key=_order)
        chosen = {item.id for item in accurate[: round(self.share * len(accurate))]}
        return lambda item: remove_accurate(item) if item.id in chosen else item


def _order(item: Item) -> bytes:
    return hashlib.sha256(f"0|{item.id}".encode()).digest()


def is_accurate(item: Item, document: Document) -> bool:
    """Whether a retrieved document holds an accepted answer to the item's question."""
    return mentions(f"{document.title} {document.text}", item.gold.get("answers", ()))


def has_answer(item: Item) -> bool:
    """Whether the retrieval is right: at least one of its documents is accurate."""
    return any(is_accurate(item, document) for document in item.documents)


def remove_accurate(item: Item) -> Item:
    """The item with the other documents alone."""
    rest = tuple(document for document in item.documents if not is_accurate(item, document))
    return replace(item, documents=rest)


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
