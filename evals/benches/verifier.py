"""How often the local verifier's score and three labels are right, on sets that people labelled.

The lexical verifier, and the share of words in common, are measured for comparison.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from scipy.stats import binomtest
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from errata.core.records import Claim, Verdict
from errata.evals.benches import bench_parser, print_table
from errata.evals.datasets.claims import LabelledClaim, read_claims
from errata.tools.judges.evidence import Reading, collect_evidence
from errata.tools.judges.findings import SUPPORTED
from errata.tools.judges.logistic import LEXICAL
from errata.tools.judges.verifier import verify
from errata.tools.text.words import split_words

SETS = (
    "extra/claim-evidence/fever_test",
    "extra/claim-evidence/fm2_test",
    "extra/claim-evidence/scifact_dev",
    "extra/claim-evidence/infotabs_test_alpha1",
    "extra/claim-evidence/scitab",
    "extra/citation/citint_test",
    "extra/claim-evidence/summedits",
    "fact-verification/fever_symmetric_test",
    "fact-verification/healthver_test",
    "fact-verification/qags",
    "fact-verification/begin_test_wow",
    "fact-verification/factcheckgpt_stance",
    "wice/claims_test",
)
"""Nothing is trained on these files."""
HEAD = (
    *("claims", "labels right", "balanced", "AUROC", "true refuted", "refuted found", "precise"),
    *("AUROC, lexical", "AUROC of coverage"),
)
SEED = 0
CLAIMS = 300
ACCEPTABLE: dict[str, tuple[str, ...]] = {
    "supported": ("supported",),
    "refuted": ("refuted",),
    "nei": ("not_mentioned",),
}
"""The verdicts that fit a set's label; any other label means not supported."""
UNSUPPORTED = ("refuted", "not_mentioned")


@dataclass(frozen=True)
class Figures:
    """Shares from 0 to 1 on one set; nan where the set cannot tell."""

    claims: int
    accuracy: float
    """Of labels: both others are right where people said only that a claim is not supported."""
    balanced: float
    """Balanced accuracy of calling scores of at least one half supported."""
    auroc: float
    wrongly_refuted: float
    """The share of supported claims that are called refuted."""
    refuted: float
    """The share of refuted claims that are called so."""
    precise: float
    """The share of claims called refuted that may be."""

    def row(self) -> list[str]:
        """The figures as a table shows them."""
        low, high = self.interval()
        shares = (self.balanced, self.auroc, self.wrongly_refuted, self.refuted, self.precise)
        accuracy = f"{self.accuracy:.3f} ({low:.2f}-{high:.2f})"
        return [str(self.claims), accuracy, *(f"{value:.3f}" for value in shares)]

    def interval(self) -> tuple[float, float]:
        """The 95% interval of the accuracy (Wilson's)."""
        right = round(self.accuracy * self.claims)
        found = binomtest(right, self.claims).proportion_ci(method="wilson")
        return found.low, found.high


def draw_claims(data: Path, name: str, count: int) -> list[LabelledClaim]:
    """Up to `count` claims of a set, the same in every run."""
    claims = list(read_claims(data, name))
    return Random(SEED).sample(claims, min(count, len(claims)))


def judge(claims: Sequence[LabelledClaim], weights: str) -> Iterator[Verdict]:
    """The verifier's verdict on each claim beside its own evidence."""
    for labelled in claims:
        claim = Claim(id="c1", text=labelled.claim, start=0, end=0)
        yield from verify("", [claim], labelled.documents, weights)


def measure(claims: Sequence[LabelledClaim], verdicts: Sequence[Verdict]) -> Figures:
    """The figures of verdicts on claims."""
    labels = [verdict.label for verdict in verdicts]
    fitting = [ACCEPTABLE.get(claim.label, UNSUPPORTED) for claim in claims]
    right = [label in fits for label, fits in zip(labels, fitting, strict=True)]
    true = [claim.supported for claim in claims]
    scores = [verdict.score or 0.0 for verdict in verdicts]
    return Figures(
        claims=len(claims),
        accuracy=_share(right),
        balanced=balanced_accuracy_score(true, [score >= SUPPORTED for score in scores]),
        auroc=roc_auc_score(true, scores),
        wrongly_refuted=_share(
            [label == "refuted" for label, t in zip(labels, true, strict=True) if t]
        ),
        refuted=_share(
            [a == "refuted" for a, c in zip(labels, claims, strict=True) if c.label == "refuted"]
        ),
        precise=_share([ok for ok, label in zip(right, labels, strict=True) if label == "refuted"]),
    )


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else float("nan")


def cover_words(labelled: LabelledClaim) -> float:
    """The largest share of a claim's content words in one strip: a baseline."""
    claim = Reading(labelled.claim)
    own = {word.stem for word in split_words(labelled.claim) if word.is_content} or set(claim.stems)
    top = collect_evidence(frozenset(), labelled.documents).best(claim)
    return max((len(own & strip.bag) / len(own) for strip, _ in top), default=0.0)


def main(*arguments: str) -> None:
    """Print a table with a row for each set, and the AUROC of the lexical verifier and of words."""
    parser = bench_parser(__doc__)
    parser.add_argument(
        "--weights", default="", help="a file of weights; without: the shipped ones"
    )
    parser.add_argument("--claims", type=int, default=CLAIMS, help="of each set, at most")
    args = parser.parse_args(arguments)
    rows = ([name, *_row(draw_claims(args.data, name, args.claims), args.weights)] for name in SETS)
    print_table(args.weights or "shipped weights", ("set", *HEAD), rows)


def _row(claims: Sequence[LabelledClaim], weights: str) -> list[str]:
    true = [claim.supported for claim in claims]
    figures = measure(claims, list(judge(claims, weights)))
    lexical = measure(claims, list(judge(claims, LEXICAL))).auroc
    by_words = roc_auc_score(true, [cover_words(claim) for claim in claims])
    return [*figures.row(), f"{lexical:.3f}", f"{by_words:.3f}"]
