"""Logistic regression over named features: the form of the verifier and of the evaluator."""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import ClassVar, TypeVar

from errata.core.errors import InputError
from errata.core.jsonable import from_json
from errata.tools.files.decoding import read_text
from errata.tools.files.rows import parse_json_row

LEXICAL = "lexical"
"""In the place of a file: the shipped weights that need no cross-encoder."""
MAX_LOGIT = 30.0
"""Logits are clamped to ±30, so that the exponential cannot overflow."""
Features = dict[str, float]
Model = TypeVar("Model", bound="Weights")


@dataclass(frozen=True, kw_only=True)
class Weights:
    """A fitted regression: the bias and one weight for each feature."""

    CROSS_ENCODER_FEATURES: ClassVar[tuple[str, ...]] = ()
    """The features that only the cross-encoder can compute."""

    bias: float
    weights: Features

    @property
    def neural(self) -> bool:
        """Whether its features include those of the cross-encoder."""
        return any(name in self.weights for name in self.CROSS_ENCODER_FEATURES)

    def logit(self, features: Features) -> float:
        """The log odds: bias plus the weighted sum of the features."""
        return self.bias + sum(w * features[name] for name, w in self.weights.items())

    def probability(self, features: Features) -> float:
        """The sigmoid of the logit, in (0, 1)."""
        return sigmoid(self.logit(features))


def sigmoid(logit: float) -> float:
    """The probability with these log odds, in (0, 1)."""
    return 1 / (1 + math.exp(-max(-MAX_LOGIT, min(MAX_LOGIT, logit))))


def read_weights(
    kind: type[Model], judge: str, path: str, lexical: Collection[str], neural: Collection[str]
) -> Model:
    """A judge's weights: for its lexical features, or for those beside the cross-encoder.

    From the user's file, or the shipped one where `path` is empty or `lexical`. Raises InputError
    if the file cannot be read or was fitted on other features.
    """
    file: Path | Traversable = Path(path)
    if path in ("", LEXICAL):
        name = ".".join(filter(None, (judge, path, "json")))
        file = files("errata.tools.judges").joinpath(name)
    model = from_json(kind, parse_json_row(read_text(file), f"{path!r}"))
    check_features(path, model.weights, neural if model.neural else lexical)
    return model


def check_features(path: str, fitted: Iterable[str], known: Iterable[str]) -> None:
    """Raise InputError if weights were not fitted on the known features."""
    differing = sorted(set(fitted) ^ set(known))
    if differing:
        raise InputError(
            f"{path!r} was fitted on other features ({differing[0]}, …); train it again"
        )
