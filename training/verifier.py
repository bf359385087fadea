"""Fit the local verifier on human-labelled claims, and measure it on people left out.

python -m errata.training.verifier DATA WEIGHTS.json [CROSS-ENCODER [EVERY]]

CROSS-ENCODER is the name of a shipped one or a file. It must have been trained without FActScore's
labels, as `errata.training.mixture` provides. Of FActScore one in EVERY biographies is used.
"""

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import numpy as np
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import GroupKFold

from errata.tools.judges.cross_encoder import MODEL
from errata.tools.judges.findings import SUPPORTED, VerifierWeights
from errata.training.everyday_pairs import EVERYDAY
from errata.training.examples import FACTSCORE, Example, read_examples
from errata.training.fits import (
    Floats,
    balance_weights,
    calibration_error,
    fit,
    fit_rounded,
)
from errata.training.pairs import REFUTED

FOLDS = 5
SEED = 0
SHARES = {FACTSCORE: 0.4, EVERYDAY: 0.3}
"""The importance of some sets; that of the others together is what is left."""
CONFIDENCES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75)
"""Candidates for the lowest confidence at which a label is given."""
MIN_ACCURACY = 0.65
"""How often labels at the lowest confidence must be right."""
MAX_SUPPORTED = 0.05
"""How many false claims may be called supported."""
REFUTING = (0.6, 0.7, 0.8, 0.85, *(percent / 100 for percent in range(90, 100)))
"""Candidates for the probability from which on the cross-encoder refutes a claim."""
MIN_PRECISION = 0.9
MAX_HARMED = 0.015
"""How many supported claims may be refuted."""
LEAST = 30
"""How many claims a set needs to count."""


def fit_all(examples: Sequence[Example], encoder: str) -> tuple[VerifierWeights, Floats]:
    """The verifier's weights with all thresholds, and the examples' probabilities out of fold.

    An example's probability is by weights fitted without its group.
    """
    x = np.array([list(example.features.values()) for example in examples])
    y = as_labels(examples)
    importance, odds = weigh_examples(examples, y), np.zeros(len(y))
    groups = [example.group for example in examples]
    folds = GroupKFold(FOLDS, shuffle=True, random_state=SEED)
    for train, test in folds.split(x, groups=groups):
        bias, weights = fit(x[train], y[train], importance[train])
        odds[test] = x[test] @ weights + bias
    scores = 1 / (1 + np.exp(-odds))
    bias, by_name = fit_rounded(list(examples[0].features), x, y, importance)
    fitted = VerifierWeights(
        bias=bias,
        weights=by_name,
        sure=choose_sure(examples, y, scores),
        refuting=choose_refuting(examples),
        cross_encoder=encoder,
    )
    return fitted, scores


def as_labels(examples: Sequence[Example]) -> Floats:
    """Labels (examples,), 1 for supported."""
    return np.array([float(example.supported) for example in examples])


def weigh_examples(examples: Sequence[Example], y: Floats) -> Floats:
    """Importance of examples, which sums to their number: both labels of a set weigh alike."""
    sources = np.array([example.source for example in examples])
    others = set(sources) - set(SHARES)
    rest = (1 - sum(SHARES.values())) / max(1, len(others))
    weights = np.zeros(len(y))
    for source in set(sources):
        here = sources == source
        weights[here] = SHARES.get(source, rest) * balance_weights(y[here])
    weights *= len(y) / weights.sum()
    return weights


def choose_sure(examples: Sequence[Example], y: Floats, scores: Floats) -> float:
    """The lowest probability from which on labels are right, and few false claims supported."""
    facts = np.array([example.source == FACTSCORE for example in examples])
    lowest = lowest_confidence(y[facts], scores[facts])
    false = [
        score
        for example, score in zip(examples, scores, strict=True)
        if example.source == EVERYDAY and example.labels == REFUTED
    ]
    return max(lowest, round(float(np.quantile(false, 1 - MAX_SUPPORTED)), 2)) if false else lowest


def lowest_confidence(true: Floats, score: Floats) -> float:
    """The lowest confidence at which labels are right often enough, both labels weighing alike."""
    weights, confidence = balance_weights(true), np.maximum(score, 1 - score)
    is_right = (score >= SUPPORTED) == true
    for low, high in zip(CONFIDENCES, (*CONFIDENCES[1:], 1.0), strict=True):
        inside = (confidence >= low) & (confidence < high)
        if inside.any() and np.average(is_right[inside], weights=weights[inside]) >= MIN_ACCURACY:
            return low
    return CONFIDENCES[-1]


def choose_refuting(examples: Sequence[Example]) -> float | None:
    """The lowest probability from which on refutations are precise enough, all sets weighing alike.

    None if there is none. Precision is that on sets of three labels whose claims people called
    refuted, and not only unsupported; true claims, FActScore's also, must be spared.
    """
    sets: dict[str, list[Example]] = {}
    for example in examples:
        sets.setdefault(example.source, []).append(example)
    facts = sets.pop(FACTSCORE)
    told = [
        own for own in sets.values() if len(own) >= LEAST and any(e.labels == REFUTED for e in own)
    ]
    for threshold in REFUTING:
        right = wrong = 0.0
        for own in told:
            refuted = ["refuted" in e.labels for e in own if e.refuted >= threshold]
            right += sum(refuted) / len(own)
            wrong += (len(refuted) - sum(refuted)) / len(own)
        is_precise = right >= MIN_PRECISION * (right + wrong) > 0
        if is_precise and max(_harm(told, threshold), _harm([facts], threshold)) <= MAX_HARMED:
            return threshold
    return None


def _harm(sets: Sequence[Sequence[Example]], threshold: float) -> float:
    """The mean share of the sets' supported claims that are refuted."""
    true = [[e.refuted >= threshold for e in own if e.supported] for own in sets]
    shares = [sum(own) / len(own) for own in true if own]
    return sum(shares) / len(shares)


def report(examples: Sequence[Example], y: Floats, scores: Floats) -> dict[str, dict[str, float]]:
    """Balanced accuracy, F1 of false, AUROC and calibration on ChatGPT's facts, by evidence."""
    figures = {}
    for evidence in ("google", "gold"):
        rows = [example.facts == ("chatgpt", evidence, True) for example in examples]
        true, score = y[rows], scores[rows]
        own = {
            "facts": len(true),
            "balanced_accuracy": balanced_accuracy_score(true, score >= SUPPORTED),
            "f1_false": f1_score(true, score >= SUPPORTED, pos_label=0),
            "auroc": roc_auc_score(true, score),
            "calibration_error": calibration_error(true, score),
        }
        figures[f"{evidence} page"] = {key: round(value, 3) for key, value in own.items()}
    return figures


def main(data: str, target: str, encoder: str = MODEL, every: str = "1") -> None:
    """Fit the verifier, write its weights, and print its figures."""
    examples = list(read_examples(Path(data), encoder, int(every)))
    weights, scores = fit_all(examples, encoder)
    y = as_labels(examples)
    figures = report(examples, y, scores)
    about = {
        "about": "P(supported) by logistic regression; made by errata.training.verifier",
        "trained_on": sorted({example.source for example in examples}),
        "out_of_fold": figures,
    }
    Path(target).write_text(json.dumps(about | asdict(weights), indent=1) + "\n")
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
