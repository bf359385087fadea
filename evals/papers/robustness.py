"""Make retrieval worse step by step: remove accurate results at random (CRAG section 5.6)."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from errata.core.records import Document
from errata.evals.items import Item
from errata.evals.metrics.match import mentions


@dataclass(frozen=True)
class Removal:
    """Removes all accurate results of a share of the questions that have such.

    With a larger share the same questions lose theirs, and more.
    """

    share: float
    """Between 0 and 1."""
    seed: int = 0

    @property
    def name(self) -> str:
        """The share and the seed, as part of a file name."""
        return f"without-{round(self.share * 100)}-percent-seed-{self.seed}"

    def change_of(self, items: Sequence[Item]) -> Callable[[Item], Item]:
        """What changes each of these items."""
        accurate = sorted((item for item in items if has_answer(item)), key=self._order)
        chosen = {item.id for item in accurate[: round(self.share * len(accurate))]}
        return lambda item: remove_accurate(item) if item.id in chosen else item

    def _order(self, item: Item) -> bytes:
        return hashlib.sha256(f"{self.seed}|{item.id}".encode()).digest()


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


def retrieval_accuracy(items: Sequence[Item]) -> float | None:
    """The share of questions whose retrieval is right; None without questions."""
    return sum(map(has_answer, items)) / len(items) if items else None
