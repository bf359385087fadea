"""How much a correction mends, and how much it harms: RE-EX's correction and revision accuracy.

python -m errata.evals.corrections DATA FOLDS

FOLDS is the folder that `errata.training.folds` writes: the verifier of each draft is one that was
not fitted on the draft's person.
"""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter
from typing import Any, Literal

from errata.api import acorrect
from errata.edits import apply_edits
from errata.evals.datasets import Biography, read_biographies
from errata.records import Correction
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import content_stems, split_words

Evidence = Literal["google", "gold"]
WAYS: dict[str, dict[str, Any]] = {
    "rac, flag": {},
    "rac, drop": {"unsupported": "drop"},
    "reex": {"method": "reex"},
}


@dataclass(frozen=True)
class Effect:
    """Count what became of facts that people labelled."""

    false: int
    false_gone: int
    """False facts that the response no longer states (correction accuracy)."""
    true: int
    true_kept: int
    """True facts that the response still states (revision accuracy)."""

    @property
    def correction_accuracy(self) -> float:
        """Give the share of false facts that are gone."""
        return self.false_gone / self.false

    @property
    def revision_accuracy(self) -> float:
        """Give the share of true facts that are kept."""
        return self.true_kept / self.true


def stated(fact: str, text: str, topic: frozenset[str]) -> float:
    """Give the largest share of a fact's content words that one sentence of a text holds."""
    wanted = content_stems(fact) - topic
    bags = [{word.stem for word in split_words(text[a:b])} for a, b in split_sentences(text)]
    return max((len(wanted & bag) / len(wanted) for bag in bags), default=0.0) if wanted else 1.0


def effect(pairs: Sequence[tuple[Biography, Correction]]) -> Effect:
    """Judge by words: a fact is still stated where the response holds as much as the draft did."""
    kept: dict[bool, list[bool]] = {True: [], False: []}
    for biography, correction in pairs:
        topic = topic_stems(biography.question)
        for fact, label in biography.facts:
            before = stated(fact, correction.draft, topic)
            kept[label].append(stated(fact, correction.response, topic) >= before)
    return Effect(
        false=len(kept[False]),
        false_gone=kept[False].count(False),
        true=len(kept[True]),
        true_kept=kept[True].count(True),
    )


async def corrected(
    biography: Biography, evidence: Evidence, **settings: Any
) -> tuple[Correction, float]:
    """Correct one draft; give the correction and the seconds it took."""
    began = perf_counter()
    documents = getattr(biography, evidence)
    done = await acorrect(biography.question, biography.draft, documents=documents, **settings)
    return done, perf_counter() - began


def read_fillers(folds: Path) -> dict[str, str]:
    """For each person in lower case, the verifier that was not fitted on that person."""
    return {
        person: f"local:{path}"
        for path in sorted(folds.glob("without-*.json"))
        for person in json.loads(path.read_text(encoding="utf-8"))["unseen"]
    }


def main(data: str, folds: str) -> None:
    """Report both evidences under each way to correct."""
    found = list(read_biographies(Path(data) / "factscore-bio", "chatgpt"))
    fillers = read_fillers(Path(folds))
    for evidence in ("google", "gold"):
        for way in WAYS:
            row = asyncio.run(_row(found, evidence, way, fillers))
            sys.stdout.write(json.dumps(row) + "\n")


async def _row(
    found: Sequence[Biography], evidence: Evidence, way: str, fillers: Mapping[str, str]
) -> dict[str, object]:
    pairs, seconds = [], []
    for biography in found:
        filler = fillers[biography.entity.lower()]
        done, took = await corrected(biography, evidence, model=filler, **WAYS[way])
        pairs.append((biography, done))
        seconds.append(took)
    counts = effect(pairs)
    kept = sum(len(c.response) for _, c in pairs) / sum(len(c.draft) for _, c in pairs)
    return {
        "evidence": evidence,
        "way": way,
        "drafts": len(pairs),
        "exact": sum(apply_edits(c.draft, c.edits) == c.response for _, c in pairs),
        "changed": sum(c.changed for _, c in pairs),
        "correction_accuracy": round(counts.correction_accuracy, 3),
        "revision_accuracy": round(counts.revision_accuracy, 3),
        **asdict(counts),
        "kept_characters": round(kept, 3),
        "median_seconds": round(median(seconds), 4),
        "max_seconds": round(max(seconds), 4),
        "peak_mb": getrusage(RUSAGE_SELF).ru_maxrss // 1024,
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
