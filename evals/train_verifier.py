"""Fit the local verifier on human-labelled facts, and report it on people it has not seen.

python -m errata.evals.train_verifier DATA/factscore-bio WEIGHTS.json
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.preprocessing import StandardScaler

from errata.evals.datasets import GENERATORS, Biography, biographies
from errata.tools.features import Evidence, Features, Reading, features
from errata.tools.strips import strips
from errata.tools.verifier import SUPPORTED, Weights, topic_of

FOLDS = 5
SEED = 0
CASCADES = (0.1, 0.2, 0.3)
"""Lower thresholds of a cascade; the upper one mirrors each."""
Floats = np.ndarray[Any, np.dtype[np.float64]]
Rows = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True)
class Example:
    """Hold one labelled fact beside one evidence."""

    features: Features
    supported: bool
    person: str
    generator: str
    evidence: str
    asked: bool
    """Whether the verifier was told the question."""


def examples(biography: Biography) -> list[Example]:
    """Describe every fact of a draft beside each evidence, with the question and without."""
    result = []
    for name in ("google", "gold"):
        documents = getattr(biography, name)
        evidence = Evidence([strip for document in documents for strip in strips(document)])
        for topic in (topic_of(biography.question), frozenset[str]()):
            result += [
                Example(
                    features(Reading(text, topic), evidence),
                    label,
                    biography.entity.lower(),
                    biography.generator,
                    name,
                    bool(topic),
                )
                for text, label in biography.facts
            ]
    return result


def table(data: Path) -> tuple[list[Example], list[str], Floats, Floats]:
    """Describe every labelled fact: examples, names of features, features, labels."""
    found = [
        example
        for generator in GENERATORS
        for biography in biographies(data, generator)
        for example in examples(biography)
    ]
    names = list(found[0].features)
    x = np.array([[e.features[name] for name in names] for e in found])
    return found, names, x, np.array([float(e.supported) for e in found])


def fit(x: Floats, y: Floats) -> tuple[float, Floats]:
    """Fit a logistic regression on standardised features; give bias and weights for raw ones."""
    scaler = StandardScaler().fit(x)
    model = LogisticRegression(C=0.3, max_iter=5000, class_weight="balanced")
    model.fit(scaler.transform(x), y)
    weights = model.coef_[0] / scaler.scale_
    return float(model.intercept_[0] - weights @ scaler.mean_), weights


def fitted(names: Sequence[str], x: Floats, y: Floats) -> Weights:
    """Fit the model in the form that the verifier reads."""
    bias, weights = fit(x, y)
    rounded = (round(float(weight), 4) for weight in weights)
    return Weights(bias=round(bias, 4), weights=dict(zip(names, rounded, strict=True)))


def folds(x: Floats, y: Floats, people: Sequence[str]) -> Iterator[tuple[Rows, Rows]]:
    """Part the examples so that nobody's facts are on both sides."""
    parted: Iterator[tuple[Rows, Rows]]
    parted = GroupKFold(FOLDS, shuffle=True, random_state=SEED).split(x, y, people)
    return parted


def out_of_fold(x: Floats, y: Floats, people: Sequence[str]) -> Floats:
    """Score every example by a model that has not seen its person."""
    scores = np.zeros(len(y))
    for train, test in folds(x, y, people):
        bias, weights = fit(x[train], y[train])
        scores[test] = 1 / (1 + np.exp(-(x[test] @ weights + bias)))
    return scores


def report(found: Sequence[Example], y: Floats, scores: Floats) -> dict[str, dict[str, float]]:
    """Give balanced accuracy, F1 of false and AUROC on ChatGPT's facts, by evidence."""
    figures = {}
    for name in ("google", "gold"):
        for asked in (True, False):
            chosen = [
                e.evidence == name and e.asked == asked and e.generator == "chatgpt" for e in found
            ]
            true, score = y[chosen], scores[chosen]
            figures[f"{name} page, {'with' if asked else 'without'} the question"] = {
                "facts": len(true),
                "balanced_accuracy": round(balanced_accuracy_score(true, score >= SUPPORTED), 3),
                "f1_false": round(f1_score(true, score >= SUPPORTED, pos_label=0), 3),
                "auroc": round(roc_auc_score(true, score), 3),
                **shared(true, score),
            }
    return figures


def shared(true: Floats, score: Floats) -> dict[str, float]:
    """Give what a cascade leaves to a model, and how right the verifier is on the rest."""
    figures = {}
    for low in CASCADES:
        sure = (score < low) | (score > 1 - low)
        right = (score >= SUPPORTED) == true
        figures[f"escalated_{low}_{1 - low}"] = round(1 - float(sure.mean()), 3)
        figures[f"accuracy_of_the_rest_{low}_{1 - low}"] = round(float(right[sure].mean()), 3)
    return figures


def main(data: str, target: str) -> None:
    """Train, report on standard output, and write the weights."""
    found, names, x, y = table(Path(data))
    figures = report(found, y, out_of_fold(x, y, [e.person for e in found]))
    about = {
        "about": "P(supported) by logistic regression; made by errata.evals.train_verifier",
        "trained_on": "FActScore biographies (MIT), facts of three generators, two evidences",
        "out_of_fold": figures,
    }
    Path(target).write_text(json.dumps(about | asdict(fitted(names, x, y)), indent=1) + "\n")
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
