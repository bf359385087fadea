"""What all scorers share: what they read of an item's gold, what it adds, and how that sums up."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from errata.core.errors import InputError
from errata.core.records import Document
from errata.evals.items import FALSE, TRUE, UNTOLD, Figure, Item, Row
from errata.evals.judges import Judge
from errata.evals.metrics.estimate import (
    ACCURACY,
    BALANCED,
    F1_FALSE,
    F1_TRUE,
    SHARE,
    Counts,
    Statistic,
    estimate,
)
from errata.methods import Result

Said = Mapping[str, Any]
"""What a scorer says of one result, as JSON."""
Count = Callable[[Row, Said], Counts]


@dataclass(frozen=True)
class Measure:
    """One metric: what an item adds to its sums, and what follows from them."""

    count: Count
    """What a scored row adds; empty where the metric does not apply to it."""
    worst: Counts | Callable[[Item], Counts] = ()
    """What a row adds whose run failed."""
    statistic: Statistic = SHARE


def mean_of(name: str, worst: Counts = ()) -> Measure:
    """The mean of a value of what was said; null is left out."""
    return Measure(lambda _, said: () if said[name] is None else (float(said[name]), 1), worst)


def unread(said: Sequence[str | None]) -> Counts:
    """How many of a judge's words could not be read, and how many there are."""
    return (said.count(None), len(said))


def of_two_classes(count: Count, worst: Callable[[Item], Counts]) -> dict[str, Measure]:
    """Balanced accuracy, F1 of either class and accuracy, of what is true and what is false."""
    statistics = {
        "balanced_accuracy": BALANCED,
        "f1_true": F1_TRUE,
        "f1_false": F1_FALSE,
        "accuracy": ACCURACY,
    }
    return {name: Measure(count, worst, statistic) for name, statistic in statistics.items()}


class Family(ABC):
    """A scorer whose figures are pooled over rows and drawn again item by item."""

    name: str
    measures: Mapping[str, Measure]
    """The metrics by name, the main one first."""

    def __init__(self, judge: Judge, model: str = "", search: str = "") -> None:
        """Have what reads responses, and the model and search engine that are paid for."""
        self.judge, self.model, self.search = judge, model, search

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

    def _apply(self, rows: Sequence[Row]) -> bool:
        scored = [row.scores[self.name] for row in rows if self.name in row.scores]
        return not scored or any(map(self.applies, scored))

    def _by_item(self, measure: Measure, rows: Sequence[Row]) -> dict[str, Counts]:
        """The counts of each item, summed over its rows."""
        by_item = dict[str, Counts]()
        for row in rows:
            counts: Counts = ()
            if row.result is None:
                counts = measure.worst(row.item) if callable(measure.worst) else measure.worst
            elif self.name in row.scores:
                counts = measure.count(row, row.scores[self.name])
            before = by_item.get(row.item.id, ())
            if before and counts:
                counts = [one + other for one, other in zip(before, counts, strict=True)]
            by_item[row.item.id] = counts or before
        return by_item


def lacking(item: Item, scorer: str, wanted: str) -> InputError:
    """The error that an item's gold lacks what a scorer needs."""
    has = ", ".join(item.gold) or "nothing"
    return InputError(
        f"the scorer {scorer} needs {wanted} in the gold of an item; {item.id!r} has {has}: "
        "choose a scorer that the dataset names"
    )


def facts_of(item: Item, scorer: str = "") -> list[tuple[str, bool]]:
    """The labelled facts of the draft, from `gold["facts"]`.

    Where it has no such key there are none; or InputError is raised for a scorer that needs them.
    """
    if scorer and "facts" not in item.gold:
        raise lacking(item, scorer, "`facts`, each with `text` and `label`")
    return [(fact["text"], bool(fact["label"])) for fact in item.gold.get("facts", ())]


def label_word(item: Item) -> str:
    """The word of `gold["label"]`, in lower case with underscores."""
    return str(item.gold.get("label")).lower().replace(" ", "_")


def is_true(item: Item, scorer: str) -> bool:
    """Whether `gold["label"]` says that the text is true, or its claim supported.

    Partly supported counts as false (RE-EX, appendix A.2). Raises InputError if it says neither.
    """
    word = label_word(item)
    if word not in (*TRUE, *FALSE, *UNTOLD):
        raise lacking(item, scorer, "`label`: true, false or a word such as supported")
    return word in TRUE


def knowledge_of(item: Item) -> list[Document]:
    """What claims are judged by: `gold["documents"]`, else the item's own documents."""
    pages = item.gold.get("documents")
    if pages is None:
        return list(item.documents)
    rows = ({"text": page} if isinstance(page, str) else page for page in pages)
    return [Document(text=row["text"], title=row.get("title", "")) for row in rows]
