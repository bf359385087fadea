"""How many false facts a correction removes, and how many true ones it keeps (RE-EX's metrics).

python -m errata.evals.corrections DATA FOLDS

FOLDS is the folder that `errata.training.folds` writes: two verifiers, each fitted on one half of
the people. A draft is judged by the verifier that was not fitted on its person.
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
from errata.core.edits import apply_edits
from errata.core.records import Correction
from errata.evals.datasets.biographies import Biography, read_biographies
from errata.tools.text.questions import topic_stems
from errata.tools.text.sentences import split_sentences
from errata.tools.text.words import content_stems, split_words

Evidence = Literal["google", "gold"]
SETTINGS: dict[str, dict[str, Any]] = {
    "rac, flag": {},
    "rac, drop": {"unsupported": "drop"},
    "reex": {"method": "reex"},
}


@dataclass(frozen=True)
class Effect:
    """How many labelled facts a response still states."""

    false: int
    false_gone: int
    """False facts that the response no longer states."""
    true: int
    true_kept: int
    """True facts that the response still states."""

    @property
    def correction_accuracy(self) -> float:
        """The share of false facts that are gone."""
        return self.false_gone / self.false

    @property
    def revision_accuracy(self) -> float:
        """The share of all facts that are right: false ones gone, true ones kept (section 3.1)."""
        return (self.false_gone + self.true_kept) / (self.false + self.true)

    @property
    def true_facts_kept(self) -> float:
        """The share of true facts that are kept."""
        return self.true_kept / self.true


def cover_fact(fact: str, text: str, topic: frozenset[str]) -> float:
    """The largest share of a fact's content words, topic aside, in one sentence; 0/0 is 1."""
    stems = content_stems(fact) - topic
    bags = [{word.stem for word in split_words(text[a:b])} for a, b in split_sentences(text)]
    return max((len(stems & bag) / len(stems) for bag in bags), default=0.0) if stems else 1.0


def count_effect(pairs: Sequence[tuple[Biography, Correction]]) -> Effect:
    """Count by words: a response states a fact if it covers the fact as well as the draft does."""
    still_stated: dict[bool, list[bool]] = {True: [], False: []}
    for biography, correction in pairs:
        topic = topic_stems(biography.question)
        for fact, label in biography.facts:
            before = cover_fact(fact, correction.draft, topic)
            still_stated[label].append(cover_fact(fact, correction.response, topic) >= before)
    return Effect(
        false=len(still_stated[False]),
        false_gone=still_stated[False].count(False),
        true=len(still_stated[True]),
        true_kept=still_stated[True].count(True),
    )


async def correct_draft(
    biography: Biography, evidence: Evidence, **settings: Any
) -> tuple[Correction, float]:
    """Correct one draft; the correction and how many seconds it took."""
    began = perf_counter()
    documents = getattr(biography, evidence)
    correction = await acorrect(
        biography.question, biography.draft, documents=documents, **settings
    )
    return correction, perf_counter() - began


def read_fillers(folds: Path) -> dict[str, str]:
    """For each person in lower case, the verifier that was not fitted on that person."""
    return {
        person: f"local:{path}"
        for path in sorted(folds.glob("without-*.json"))
        for person in json.loads(path.read_text(encoding="utf-8"))["unseen"]
    }


def main(data: str, folds: str) -> None:
    """Print a row for each evidence and each set of settings."""
    biographies = list(read_biographies(Path(data) / "factscore-bio", "chatgpt"))
    fillers = read_fillers(Path(folds))
    for evidence in ("google", "gold"):
        for way in SETTINGS:
            row = asyncio.run(_measure(biographies, evidence, way, fillers))
            sys.stdout.write(json.dumps(row) + "\n")


async def _measure(
    biographies: Sequence[Biography], evidence: Evidence, way: str, fillers: Mapping[str, str]
) -> dict[str, object]:
    pairs, seconds = [], []
    for biography in biographies:
        filler = fillers[biography.entity.lower()]
        correction, elapsed = await correct_draft(
            biography, evidence, model=filler, **SETTINGS[way]
        )
        pairs.append((biography, correction))
        seconds.append(elapsed)
    effect = count_effect(pairs)
    kept_characters = sum(len(c.response) for _, c in pairs) / sum(len(c.draft) for _, c in pairs)
    return {
        "evidence": evidence,
        "way": way,
        "drafts": len(pairs),
        "exact": sum(apply_edits(c.draft, c.edits) == c.response for _, c in pairs),
        "changed": sum(c.changed for _, c in pairs),
        "correction_accuracy": round(effect.correction_accuracy, 3),
        "revision_accuracy": round(effect.revision_accuracy, 3),
        "true_facts_kept": round(effect.true_facts_kept, 3),
        **asdict(effect),
        "kept_characters": round(kept_characters, 3),
        "median_seconds": round(median(seconds), 4),
        "max_seconds": round(max(seconds), 4),
        "peak_mb": getrusage(RUSAGE_SELF).ru_maxrss // 1024,
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
