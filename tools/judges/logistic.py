"""How likely evidence supports a claim: logistic regression over what is seen of both."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from errata.errors import InputError
from errata.records import from_json
from errata.tools.judges.cross_encoder import CrossEncoder, cross_encoder, weights_file
from errata.tools.judges.entailment import NAMES, entailment_features
from errata.tools.judges.features import Evidence, Features, Reading, features
from errata.tools.text.files import parse_json_row, read_text

SUPPORTED = 0.5
"""From which probability on a claim is rather supported than not."""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """Hold a fitted model, as `errata.training.verifier` writes it."""

    bias: float
    weights: Features
    sure: float = SUPPORTED
    """How probable a label must be to be given; below that the verifier abstains."""
    cross_encoder: str = ""
    """A file of the cross-encoder they were fitted with; empty for the shipped one."""

    @property
    def neural(self) -> bool:
        """Tell whether it needs the cross-encoder."""
        return any(name in self.weights for name in NAMES)


def support_probabilities(
    claims: Sequence[Reading], evidence: Evidence, model: Weights
) -> list[float]:
    """Give the probability that each claim is supported, were true and false claims as common."""
    encoder = cross_encoder(model.cross_encoder) if model.neural else None
    return [_probability(values, model) for values in describe(claims, evidence, encoder)]


def describe(
    claims: Sequence[Reading], evidence: Evidence, encoder: CrossEncoder | None
) -> list[Features]:
    """Describe claims beside the same evidence, with what a cross-encoder sees if one is given."""
    lexical = [features(claim, evidence) for claim in claims]
    if encoder is None:
        return lexical
    read = entailment_features(claims, evidence, encoder)
    return [one | other for one, other in zip(lexical, read, strict=True)]


@cache
def read_weights(path: str = "") -> Weights:
    """Read fitted weights: the shipped ones, `lexical`, or a file that the training script wrote.

    Raises InputError where the file is missing or fits other features than ours.
    """
    model = from_json(
        Weights, parse_json_row(read_text(weights_file("verifier", path)), f"{path!r}")
    )
    names = set(features(Reading("x"), Evidence([])))
    odd = sorted(set(model.weights) ^ (names | set(NAMES) if model.neural else names))
    if odd:
        raise InputError(f"{path!r} was fitted on other features ({odd[0]}, …); train it again")
    return model


def _probability(values: Features, model: Weights) -> float:
    logit = model.bias + sum(w * values[name] for name, w in model.weights.items())
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
