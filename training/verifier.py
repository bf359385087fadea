"""Fit the local verifier on human-labelled claims, and report it on people it has not seen.

python -m errata.training.verifier DATA WEIGHTS.json [FOLDER OF CROSS-ENCODERS [PLOT.svg]]

Without a folder only lexical features are fitted. With one, the reading of each claim comes from
the cross-encoder that has not seen the claim's group.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from errata.tools.judges.logistic import SUPPORTED, Weights
from errata.training.examples import FACTS, Example, encoders_of, examples
from errata.training.reliability import Floats, balanced, calibration_error, curve, draw

FOLDS = 5
SEED = 0
CASCADES = (0.1, 0.2, 0.3)
"""Lower thresholds of a cascade; the upper one mirrors each."""
OTHERS = 0.3
"""How much sets other than FActScore weigh together, where they are fitted on."""
SURE_STEPS = (0.5, 0.55, 0.6, 0.65, 0.7)
BETTER_THAN_A_COIN = 0.6
"""How often labels must be right, at the least sure of those that are given."""
Rows = np.ndarray[tuple[int], np.dtype[np.int64]]


def table(found: Sequence[Example]) -> tuple[Floats, Floats]:
    """Give features and labels as arrays."""
    x = np.array([list(example.features.values()) for example in found])
    return x, np.array([float(example.supported) for example in found])


def importance(found: Sequence[Example], y: Floats) -> Floats:
    """Weigh examples: both labels of a set alike, FActScore more than all others together."""
    sources = np.array([example.source for example in found])
    others = set(sources) - {FACTS}
    weights = np.zeros(len(y))
    for source in set(sources):
        share = (1 - OTHERS if others else 1.0) if source == FACTS else OTHERS / len(others)
        here = sources == source
        weights[here] = share * balanced(y[here])
    return weights * len(y)


def fit(x: Floats, y: Floats, importance: Floats) -> tuple[float, Floats]:
    """Fit a logistic regression on standardised features; give bias and weights for raw ones."""
    scaler = StandardScaler().fit(x)
    model = LogisticRegression(C=0.3, max_iter=5000)
    model.fit(scaler.transform(x), y, sample_weight=importance)
    weights = model.coef_[0] / scaler.scale_
    return float(model.intercept_[0] - weights @ scaler.mean_), weights


def fitted(found: Sequence[Example]) -> Weights:
    """Fit the model in the form that the verifier reads."""
    x, y = table(found)
    bias, weights = fit(x, y, importance(found, y))
    rounded = (round(float(weight), 4) for weight in weights)
    named = dict(zip(found[0].features, rounded, strict=True))
    return Weights(bias=round(bias, 4), weights=named)


def out_of_fold(x: Floats, y: Floats, found: Sequence[Example]) -> Floats:
    """Score every example by a model that has not seen its group."""
    scores, weights = np.zeros(len(y)), importance(found, y)
    for train, test in folds(x, [example.group for example in found]):
        bias, fitted = fit(x[train], y[train], weights[train])
        scores[test] = 1 / (1 + np.exp(-(x[test] @ fitted + bias)))
    return scores


def folds(x: Floats, groups: Sequence[str]) -> Iterator[tuple[Rows, Rows]]:
    """Part the examples so that no group is on both sides."""
    parted: Iterator[tuple[Rows, Rows]]
    parted = GroupKFold(FOLDS, shuffle=True, random_state=SEED).split(x, groups=groups)
    return parted


def report(found: Sequence[Example], y: Floats, scores: Floats) -> dict[str, dict[str, float]]:
    """Give balanced accuracy, F1 of false, AUROC and calibration on ChatGPT's facts."""
    figures = {}
    for name in ("google", "gold"):
        for asked in (True, False):
            chosen = chatgpt(found, name, asked=asked)
            true, score = y[chosen], scores[chosen]
            figures[f"{name} page, {'with' if asked else 'without'} the question"] = {
                "facts": len(true),
                "balanced_accuracy": round(balanced_accuracy_score(true, score >= SUPPORTED), 3),
                "f1_false": round(f1_score(true, score >= SUPPORTED, pos_label=0), 3),
                "auroc": round(roc_auc_score(true, score), 3),
                "calibration_error": round(calibration_error(true, score), 3),
                **shared(true, score),
            }
    return figures


def chatgpt(found: Sequence[Example], evidence: str, *, asked: bool) -> list[bool]:
    """Choose the facts of ChatGPT's drafts beside one evidence."""
    return [(e.evidence, e.asked, e.generator) == (evidence, asked, "chatgpt") for e in found]


def shared(true: Floats, score: Floats) -> dict[str, float]:
    """Give what a cascade leaves to a model, and how right the verifier is on the rest."""
    figures = {}
    for low in CASCADES:
        sure = (score < low) | (score > 1 - low)
        right = (score >= SUPPORTED) == true
        figures[f"escalated_{low}_{1 - low}"] = round(1 - float(sure.mean()), 3)
        figures[f"accuracy_of_the_rest_{low}_{1 - low}"] = round(float(right[sure].mean()), 3)
    return figures


def sure(true: Floats, score: Floats) -> float:
    """Give the least confidence at which a label is better than a coin's, both weighing alike."""
    weights, confidence = balanced(true), np.maximum(score, 1 - score)
    right = (score >= SUPPORTED) == true
    for low, high in zip(SURE_STEPS, (*SURE_STEPS[1:], 1.0), strict=True):
        here = (confidence >= low) & (confidence < high)
        if here.any() and np.average(right[here], weights=weights[here]) >= BETTER_THAN_A_COIN:
            return low
    return SURE_STEPS[-1]


def main(data: str, target: str, folder: str = "", plot: str = "") -> None:
    """Train, report on standard output, and write the weights."""
    found = list(examples(Path(data), encoders_of(folder)))
    x, y = table(found)
    scores = out_of_fold(x, y, found)
    facts = np.array([example.source == FACTS for example in found])
    weights = replace(fitted(found), sure=sure(y[facts], scores[facts]))
    figures = report(found, y, scores)
    about = {
        "about": "P(supported) by logistic regression; made by errata.training.verifier",
        "trained_on": sorted({example.source for example in found}),
        "out_of_fold": figures,
    }
    Path(target).write_text(json.dumps(about | asdict(weights), indent=1) + "\n")
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")
    if plot:
        chosen = {name: chatgpt(found, name, asked=True) for name in ("google", "gold")}
        curves = {f"{name} page": curve(y[here], scores[here]) for name, here in chosen.items()}
        draw(curves, Path(plot))


if __name__ == "__main__":
    main(*sys.argv[1:])
