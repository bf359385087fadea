"""Bundles of pairs, plans, and the batches that they are learned in."""

from collections import Counter, defaultdict
from random import Random

from errata.training.invented import invented_pairs
from errata.training.mixture import MOST, limit
from errata.training.pairs import (
    DEV_PAIRS,
    NOT_MENTIONED,
    REFUTED,
    SUPPORTED,
    Pair,
    draw_watched,
    is_watched,
    order_batches,
    read_plan,
    write_plan,
)
from errata.training.passages import Passage
from errata.training.twin_pairs import twin_pairs

PASSAGES = [
    Passage(
        "a",
        "Iron Bridge",
        "The bridge was opened on 9 May 1989 by the old mayor. It cost $3 million to build. "
        "About 400 workers were employed there. The river has never frozen since 1950.",
    ),
    Passage("b", "Oslo", "Trams have run in Oslo since 1875. The city has 152 tram stops today."),
]


def make_pairs():
    return [pair for seed in range(30) for pair in twin_pairs(PASSAGES, Random(seed))]


def test_a_false_claim_has_a_true_twin_in_its_bundle():
    bundles = defaultdict(set)
    for seed in range(30):
        for pair in twin_pairs(PASSAGES, Random(seed)):
            bundles[seed, pair.bundle].add(pair.labels)
    assert all(SUPPORTED in labels for labels in bundles.values())
    assert any(REFUTED in labels for labels in bundles.values())


def test_the_same_claim_is_true_and_false():
    labels = defaultdict(set)
    for pair in make_pairs():
        labels[pair.first].add(pair.labels)
    both = [claim for claim, own in labels.items() if {SUPPORTED, REFUTED} <= own]
    assert len(both) > len(labels) / 3


def test_a_claim_beside_other_sentences_is_not_mentioned():
    for pair in make_pairs():
        if pair.labels == NOT_MENTIONED and pair.source != "rule foreign":
            assert pair.first not in pair.second


def test_notes_on_invented_things_have_all_labels():
    pairs = list(invented_pairs(50, Random(0)))
    counts = Counter(pair.labels for pair in pairs)
    assert min(counts[labels] for labels in (SUPPORTED, REFUTED, NOT_MENTIONED)) >= 20
    assert len({pair.group for pair in pairs}) == 50


def pair(number, source="s", bundle=""):
    return Pair(f"group {number}", source, "claim", "text", SUPPORTED, bundle)


def test_plans_are_read_as_they_were_written(tmp_path):
    pairs = make_pairs()[:20]
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
    pairs += [pair(n, "rule date", f"y{n // 2}") for n in range(2000)]
    drawn = list(limit(pairs, Random(0)))
    most = {"med": MOST["med"], "other": 10, "rule date": MOST["rule"]}
    assert Counter(one.source for one in drawn) == most
    bundles = [one.bundle for one in drawn if one.bundle]
    assert bundles[::2] == bundles[1::2]
