"""Pairs from everyday documents in two versions, and from sentences whose labels turn with them.

A sentence that turns stands beside both versions, and so does the sentence put right: then nothing
in either gives its label away.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from errata.core.records import Document
from errata.evals.datasets.rows import read_rows
from errata.tools.judges.entailment import EXCERPT, excerpt_for, join_strips, name_entity
from errata.tools.judges.evidence import Evidence, collect_evidence, read_claim
from errata.training.pairs import NOT_MENTIONED, REFUTED, SUPPORTED, Labels, Pair
from errata.training.written_pairs import (
    DISTRACTED,
    ELSEWHERE,
    WrittenClaim,
    changes,
    gap_pairs,
)

OWN = Path(__file__).with_name("everyday.jsonl.gz")
"""Cases written for this project, which come with it."""
EVERYDAY = "everyday"
SIDES = ("a", "b")
TITLED = 0.7
"""How often a document has its title."""
SENTENCE, MEND = False, True
CONTRASTS = (
    (("a", SENTENCE), ("b", SENTENCE)),
    (("a", MEND), ("b", MEND)),
    (("a", SENTENCE), ("a", MEND)),
    (("b", SENTENCE), ("b", MEND)),
)
"""Pairs of a line that turns whose labels differ: one sentence by two documents, or two by one."""


@dataclass(frozen=True)
class Line:
    """A sentence, its form put right, and what both are beside each version of the document."""

    name: str
    turns: bool
    text: str
    mend: str
    labels: Mapping[str, Labels]


def read_everyday(data: Path) -> list[Mapping[str, Any]]:
    """All cases that are written to learn from."""
    return [row for file in (data / "everyday" / "train.jsonl.gz", OWN) for row in read_rows(file)]


def everyday_pairs(data: Path, random: Random) -> Iterator[Pair]:
    """Each line with the passages that a judge reads; of one that turns one contrast."""
    cases = read_everyday(data)
    for case in cases:
        other = random.choice([each for each in cases if each is not case])
        evidence = {side: _beside(case, side, other, random) for side in SIDES}
        for line in lines_of(case):
            for side, is_mend in _shown(line, random):
                pair = _pair(case["id"], line, side, is_mend, evidence[side])
                yield pair
                if pair.labels == REFUTED:
                    ours, twin = (line.mend, line.text) if is_mend else (line.text, line.mend)
                    claim = WrittenClaim(line.name, ours, REFUTED, twin)
                    yield from gap_pairs(pair.group, claim, evidence[side], "everyday gap")
            if random.random() < ELSEWHERE:
                strange = Line(f"{line.name} elsewhere", False, line.text, "", {"a": NOT_MENTIONED})
                documents = [Document(text=other["a"], title=other["title"])]
                yield _pair(
                    case["id"], strange, "a", False, collect_evidence(frozenset(), documents)
                )


def lines_of(case: Mapping[str, Any]) -> Iterator[Line]:
    """The sentences of a case."""
    meant = {"both": SUPPORTED, "none": REFUTED, "open": NOT_MENTIONED}
    for number, row in enumerate(case["lines"]):
        turns = row["how"] == "turn"
        alike = dict.fromkeys(SIDES, meant.get(row["how"], SUPPORTED))
        labels = {"a": SUPPORTED, "b": REFUTED} if turns else alike
        yield Line(f"{case['id']} {number}", turns, row["text"], row.get("other") or "", labels)


def _shown(line: Line, random: Random) -> Sequence[tuple[str, bool]]:
    """Beside which version a line is shown, and whether put right."""
    if line.turns:
        return random.choice(CONTRASTS)
    side = random.choice(SIDES)
    return [(side, SENTENCE), (side, MEND)] if line.mend else [(side, SENTENCE)]


def _beside(
    case: Mapping[str, Any], side: str, other: Mapping[str, Any], random: Random
) -> Evidence:
    documents = [(case[side], case["title"] if random.random() < TITLED else "")]
    if random.random() < DISTRACTED:
        documents.append((other[random.choice(SIDES)], other["title"]))
    random.shuffle(documents)
    rows = [Document(id=f"d{n}", text=text, title=t) for n, (text, t) in enumerate(documents)]
    return collect_evidence(frozenset(), rows)


def _pair(group: str, line: Line, side: str, is_mend: bool, evidence: Evidence) -> Pair:
    text, twin = (line.mend, line.text) if is_mend else (line.text, line.mend)
    labels = _turned(line, side) if is_mend else line.labels[side]
    reading = read_claim(text, "")
    spans = tuple((start, end) for start, end, _ in changes(text, twin)) or None
    wrong = {SUPPORTED: (), REFUTED: spans}.get(labels)
    return Pair(
        f"{EVERYDAY} {group}",
        EVERYDAY,
        name_entity(reading.text, reading.question_entity),
        join_strips(excerpt_for(reading, evidence, EXCERPT), evidence),
        labels,
        bundle=line.name,
        wrong=wrong if reading.text == text else None,
    )


def _turned(line: Line, side: str) -> Labels:
    """The label of a sentence put right: by the other version, or by both."""
    if not line.turns:
        return SUPPORTED
    return SUPPORTED if line.labels[side] == REFUTED else REFUTED
