"""The fit of both judges' logistic regression."""

from collections.abc import Sequence

from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from errata.tools.judges.logistic import Features
from errata.training.reliability import Floats

DIGITS = 4
"""How many decimals of bias and weights are kept in files."""


def fit(x: Floats, y: Floats, importance: Floats) -> tuple[float, Floats]:
    """Bias and weights for raw features (examples, features), fitted on standardised ones.

    `importance` is the weight of each example.
    """
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
