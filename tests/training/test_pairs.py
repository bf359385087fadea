"""Bundles of pairs, plans, and the batches that they are learned in."""

from collections import Counter
from dataclasses import replace
from random import Random

from errata.training.mixture import MOST, limit
from errata.training.pairs import (
    DEV_PAIRS,
    REFUTED,
    SUPPORTED,
    Pair,
    draw_watched,
    is_watched,
    order_batches,
    read_plan,
    write_plan,
)


def pair(number, source="s", bundle=""):
    return Pair(f"group {number}", source, "claim", "text", SUPPORTED, bundle)


def test_plans_are_read_as_they_were_written(tmp_path):
    pairs = [pair(number, bundle="b") for number in range(20)]
    pairs += [replace(pairs[0], answer="text", wrong=((0, 5),)), replace(pairs[1], labels=REFUTED)]
    write_plan(tmp_path / "new" / "plan.jsonl.gz", pairs)
    assert list(read_plan(tmp_path / "new")) == pairs


def test_some_groups_of_each_source_are_watched():
    pairs = [pair(number, source) for number in range(4000) for source in ("s", "t")]
    watched = draw_watched(pairs)
    assert all(is_watched(one.group) for one in watched)
    assert Counter(one.source for one in watched) == {"s": DEV_PAIRS, "t": DEV_PAIRS}


def test_bundles_share_a_batch_and_batches_have_a_size():
    bundles = ["a", "b", "a", "", "b", ""]
    lengths = [10, 60, 12, 10, 50, 62]
    batches = order_batches(bundles, lengths, 130, Random(0))
    assert sorted(row for batch in batches for row in batch) == list(range(6))
    of_row = {row: number for number, batch in enumerate(batches) for row in batch}
    assert of_row[0] == of_row[2]
    assert of_row[1] == of_row[4]
    assert all(max(lengths[r] for r in batch) * len(batch) <= 130 for batch in batches)


def test_large_sources_are_sampled_and_bundles_stay_together():
    pairs = [pair(n, "med") for n in range(1300)] + [pair(n, "other") for n in range(10)]
    pairs += [pair(n, "written", f"y{n // 2}") for n in range(2000)]
    drawn = list(limit(pairs, Random(0)))
    most = {"med": MOST["med"], "other": 10, "written": 2000}
    assert Counter(one.source for one in drawn) == most
    bundles = [one.bundle for one in drawn if one.bundle]
    assert bundles[::2] == bundles[1::2]
