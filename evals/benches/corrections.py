"""What becomes of the labelled facts of biographies, by verifiers fitted on other people.

FOLDS is the folder that `errata.training.folds` writes: two verifiers, each fitted on one half of
the people. A draft is judged by the verifier that was not fitted on its person.
"""

import asyncio
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from errata.api import acorrect
from errata.core.edits import apply_edits
from errata.core.records import Correction
from errata.evals.benches import bench_parser
from errata.evals.datasets import dataset_named
from errata.evals.items import Item, Row
from errata.evals.metrics import scorer_named

EVIDENCE = {"google": "biography", "gold": "biography-gold"}
SETTINGS: dict[str, dict[str, Any]] = {
    "rac, flag": {},
    "rac, drop": {"unsupported": "drop"},
    "reex": {"method": "reex"},
}


async def rate_facts(pairs: Sequence[tuple[Item, Correction]]) -> dict[str, float | None]:
    """RE-EX's metrics of some corrections, as the harness counts them with its local judge."""
    facts = scorer_named("facts")
    rows = [
        Row(item=item, result=result, scores={facts.name: await facts.score(item, result)})
        for item, result in pairs
    ]
    return {
        name: None if figure.value is None else round(figure.value, 3)
        for name, figure in facts.figures(rows).items()
    }


async def measure_way(
    items: Sequence[Item], way: str, judges: Mapping[str, str]
) -> dict[str, object]:
    """What one set of settings makes of some drafts, each judged by its own verifier."""
    pairs = list[tuple[Item, Correction]]()
    for item in items:
        judge = judges[item.gold["entity"].lower()]
        settings = {"model": judge, "documents": item.documents, **SETTINGS[way]}
        pairs.append((item, await acorrect(item.question, item.draft, **settings)))
    return {
        "drafts": len(pairs),
        "exact": sum(apply_edits(c.draft, c.edits) == c.response for _, c in pairs),
        "changed": sum(c.changed for _, c in pairs),
        **await rate_facts(pairs),
    }


def main(*arguments: str) -> None:
    """Print a row for each evidence and each set of settings."""
    parser = bench_parser(__doc__)
    parser.add_argument("folds", type=Path, nargs="?", default=Path("build/folds"))
    args = parser.parse_args(arguments)
    judges = {
        person: f"local:{path}"
        for path in sorted(args.folds.glob("without-*.json"))
        for person in json.loads(path.read_text(encoding="utf-8"))["unseen"]
    }
    for evidence, dataset in EVIDENCE.items():
        items = dataset_named(dataset).read(args.data).items
        for way in SETTINGS:
            figures = asyncio.run(measure_way(items, way, judges))
            sys.stdout.write(json.dumps({"evidence": evidence, "way": way, **figures}) + "\n")
