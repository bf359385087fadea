"""Accuracy of the local verifier on kinds of text that it was not fitted on.

python -m errata.evals.verification DATA [WEIGHTS.json]

The lexical verifier, and the share of words in common, are measured for comparison.
"""

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from errata.core.records import Claim
from errata.evals.datasets.claims import TEST_SETS, LabelledClaim, read_claims
from errata.tools.judges.evidence import Reading, collect_evidence
from errata.tools.judges.findings import SUPPORTED
from errata.tools.judges.logistic import LEXICAL
from errata.tools.judges.verifier import verify
from errata.tools.text.words import split_words


def score_claim(labelled: LabelledClaim, weights: str) -> float:
    """The verifier's probability that a claim is supported."""
    claim = Claim(id="c1", text=labelled.claim, start=0, end=0)
    [verdict] = verify("", [claim], labelled.documents, weights)
    return verdict.score or 0.0


def cover_words(labelled: LabelledClaim) -> float:
    """The largest share of a claim's content words in one strip: a baseline."""
    claim = Reading(labelled.claim)
    own = {word.stem for word in split_words(labelled.claim) if word.is_content} or set(claim.stems)
    top = collect_evidence(frozenset(), labelled.documents).best(claim)
    return max((len(own & strip.bag) / len(own) for strip, _ in top), default=0.0)


def measure(claims: Sequence[LabelledClaim], weights: str) -> list[float]:
    """Balanced accuracy of calling scores of at least 1/2 supported, and AUROC."""
    true = [claim.supported for claim in claims]
    scores = [score_claim(claim, weights) for claim in claims]
    right = balanced_accuracy_score(true, [value >= SUPPORTED for value in scores])
    return [right, roc_auc_score(true, scores)]


def main(data: str, weights: str = "") -> None:
    """Print a table with a row for each set."""
    table = Table("set", "claims", "balanced accuracy", "AUROC", title="verifier / lexical")
    table.add_column("AUROC of coverage")
    for name in TEST_SETS:
        claims = list(read_claims(Path(data), name))
        ours, lexical = measure(claims, weights), measure(claims, LEXICAL)
        both = (f"{a:.3f} / {b:.3f}" for a, b in zip(ours, lexical, strict=True))
        by_words = roc_auc_score([c.supported for c in claims], [cover_words(c) for c in claims])
        table.add_row(name, str(len(claims)), *both, f"{by_words:.3f}")
    Console().print(table)


if __name__ == "__main__":
    main(*sys.argv[1:])
