"""Logistic regression over named features: the form of the verifier and of the evaluator."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import TypeVar

from errata.core.errors import InputError
from errata.core.jsonable import from_json
from errata.tools.files.decoding import read_text
from errata.tools.files.rows import parse_json_row

MAX_LOGIT = 30.0
"""Logits are clamped to ±30, so that the exponential cannot overflow."""
Features = dict[str, float]
Model = TypeVar("Model", bound="Weights")


@dataclass(frozen=True, kw_only=True)
class Weights:
    """A fitted regression: the bias and one weight for each feature."""

    bias: float
    weights: Features

    def logit(self, features: Features) -> float:
        """The log odds: bias plus the weighted sum of the features."""
        return self.bias + sum(w * features[name] for name, w in self.weights.items())

    def probability(self, features: Features) -> float:
        """The sigmoid of the logit, in (0, 1)."""
        return sigmoid(self.logit(features))


def sigmoid(logit: float) -> float:
    """The probability with these log odds, in (0, 1)."""
    return 1 / (1 + math.exp(-max(-MAX_LOGIT, min(MAX_LOGIT, logit))))


def read_weights(kind: type[Model], judge: str, path: str, names: Iterable[str]) -> Model:
    """A judge's weights for its features, from the user's file, or the shipped one without a path.

    Raises InputError if the file cannot be read or was fitted on other features.
    """
    shipped = files("errata.tools.judges").joinpath(f"{judge}.json")
    model = from_json(kind, parse_json_row(read_text(Path(path) if path else shipped), repr(path)))
    check_features(path, model.weights, names)
    return model


def check_features(path: str, fitted: Iterable[str], known: Iterable[str]) -> None:
    """Raise InputError if weights were not fitted on the known features."""
    if differing := sorted({*fitted} ^ {*known}):
        raise InputError(
            f"{path!r} was fitted on other features ({differing[0]}, …); train it again"
        )
