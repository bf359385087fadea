"""How well RE-EX with local fillers tells true responses from false ones (its table 1).

python -m errata.evals.detection DATA
"""

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path

from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score

from errata.api import acheck
from errata.core.records import Correction
from errata.evals.datasets import dataset_named
from errata.evals.items import Item


@dataclass(frozen=True)
class Response:
    """A response, its evidence, and whether it is true according to annotators."""

    question: str
    text: str
    evidence: tuple[str, ...]
    true: bool


def as_response(item: Item) -> Response:
    """A response of FactPrompt with its snippets, or a claim of WiCE with the page that it cites.

    A claim is true only if the page supports it in full.
    """
    evidence = tuple(page.text for page in (*item.documents, *item.web))
    true = item.gold["label"] in (True, "supported")
    return Response(item.question, item.draft, evidence, true)


def rate_refuted(correction: Correction) -> float:
    """1 if an error was explained, else 0."""
    return float(correction.label == "refuted")


def rate_unsupported(correction: Correction) -> float:
    """1 - the lowest score of a claim; 0.5 where no claim has a score."""
    return 1 - min((v.score for v in correction.verdicts if v.score is not None), default=0.5)


async def measure_responses(responses: list[Response]) -> dict[str, dict[str, float]]:
    """Check every response; figures for two ways to call one false."""
    corrections = [
        await acheck(r.question, r.text, "reex", documents=r.evidence, max_questions=100)
        for r in responses
    ]
    false = [not response.true for response in responses]
    scores_by_way = {
        "an error is explained": [rate_refuted(each) for each in corrections],
        "a claim is unsupported": [rate_unsupported(each) for each in corrections],
    }
    return {way: compute_figures(false, scores) for way, scores in scores_by_way.items()}


def compute_figures(false: list[bool], scores: list[float]) -> dict[str, float]:
    """Metrics of detecting false responses; scores above 1/2 call a response false."""
    calls = [score > 1 / 2 for score in scores]
    return {
        "responses": len(false),
        "false": sum(false),
        "balanced_accuracy": round(balanced_accuracy_score(false, calls), 3),
        "f1_false": round(f1_score(false, calls), 3),
        "f1_true": round(f1_score(false, calls, pos_label=False), 3),
        "auroc": round(roc_auc_score(false, scores), 3),
    }


async def main(data: str) -> None:
    """Print the figures of both sets."""
    for name in ("factprompt", "wice"):
        responses = [as_response(item) for item in dataset_named(name).read(Path(data))]
        figures = await measure_responses(responses)
        sys.stdout.write(json.dumps({name: figures}, indent=1) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
