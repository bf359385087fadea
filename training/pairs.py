"""The pairs that the cross-encoder learns from: their files, their splits, and their batches."""

import gzip
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Literal

Labels = tuple[Literal["supported", "refuted", "not_mentioned", "relevant", "irrelevant"], ...]
"""Acceptable labels; annotators often say only that a claim is not supported."""
SUPPORTED: Labels = ("supported",)
REFUTED: Labels = ("refuted",)
NOT_MENTIONED: Labels = ("not_mentioned",)
UNSUPPORTED: Labels = ("refuted", "not_mentioned")
RELEVANT: Labels = ("relevant",)
IRRELEVANT: Labels = ("irrelevant",)
RESERVED = 10
"""One in so many articles or sections is reserved for fitting the evaluator."""
DEV_EVERY = 40
"""One in so many groups is kept for watching the training."""
DEV_PAIRS = 60
"""How many pairs of one source are watched at most."""
Batch = list[int]


@dataclass(frozen=True)
class Pair:
    """Two texts and the labels that are acceptable for them."""

    group: str
    """Pairs of one group belong on the same side of a split."""
    source: str
    first: str
    """A claim or a question."""
    second: str
    """Its evidence, or a text that may answer it."""
    labels: Labels
    """Empty where only the answer is learned from."""
    bundle: str = ""
    """Pairs of one bundle are learned in one step: they differ in little but their labels."""
    answer: str | None = None
    """What in the second text fills the first one's gap, or answers it; empty if nothing does."""
    wrong: tuple[tuple[int, int], ...] | None = None
    """Where the claim's wrong words are; none in a true claim, None where it is not known."""


def draw_number(group: str) -> int:
    """A pseudo-random number that depends on the group alone, the same in every run."""
    return int(hashlib.sha256(group.encode()).hexdigest(), 16)


def is_reserved(group: str) -> bool:
    """Whether the cross-encoder leaves a group out, so that the evaluator can be fitted on it."""
    return draw_number(group) % RESERVED == 0


def is_watched(group: str) -> bool:
    """Whether a group is kept for watching the training, and for what is fitted afterwards."""
    return draw_number(f"dev|{group}") % DEV_EVERY == 0


def draw_watched(pairs: Iterable[Pair]) -> list[Pair]:
    """The first pairs of each source whose groups are watched."""
    by_source: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        if is_watched(pair.group) and len(by_source[pair.source]) < DEV_PAIRS:
            by_source[pair.source].append(pair)
    return [pair for own in by_source.values() for pair in own]


def write_plan(path: Path, pairs: Iterable[Pair]) -> None:
    """Write pairs as gzipped JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for pair in pairs:
            lines.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")


def read_plan(path: Path) -> Iterator[Pair]:
    """The pairs of a plan: of a file, or of all files in a folder."""
    for file in sorted(path.glob("*.jsonl.gz")) if path.is_dir() else [path]:
        with gzip.open(file, "rt", encoding="utf-8") as lines:
            for row in map(json.loads, lines):
                wrong = None if row["wrong"] is None else tuple(map(tuple, row["wrong"]))
                yield Pair(**row | {"labels": tuple(row["labels"]), "wrong": wrong})


def order_batches(
    bundles: Sequence[str], lengths: Sequence[int], tokens: int, random: Random
) -> list[Batch]:
    """Batches of row numbers in random order; a batch has about `tokens` tokens, padding included.

    Rows of one bundle (with the same name, which is not empty) share a batch if they fit one. The
    rows of a batch are of similar length, with some disorder.
    """
    by_name: dict[str, list[int]] = defaultdict(list)
    for row, name in enumerate(bundles):
        by_name[name or f"row {row}"].append(row)
    drawn = [
        (max(lengths[row] for row in rows), random.random() * 8, rows) for rows in by_name.values()
    ]
    batches: list[Batch] = [[]]
    longest = 0
    for length, _, rows in sorted(drawn, key=lambda each: each[0] + each[1]):
        longest = max(longest, length)
        if batches[-1] and longest * (len(batches[-1]) + len(rows)) > tokens:
            batches.append([])
            longest = length
        batches[-1] += rows
    random.shuffle(batches)
    return batches
