"""Verdicts against labels, a claim at a time (RAC section 4.2; RE-EX table 5)."""

from collections.abc import Mapping, Sequence
from typing import Any

from errata.core.records import Correction, Verdict
from errata.evals.items import UNTOLD, Item
from errata.evals.metrics.estimate import (
    SHARE,
    Counts,
    confusion,
)
from errata.evals.metrics.family import Family, Measure, Said, facts_of, is_true, of_two_classes
from errata.evals.scoring import Row
from errata.methods import Result
from errata.tools.text.words import content_stems

OPEN = ("unchecked", "unreadable")
"""Labels that judge nothing."""


class Claims(Family):
    """Whether verdicts let true claims stand, and false ones not.

    An item with `gold["facts"]` has many claims: the verdict on a fact is that of the method's
    claim which shares most words with it. Else the draft is one claim, labelled by `gold["label"]`,
    and supported if all of its parts are. A claim that the method did not judge is wrong. Methods
    without verdicts have no figures.
    """

    name = "claims"

    @property
    def measures(self) -> Mapping[str, Measure]:
        """Balanced accuracy, F1 of either class, accuracy; of three labels; what is undecided."""
        return {
            **of_two_classes(_counts, _wrong),
            "label_accuracy": Measure(SHARE, _label_right, _label_wrong),
            "undecided": Measure(SHARE, _undecided, _all_undecided),
        }

    async def score(self, item: Item, result: Result) -> Said:
        """`{"judged": bool, "label": LABEL, "believed": [bool or null for each claim]}`."""
        pairs = _labels(item)
        if not isinstance(result, Correction):
            return {"judged": False, "label": None, "believed": [None] * len(pairs)}
        if "facts" in item.gold:
            believed = [believes(fact, result) for fact, _ in facts_of(item)]
        else:
            believed = [_stands(result)]
        return {"judged": bool(result.verdicts), "label": result.label, "believed": believed}

    def applies(self, said: Said) -> bool:
        """Whether the method gave verdicts."""
        return bool(said["judged"])


def believes(fact: str, correction: Correction) -> bool | None:
    """Tell whether the verdicts let a fact stand; None where the claim of it was not judged.

    The verdict is that of the claim which shares most words with the fact. A refutation of other
    words of that claim lets the fact stand.
    """
    verdict = verdict_on(fact, correction)
    if verdict is None or verdict.label in OPEN:
        return None
    return _lets_stand(verdict, content_stems(fact))


def verdict_on(fact: str, correction: Correction) -> Verdict | None:
    """The verdict on the claim that shares most words with a fact; None without any claim."""
    stems = content_stems(fact)
    texts = {claim.id: content_stems(claim.text) for claim in correction.claims}
    best = max(texts, key=lambda name: len(texts[name] & stems), default="")
    return next((v for v in correction.verdicts if v.claim == best), None)


def _lets_stand(verdict: Verdict, stems: frozenset[str]) -> bool:
    doubted = content_stems(" ".join(verdict.doubted))
    return verdict.label == "supported" or bool(doubted and not doubted & stems)


def _stands(correction: Correction) -> bool | None:
    """Whether a draft that is one claim is supported; None where a part of it was not judged."""
    labels = {verdict.label for verdict in correction.verdicts}
    if "refuted" in labels:
        return False
    return None if not labels or labels.intersection(OPEN) else labels == {"supported"}


def _labels(item: Item) -> list[tuple[Any, bool]]:
    return list(facts_of(item)) if "facts" in item.gold else [("", is_true(item, Claims.name))]


def _pairs(item: Item, believed: Sequence[bool | None]) -> Counts:
    known = [label for _, label in _labels(item)]
    return confusion(list(zip(known, believed, strict=True)))


def _counts(row: Row, said: Said) -> Counts:
    return _pairs(row.item, said["believed"])


def _wrong(item: Item) -> Counts:
    return _pairs(item, [None] * len(_labels(item)))


def _three_way(item: Item) -> str:
    """The gold label where a set tells refuted from not mentioned; empty elsewhere."""
    label = str(item.gold.get("label")).lower().replace(" ", "_")
    if label in UNTOLD:
        return "not_mentioned"
    return label if label in ("supported", "refuted") else ""


def _label_right(row: Row, said: Said) -> Counts:
    label = _three_way(row.item)
    return (said["label"] == label, 1) if label else ()


def _label_wrong(item: Item) -> Counts:
    return (0, 1) if _three_way(item) else ()


def _undecided(_: Row, said: Said) -> Counts:
    return (said["believed"].count(None), len(said["believed"]))


def _all_undecided(item: Item) -> Counts:
    return (len(_labels(item)),) * 2
