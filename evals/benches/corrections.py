"""What becomes of the labelled facts of biographies, by verifiers fitted on other people.

FOLDS is the folder that `errata.training.folds` writes: two verifiers, each fitted on one half of
the people. A draft is judged by the verifier that was not fitted on its person. `retrieval`
corrects with the shipped one, by what RAC reads of a corpus that has the passages of all people:
for the question alone, for each claim too, or the article itself; compare its rows alone.
"""

import asyncio
import json
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from errata.api import acorrect
from errata.core.edits import apply_edits
from errata.core.records import Correction
from errata.evals.benches import bench_parser
from errata.evals.datasets import dataset_named
from errata.evals.datasets.rows import read_rows
from errata.evals.items import Item, Row
from errata.evals.metrics import scorer_named

EVIDENCE = {"google": "biography", "gold": "biography-gold"}
SETTINGS: dict[str, dict[str, Any]] = {
    "rac, flag": {},
    "rac, drop": {"unsupported": "drop"},
    "reex": {"method": "reex"},
}
DRAFTS, SEED = 30, 5
"""How many drafts are corrected from a corpus, and what draws them."""
WAYS: dict[str, dict[str, Any]] = {
    "question": {"documents_per_claim": 0},
    "question and claims": {},
    "article given": {},
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
    items: Sequence[Item], way: str, fillers: Mapping[str, str]
) -> dict[str, object]:
    """What one set of settings makes of some drafts, each judged by its own verifier."""
    pairs, seconds = list[tuple[Item, Correction]](), list[float]()
    for item in items:
        began, filler = perf_counter(), fillers[item.gold["entity"].lower()]
        settings = {"model": filler, "documents": item.documents, **SETTINGS[way]}
        pairs.append((item, await acorrect(item.question, item.draft, **settings)))
        seconds.append(perf_counter() - began)
    return {
        "drafts": len(pairs),
        "exact": sum(apply_edits(c.draft, c.edits) == c.response for _, c in pairs),
        "changed": sum(c.changed for _, c in pairs),
        **await rate_facts(pairs),
        "median_seconds": round(median(seconds), 4),
        "max_seconds": round(max(seconds), 4),
    }


def main(*arguments: str) -> None:
    """Print a row for each evidence and each set of settings."""
    parser = bench_parser(__doc__)
    parser.add_argument("folds", type=Path, nargs="?", default=Path("build/folds"))
    args = parser.parse_args(arguments)
    fillers = {
        person: f"local:{path}"
        for path in sorted(args.folds.glob("without-*.json"))
        for person in json.loads(path.read_text(encoding="utf-8"))["unseen"]
    }
    for evidence, dataset in EVIDENCE.items():
        items = dataset_named(dataset).read(args.data).items
        for way in SETTINGS:
            _tell(evidence=evidence, way=way, **asyncio.run(measure_way(items, way, fillers)))


def write_corpus(rows: Sequence[Mapping[str, Any]], folder: Path) -> None:
    """One file for each passage, under its person's name."""
    for number, row in enumerate(rows):
        for place, passage in enumerate(row["gold_passages"]):
            text = f"# {row['entity']}\n{passage}"
            (folder / f"{number:03}-{place:03}.md").write_text(text, encoding="utf-8")


async def measure_reading(
    items: Sequence[Item], way: str, corpus: Path, **settings: Any
) -> dict[str, object]:
    """How much one way reads, what that does not mention, and what becomes of the facts."""
    pairs = list[tuple[Item, Correction]]()
    for item in items:
        given = way == "article given"
        sources = {"documents": item.documents} if given else {"corpus": corpus}
        own = {**sources, **WAYS[way], **settings}
        pairs.append((item, await acorrect(item.question, item.draft, **own)))
    labels = [verdict.label for _, correction in pairs for verdict in correction.verdicts]
    return {
        "documents": sum(len(correction.documents) for _, correction in pairs) / len(pairs),
        "claims": len(labels),
        "not_mentioned": labels.count("not_mentioned"),
        **await rate_facts(pairs),
    }


def retrieval(*arguments: str) -> None:
    """Print a row for each way to retrieve and each choice about unsupported claims."""
    data = bench_parser(retrieval.__doc__).parse_args(arguments).data
    items = list(dataset_named("biography-gold").read(data).items)
    random.Random(SEED).shuffle(items)
    with TemporaryDirectory() as name:
        corpus = Path(name)
        write_corpus(list(read_rows(data / "factscore-bio" / "evidence.jsonl.gz")), corpus)
        for way in WAYS:
            for unsupported in ("flag", "drop"):
                reading = measure_reading(items[:DRAFTS], way, corpus, unsupported=unsupported)
                _tell(reads=way, unsupported=unsupported, **asyncio.run(reading))


def _tell(**row: object) -> None:
    sys.stdout.write(json.dumps(row) + "\n")
