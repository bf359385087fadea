"""What both judges are fitted with: the regression, calibration, and thresholds."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from errata.evals.datasets.relevance import RelevancePair
from errata.tools.judges.logistic import Features

Floats = np.ndarray[Any, np.dtype[np.float64]]
DIGITS = 4
"""How many decimals of bias and weights are kept in files."""
BINS = 10
MIN_ANSWERABLE = 0.81
"""The share of questions above the evaluator's upper threshold that must be answerable."""
MAX_LOST = 0.02
"""The share of answerable questions that may be below the lower threshold: what was retrieved for
them is thrown away."""


def fit(x: Floats, y: Floats, importance: Floats) -> tuple[float, Floats]:
    """Bias and weights for raw features (examples, features), fitted on standardised ones.

    `importance` is the weight of each example.
    """
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    scaler = StandardScaler().fit(x)
    model = LogisticRegression(C=0.3, max_iter=5000)
    model.fit(scaler.transform(x), y, sample_weight=importance)
    weights = model.coef_[0] / scaler.scale_
    return float(model.intercept_[0] - weights @ scaler.mean_), weights


def fit_rounded(
    names: Sequence[str], x: Floats, y: Floats, importance: Floats
) -> tuple[float, Features]:
    """The rounded bias, and the rounded weights by feature name."""
    bias, weights = fit(x, y, importance)
    by_name = {n: round(float(w), DIGITS) for n, w in zip(names, weights, strict=True)}
    return round(bias, DIGITS), by_name


def balance_weights(true: Floats) -> Floats:
    """Weights that sum to one and give both labels one half, as scores assume a balanced prior."""
    share = true.mean()
    weights: Floats = np.where(true == 1, 0.5 / share, 0.5 / (1 - share)) / len(true)
    return weights


def bin_scores(true: Floats, score: Floats) -> Floats:
    """The weights, the mean scores and the shares of true labels of ten bins: (3, filled bins).

    Both labels weigh alike.
    """
    weights, place = balance_weights(true), np.minimum((score * BINS).astype(int), BINS - 1)
    sums = (
        np.bincount(place, weights * values, BINS) for values in (np.ones_like(score), score, true)
    )
    total, scores, trues = (values[np.unique(place)] for values in sums)
    return np.array([total, scores / total, trues / total])


def calibration_error(true: Floats, score: Floats) -> float:
    """The expected calibration error over ten bins."""
    weight, mean_score, true_share = bin_scores(true, score)
    return float(weight @ abs(mean_score - true_share))


def best_by_question(
    pairs: Sequence[RelevancePair], scores: Sequence[float]
) -> tuple[Floats, Floats]:
    """For each question its best score, and 1 if any of its texts is relevant, else 0."""
    best: dict[str, float] = defaultdict(lambda: -1.0)
    answerable: dict[str, float] = defaultdict(float)
    for pair, score in zip(pairs, scores, strict=True):
        best[pair.question] = max(best[pair.question], score)
        answerable[pair.question] = max(answerable[pair.question], float(pair.relevant))
    return np.array(list(best.values())), np.array([answerable[q] for q in best])


def choose_thresholds(best: Floats, answerable: Floats) -> tuple[float, float]:
    """The evaluator's upper and lower threshold, in steps of 0.05.

    The upper is the lowest above which enough questions are answerable. The lower is the highest
    below which few enough answerable ones are, and at most the upper.
    """
    steps = np.arange(-0.95, 1.0, 0.05)
    uppers = [
        t for t in steps if (best > t).any() and answerable[best > t].mean() >= MIN_ANSWERABLE
    ]
    lost = [answerable[best < t].sum() / max(1.0, answerable.sum()) for t in steps]
    lowers = [t for t, share in zip(steps, lost, strict=True) if share <= MAX_LOST]
    upper = min(uppers, default=0.95)
    return round(float(upper), 2), round(float(min(max(lowers, default=-0.95), upper)), 2)
