"""What RAC reads of a corpus: for the question alone, for each claim too, or the article itself.

python -m errata.evals.retrieval DATA

The corpus has the passages of all people; the shipped verifier was fitted on these people, so that
only the rows compare.
"""

import asyncio
import json
import random
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from errata.api import acorrect
from errata.core.records import Correction
from errata.evals.corrections import count_effect
from errata.evals.datasets.biographies import Biography, read_biographies
from errata.evals.datasets.rows import read_rows

DRAFTS, SEED = 30, 5
"""How many drafts are corrected, and what draws them."""
WAYS: dict[str, dict[str, Any]] = {
    "question": {"documents_per_claim": 0},
    "question and claims": {},
    "article given": {},
}


def write_corpus(rows: Sequence[dict[str, Any]], folder: Path) -> None:
    """One file for each passage, under its person's name."""
    for number, row in enumerate(rows):
        for place, passage in enumerate(row["gold_passages"]):
            text = f"# {row['entity']}\n{passage}"
            (folder / f"{number:03}-{place:03}.md").write_text(text, encoding="utf-8")


async def correct_drafts(
    biographies: Sequence[Biography], way: str, corpus: Path, **settings: Any
) -> list[Correction]:
    """Correct each draft by what one way of retrieving reads."""
    return [
        await acorrect(
            biography.question,
            biography.draft,
            documents=biography.gold if way == "article given" else None,
            corpus=None if way == "article given" else corpus,
            **WAYS[way],
            **settings,
        )
        for biography in biographies
    ]


def sum_up(biographies: Sequence[Biography], corrections: Sequence[Correction]) -> dict[str, float]:
    """How much was read, what the documents did not mention, and the effect on labelled facts."""
    labels = [verdict.label for c in corrections for verdict in c.verdicts]
    effect = count_effect(list(zip(biographies, corrections, strict=True)))
    return {
        "documents": sum(len(c.documents) for c in corrections) / len(corrections),
        "claims": len(labels),
        "not_mentioned": labels.count("not_mentioned"),
        **asdict(effect),
    }


def main(data: str) -> None:
    """Print a row for each way to retrieve and each choice about unsupported claims."""
    folder = Path(data) / "factscore-bio"
    biographies = list(read_biographies(folder, "chatgpt"))
    random.Random(SEED).shuffle(biographies)
    chosen = biographies[:DRAFTS]
    with TemporaryDirectory() as corpus:
        write_corpus(list(read_rows(folder / "evidence.jsonl.gz")), Path(corpus))
        for way in WAYS:
            for unsupported in ("flag", "drop"):
                run = correct_drafts(chosen, way, Path(corpus), unsupported=unsupported)
                figures = sum_up(chosen, asyncio.run(run))
                row = {"reads": way, "unsupported": unsupported, **figures}
                sys.stdout.write(json.dumps(row) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
