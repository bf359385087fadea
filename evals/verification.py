"""Measure the local verifier on kinds of text that it was not fitted on, beside lexical features.

python -m errata.evals.verification DATA [WEIGHTS.json]
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from errata.evals.claims import TEST_SETS, LabelledClaim, read_claims
from errata.records import Claim
from errata.tools.judges.cross_encoder import LEXICAL
from errata.tools.judges.features import Reading
from errata.tools.judges.logistic import SUPPORTED
from errata.tools.judges.verifier import evidence_for, verify
from errata.tools.text.words import words


def score(found: LabelledClaim, weights: str) -> float:
    """Give the verifier's probability that a claim is supported."""
    claim = Claim(id="c1", text=found.claim, start=0, end=0)
    [verdict] = verify("", [claim], found.documents, weights)
    return verdict.score or 0.0


def coverage(found: LabelledClaim) -> float:
    """Give the share of a claim's words that its best strip holds: what any verifier must beat."""
    claim = Reading(found.claim)
    own = {word.stem for word in words(found.claim) if word.content} or set(claim.stems)
    top = evidence_for(frozenset(), found.documents).best(claim)
    return max((len(own & strip.bag) / len(own) for strip, _ in top), default=0.0)


def figures(found: Sequence[LabelledClaim], weights: str) -> list[float]:
    """Give balanced accuracy at one half, and AUROC."""
    true = [each.supported for each in found]
    scores = [score(each, weights) for each in found]
    right = balanced_accuracy_score(true, [value >= SUPPORTED for value in scores])
    return [right, roc_auc_score(true, scores)]


def main(data: str, weights: str = "") -> None:
    """Measure and print."""
    table = Table("set", "claims", "balanced accuracy", "AUROC", title="verifier / lexical")
    table.add_column("AUROC of coverage")
    for name in TEST_SETS:
        found = list(read_claims(Path(data), name))
        mine, lexical = figures(found, weights), figures(found, LEXICAL)
        both = (f"{ours:.3f} / {theirs:.3f}" for ours, theirs in zip(mine, lexical, strict=True))
        by_words = roc_auc_score([f.supported for f in found], [coverage(f) for f in found])
        table.add_row(name, str(len(found)), *both, f"{by_words:.3f}")
    Console().print(table)


if __name__ == "__main__":
    main(*sys.argv[1:])
