"""How often the local verifier's score and three labels are right, on sets that people labelled."""

from collections.abc import Iterable, Sequence
from itertools import compress
from pathlib import Path
from random import Random
from typing import Any

from scipy.stats import binomtest
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from errata.core.records import INCONCLUSIVE, Claim, Verdict
from errata.evals.benches import bench_parser, print_table, write_figures
from errata.evals.datasets.claim_sets import TESTS, read_claims
from errata.evals.items import Item
from errata.tools.judges.findings import SUPPORTED
from errata.tools.judges.verifier import verify

COLUMNS = {
    "claims": ("claims", ""),
    "labels right": ("accuracy", ".3f"),
    "95%": ("interval", ""),
    "balanced": ("balanced", ".3f"),
    "AUROC": ("auroc", ".3f"),
    "true refuted": ("wrongly_refuted", ".3f"),
    "refuted found": ("refuted", ".3f"),
    "precise": ("precise", ".3f"),
}
"""By its heading each column's figure, and how it is written."""
SEED = 0
ACCEPTABLE: dict[str, tuple[str, ...]] = {
    "supported": ("supported",),
    "refuted": ("refuted",),
    "nei": INCONCLUSIVE,
}
"""The verdicts that fit a set's label; any other label means not supported."""
UNSUPPORTED = ("refuted", *INCONCLUSIVE)


def is_supported(claim: Item) -> bool:
    """Whether people called a claim supported in full."""
    return bool(claim.gold["label"] == "supported")


def judge(claims: Sequence[Item], weights: str) -> list[Verdict]:
    """The verifier's verdict on each claim beside its own evidence."""
    return [
        verdict
        for each in claims
        for verdict in verify(
            "", [Claim(id="c1", text=each.draft, start=0, end=0)], each.documents, weights
        )
    ]


def measure(claims: Sequence[Item], verdicts: Sequence[Verdict]) -> dict[str, float]:
    """The figures of verdicts on claims, shares from 0 to 1; nan where the set cannot tell.

    `accuracy` is of labels: both others are right where people said only that a claim is not
    supported. `balanced`: balanced accuracy of calling scores of at least one half supported.
    `wrongly_refuted`: the share of supported claims that are called refuted; `refuted`: of refuted
    ones that are; `precise`: of those called so that may be.
    """
    labels = [verdict.label for verdict in verdicts]
    fitting = [ACCEPTABLE.get(claim.gold["label"], UNSUPPORTED) for claim in claims]
    right = [label in fits for label, fits in zip(labels, fitting, strict=True)]
    true = [is_supported(claim) for claim in claims]
    scores = [verdict.score or 0.0 for verdict in verdicts]
    called = [label == "refuted" for label in labels]
    return {
        "claims": len(claims),
        "accuracy": _share(right),
        "balanced": balanced_accuracy_score(true, [score >= SUPPORTED for score in scores]),
        "auroc": roc_auc_score(true, scores),
        "wrongly_refuted": _share(compress(called, true)),
        "refuted": _share(compress(called, (claim.gold["label"] == "refuted" for claim in claims))),
        "precise": _share(compress(right, called)),
    }


def _share(values: Iterable[bool]) -> float:
    counted = list(values)
    return sum(counted) / len(counted) if counted else float("nan")


def draw(data: Path, name: str, most: int) -> list[Item]:
    """The claims of a set, or as many of them as are wanted."""
    every = list(read_claims(data, name))
    return Random(SEED).sample(every, min(most, len(every)))


def main(*arguments: str) -> None:
    """Print a table with a row for each set."""
    parser = bench_parser(__doc__)
    parser.add_argument(
        "--weights", default="", help="a file of weights; without: the shipped ones"
    )
    parser.add_argument("--claims", type=int, default=300, help="of each set, at most")
    parser.add_argument("--sets", nargs="*", choices=TESTS, default=TESTS)
    args = parser.parse_args(arguments)
    rows = list[list[str]]()
    for name in args.sets:
        claims = draw(args.data, name, args.claims)
        figures: dict[str, Any] = {**measure(claims, judge(claims, args.weights))}
        test = binomtest(round(figures["accuracy"] * len(claims)), len(claims))
        found = test.proportion_ci(method="wilson")
        figures["interval"] = f"{found.low:.2f}-{found.high:.2f}"
        rows.append([name, *write_figures(figures, dict(COLUMNS.values()))])
    print_table(args.weights or "shipped weights", ("set", *COLUMNS), rows)
