"""What a stage of training reads: pairs in files, and the order in which they are learned."""

import gzip
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from random import Random

from errata.training.pairs import Pair
from errata.training.splits import draw_number

DEV_EVERY = 40
"""One in so many groups is kept for watching the training."""
DEV_PAIRS = 60
"""How many pairs of one source are watched at most."""
Batch = list[int]


def write_plan(path: Path, pairs: Iterable[Pair]) -> None:
    """Write pairs as gzipped JSON lines."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt", encoding="utf-8") as lines:
        for pair in pairs:
            lines.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")


def read_plan(path: Path) -> list[Pair]:
    """The pairs of a plan: of a file, or of all files in a folder."""
    files = sorted(path.glob("*.jsonl.gz")) if path.is_dir() else [path]
    return [pair for file in files for pair in _read_pairs(file)]


def _read_pairs(path: Path) -> Iterator[Pair]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            wrong = row["wrong"]
            spans = None if wrong is None else tuple(map(tuple, wrong))
            yield Pair(**row | {"labels": tuple(row["labels"]), "wrong": spans})


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


def order_batches(
    bundles: Sequence[str], lengths: Sequence[int], tokens: int, random: Random
) -> list[Batch]:
    """Batches of row numbers in random order; a batch has about `tokens` tokens, padding included.

    Rows of one bundle (with the same name, which is not empty) share a batch if they fit one. The
    rows of a batch are of similar length.
    """
    batches: list[Batch] = [[]]
    longest = 0
    for rows in _sort_bundles(bundles, lengths, random):
        longest = max([longest, *(lengths[row] for row in rows)])
        if batches[-1] and longest * (len(batches[-1]) + len(rows)) > tokens:
            batches.append([])
            longest = max(lengths[row] for row in rows)
        batches[-1] += rows
    random.shuffle(batches)
    return batches


def _sort_bundles(
    bundles: Sequence[str], lengths: Sequence[int], random: Random
) -> Iterator[list[int]]:
    """The rows of each bundle, short ones first, with some disorder."""
    by_name: dict[str, list[int]] = defaultdict(list)
    for row, name in enumerate(bundles):
        by_name[name or f"row {row}"].append(row)
    keys = {
        name: max(lengths[row] for row in rows) + random.random() * 8
        for name, rows in by_name.items()
    }
    return (by_name[name] for name in sorted(by_name, key=keys.__getitem__))
