"""Whether RE-EX tells true responses from false ones (its table 1), with local fillers.

python -m errata.evals.detection DATA
"""

import asyncio
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score

from errata.api import acheck
from errata.evals.datasets import read_rows
from errata.records import Correction


@dataclass(frozen=True)
class Response:
    """Hold a response with its evidence, and whether people found it true."""

    question: str
    text: str
    evidence: tuple[str, ...]
    true: bool


def factprompt(data: Path) -> Iterator[Response]:
    """Read prompts and responses, with the snippets that were found for their facts."""
    for row in read_rows(data / "factprompt" / "factprompt.jsonl.gz"):
        snippets = dict.fromkeys(text for fact in row["facts"] for text in fact["snippets"])
        yield Response(row["prompt"], row["response"], tuple(snippets), row["response_label"])


def wice(data: Path) -> Iterator[Response]:
    """Read claims of Wikipedia with the page they cite; true is what it supports in full."""
    for row in read_rows(data / "wice" / "claims_test.jsonl.gz"):
        page = "\n".join(row["evidence"])
        yield Response(row["title"], row["claim"], (page,), row["label"] == "supported")


def refuted(found: Correction) -> float:
    """Call a response false where an error was explained."""
    return float(found.label == "refuted")


def unsupported(found: Correction) -> float:
    """Say how far the least supported claim is from being supported, in [0, 1]."""
    return 1 - min((v.score for v in found.verdicts if v.score is not None), default=0.5)


async def measured(responses: list[Response]) -> dict[str, dict[str, float]]:
    """Check every response; give figures for both ways to call one false."""
    found = [
        await acheck(r.question, r.text, "reex", documents=r.evidence, max_questions=100)
        for r in responses
    ]
    false = [not response.true for response in responses]
    said = {
        "an error is explained": [refuted(each) for each in found],
        "a claim is unsupported": [unsupported(each) for each in found],
    }
    return {name: _figures(false, scores) for name, scores in said.items()}


def _figures(false: list[bool], scores: list[float]) -> dict[str, float]:
    called = [score > 1 / 2 for score in scores]
    return {
        "responses": len(false),
        "false": sum(false),
        "balanced_accuracy": round(balanced_accuracy_score(false, called), 3),
        "f1_false": round(f1_score(false, called), 3),
        "f1_true": round(f1_score(false, called, pos_label=False), 3),
        "auroc": round(roc_auc_score(false, scores), 3),
    }


async def main(data: str) -> None:
    """Report both sets on standard output."""
    for name, read in {"factprompt": factprompt, "wice": wice}.items():
        figures = await measured(list(read(Path(data))))
        sys.stdout.write(json.dumps({name: figures}, indent=1) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
