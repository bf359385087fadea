"""Write the pairs that the cross-encoder learns from.

python -m errata.training.mixture DATA PLAN.jsonl.gz [SEED [with-infotabs]]

FActScore's labels are left out: the regression on top is fitted on them, and measured by
cross-validation. Its facts are in the plan without labels, for `errata.training.teacher`.
"""

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

from errata.training.answer_pairs import answer_pairs
from errata.training.claim_sets import CLAIM_SETS, INFOTABS, claim_pairs
from errata.training.invented import invented_pairs
from errata.training.pairs import Pair
from errata.training.plans import write_plan
from errata.training.relevance_pairs import relevance_pairs
from errata.training.synthetic_pairs import synthetic_pairs
from errata.training.twin_pairs import read_passages, twin_pairs
from errata.training.unlabelled_pairs import unlabelled_pairs
from errata.training.written_pairs import written_pairs

WITH_INFOTABS = "with-infotabs"
RULE_PAIRS = 45000
"""How many pairs that rules make are used at most."""
NOTES = 3500
"""How many invented notes are used."""
SENTENCES_WITH_A_GAP = 14000
MOST = {"med": 3000, "statements": 15000, "nqg": 6000, "squad": 7000}
"""How many pairs of the largest sources are used."""


def mix(data: Path, random: Random, *, infotabs: bool) -> Iterator[Pair]:
    """All pairs of a plan."""
    names = [*CLAIM_SETS, INFOTABS] if infotabs else CLAIM_SETS
    passages = read_passages(data)
    random.shuffle(passages)
    pairs = [*claim_pairs(data, names, random), *synthetic_pairs(data, random)]
    yield from limit([*pairs, *relevance_pairs(data, random)], random)
    yield from draw_bundles(list(twin_pairs(passages, random)), RULE_PAIRS, random)
    yield from invented_pairs(NOTES, random)
    yield from answer_pairs(data, passages, random, SENTENCES_WITH_A_GAP)
    yield from written_pairs(data, random)
    yield from unlabelled_pairs(data, random)


def limit(pairs: Sequence[Pair], random: Random) -> Iterator[Pair]:
    """The pairs, with a sample of those from the largest sources."""
    by_source: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_source[pair.source].append(pair)
    for source, own in by_source.items():
        yield from random.sample(own, min(len(own), MOST.get(source, len(own))))


def draw_bundles(pairs: Sequence[Pair], count: int, random: Random) -> Iterator[Pair]:
    """About `count` pairs, in whole bundles; each family has an equal share where it can."""
    by_bundle: dict[str, list[Pair]] = defaultdict(list)
    for pair in pairs:
        by_bundle[pair.bundle].append(pair)
    families: dict[str, list[list[Pair]]] = defaultdict(list)
    for bundle in by_bundle.values():
        families[bundle[0].source].append(bundle)
    for position, own in enumerate(sorted(families.values(), key=lambda f: sum(map(len, f)))):
        random.shuffle(own)
        share, taken = count // (len(families) - position), 0
        for bundle in own:
            if taken >= share:
                break
            taken += len(bundle)
            yield from bundle
        count -= taken


def main(data: str, plan: str, seed: str = "0", option: str = "") -> None:
    """Write the plan; another seed draws and edits other sentences."""
    infotabs = option == WITH_INFOTABS
    write_plan(Path(plan), mix(Path(data), Random(int(seed)), infotabs=infotabs))


if __name__ == "__main__":
    main(*sys.argv[1:])
