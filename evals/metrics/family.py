"""What all scorers share: what they read of an item's gold, what it adds, and how that sums up."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.items import FALSE, TRUE, UNTOLD, Item
from errata.evals.metrics.estimate import (
    ACCURACY,
    BALANCED,
    F1_FALSE,
    F1_TRUE,
    Counts,
    Difference,
    Statistic,
    compare,
    estimate,
)
from errata.evals.scoring import Figure, Row
from errata.methods import Result

Said = Mapping[str, Any]
"""What a scorer says of one result, as JSON."""


def nothing(_: Item) -> Counts:
    """Leave a failed row out."""
    return ()


@dataclass(frozen=True)
class Measure:
    """One metric: what an item adds to its sums, and what follows from them."""

    statistic: Statistic
    count: Callable[[Row, Said], Counts]
    """What a scored row adds; empty where the metric does not apply to it."""
    worst: Callable[[Item], Counts] = nothing
    """What a row adds whose run failed."""


def mean_of(name: str) -> Callable[[Row, Said], Counts]:
    """Count a value of what was said towards its mean; null is left out."""
    return lambda _, said: () if said[name] is None else (float(said[name]), 1)


def of_two_classes(
    count: Callable[[Row, Said], Counts], worst: Callable[[Item], Counts]
) -> dict[str, Measure]:
    """Balanced accuracy, F1 of either class and accuracy, of what is true and what is false."""
    statistics = {
        "balanced_accuracy": BALANCED,
        "f1_true": F1_TRUE,
        "f1_false": F1_FALSE,
        "accuracy": ACCURACY,
    }
    return {name: Measure(statistic, count, worst) for name, statistic in statistics.items()}


class Family(ABC):
    """A scorer whose figures are pooled over rows and drawn again item by item."""

    name: str

    @property
    @abstractmethod
    def measures(self) -> Mapping[str, Measure]:
        """The metrics by name, the main one first."""

    @abstractmethod
    async def score(self, item: Item, result: Result) -> Said:
        """What is said of one result.

        Raises InputError if the item lacks what the scorer needs.
        """

    def applies(self, said: Said) -> bool:  # noqa: ARG002  some scorers look at it
        """Whether a method's result has what is scored; where none has, there are no figures."""
        return True

    def figures(self, rows: Sequence[Row]) -> Mapping[str, Figure]:
        """The metrics of some rows; a row that failed counts as the worst it can be."""
        if not self._apply(rows):
            return dict.fromkeys(self.measures, Figure(None))
        return {
            name: estimate(measure.statistic, self._by_item(measure, rows))
            for name, measure in self.measures.items()
        }

    def compare(self, ours: Sequence[Row], theirs: Sequence[Row]) -> Mapping[str, Difference]:
        """How much higher each metric is in our rows than in theirs, on the same items."""
        if not (self._apply(ours) and self._apply(theirs)):
            return dict.fromkeys(self.measures, Difference(value=None))
        return {
            name: compare(
                measure.statistic, self._by_item(measure, ours), self._by_item(measure, theirs)
            )
            for name, measure in self.measures.items()
        }

    def _apply(self, rows: Sequence[Row]) -> bool:
        scored = [row.scores[self.name] for row in rows if self.name in row.scores]
        return not scored or any(self.applies(said) for said in scored)

    def _by_item(self, measure: Measure, rows: Sequence[Row]) -> dict[str, Counts]:
        """The counts of each item, summed over its rows."""
        by_item = dict[str, Counts]()
        for row in rows:
            counts = self._count(measure, row)
            before = by_item.get(row.item.id, ())
            by_item[row.item.id] = _added(before, counts)
        return by_item

    def _count(self, measure: Measure, row: Row) -> Counts:
        if row.result is None:
            return measure.worst(row.item)
        said = row.scores.get(self.name)
        return () if said is None else measure.count(row, said)


def _added(before: Counts, counts: Counts) -> Counts:
    if not (before and counts):
        return before or counts
    return [one + other for one, other in zip(before, counts, strict=True)]


def lacking(item: Item, scorer: str, wanted: str) -> InputError:
    """The error that an item's gold lacks what a scorer needs."""
    has = ", ".join(item.gold) or "nothing"
    return InputError(
        f"the scorer {scorer} needs {wanted} in the gold of an item; {item.id!r} has {has}: "
        "choose a scorer that the dataset names"
    )


def facts_of(item: Item) -> list[tuple[str, bool]]:
    """The labelled facts of the draft, from `gold["facts"]`; none where it has no such key."""
    return [(fact["text"], bool(fact["label"])) for fact in item.gold.get("facts", ())]


def labelled_facts(item: Item, scorer: str) -> list[tuple[str, bool]]:
    """The labelled facts of the draft.

    Raises InputError if the gold has none.
    """
    if "facts" not in item.gold:
        raise lacking(item, scorer, "`facts`, each with `text` and `label`")
    return facts_of(item)


def is_true(item: Item, scorer: str) -> bool:
    """Whether `gold["label"]` says that the text is true, or its claim supported.

    Partly supported counts as false (RE-EX, appendix A.2). Raises InputError if it says neither.
    """
    label = item.gold.get("label")
    if isinstance(label, bool):
        return label
    word = str(label).lower().replace(" ", "_")
    if word not in (*TRUE, *FALSE, *UNTOLD):
        raise lacking(item, scorer, "`label`: true, false or a word such as supported")
    return word in TRUE


def knowledge_of(item: Item) -> list[Document]:
    """What claims are judged by: `gold["documents"]`, else the item's own documents."""
    pages = item.gold.get("documents")
    return list(item.documents) if pages is None else [_document(page) for page in pages]


def _document(page: str | Mapping[str, Any]) -> Document:
    if isinstance(page, str):
        return Document(text=page)
    return Document(text=page["text"], title=page.get("title", ""))
