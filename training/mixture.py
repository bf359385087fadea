"""Write the pairs that the cross-encoder learns from.

python -m errata.training.mixture DATA PLAN.jsonl.gz [SEED]

FActScore's labels are left out: the regression on top is fitted on them, and measured by
cross-validation.
"""

import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random

from errata.training.claim_sets import claim_pairs
from errata.training.everyday_pairs import everyday_pairs
from errata.training.pairs import Pair, write_plan
from errata.training.question_pairs import question_pairs
from errata.training.written_pairs import written_pairs

MOST = {
    "asked": 500, "boolq": 600, "selqa": 600, "squad": 600, "tydi": 500,
    "cg2c_doc": 600, "citint_train": 400, "defacto_train": 500, "elsewhere": 500,
    "faithdial_audit": 400, "feverous_dev": 700, "med": 500, "mnli_dev": 3000,
    "oracle_chunks_dev": 500, "pawsx_en_dev": 500, "scitail_dev": 600,
    "turned": 4000, "written": 3000, "written gap": 1000,
}  # fmt: skip
"""How many pairs of a source are used at most; of others all are."""


def mix(data: Path, random: Random) -> Iterator[Pair]:
    """All pairs of a plan."""
    pairs = [
        *everyday_pairs(data, random),
        *claim_pairs(data, random),
        *question_pairs(data, random),
        *written_pairs(data, random),
    ]
    yield from limit(pairs, random)


def limit(pairs: Iterable[Pair], random: Random) -> Iterator[Pair]:
    """The pairs in random order, bundles whole, and no more of a source than MOST."""
    by_bundle: dict[str, list[Pair]] = defaultdict(list)
    for number, pair in enumerate(pairs):
        by_bundle[pair.bundle or f"pair {number}"].append(pair)
    used = Counter[str]()
    for name in random.sample(list(by_bundle), len(by_bundle)):
        for pair in random.sample(by_bundle[name], len(by_bundle[name])):
            most = MOST.get(pair.source)
            if most is None or used[pair.source] < most:
                used[pair.source] += 1
                yield pair


def main(data: str, plan: str, seed: str = "0") -> None:
    """Write the plan; another seed draws and edits other sentences."""
    write_plan(Path(plan), mix(Path(data), Random(int(seed))))


if __name__ == "__main__":
    main(*sys.argv[1:])
