"""Fit the local verifier on human-labelled claims, and measure it on people left out.

python -m errata.training.verifier DATA WEIGHTS.json [CROSS-ENCODER [PLOTS [EVERY]]]

CROSS-ENCODER is the name of a shipped one or a file; without any the verifier has only lexical
features. It must have been trained without FActScore's labels, as `errata.training.mixture`
provides. PLOTS is the folder for two drawings. Of FActScore one in EVERY biographies is used.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import numpy as np
from sklearn.metrics import balanced_accuracy_score, f1_score, roc_auc_score
from sklearn.model_selection import GroupKFold

from errata.evals.plots import draw_coverage, draw_reliability
from errata.tools.judges.findings import SUPPORTED, VerifierWeights
from errata.training.examples import (
    FACTSCORE,
    RULES,
    WRITTEN,
    Example,
    load_encoder,
    read_examples,
)
from errata.training.logistic import fit, fit_rounded
from errata.training.pairs import REFUTED
from errata.training.reliability import (
    Floats,
    balance_weights,
    calibration_error,
    coverage_curve,
    reliability_curve,
)

FOLDS = 5
SEED = 0
CASCADES = (0.1, 0.2, 0.3)
"""Lower thresholds of a cascade; the upper one is 1 minus the lower."""
SHARES = {FACTSCORE: 0.4, WRITTEN: 0.3, RULES: 0.1}
"""The importance of some sets; that of the others together is what is left."""
CONFIDENCES = (0.5, 0.55, 0.6, 0.65, 0.7, 0.75)
"""Candidates for the lowest confidence at which a label is given."""
MIN_ACCURACY = 0.65
"""How often labels at the lowest confidence must be right."""
MAX_BORNE_OUT = 0.08
"""How many false claims may be called supported."""
REFUTING = (0.6, 0.7, 0.8, 0.85, *(percent / 100 for percent in range(90, 100)))
"""Candidates for the probability from which on the cross-encoder refutes a claim."""
MIN_PRECISION = 0.9
MAX_HARMED = 0.01
"""How many supported claims may be refuted."""
LEAST = 30
"""How many claims a set needs to count."""
Rows = np.ndarray[tuple[int], np.dtype[np.int64]]


def as_arrays(examples: Sequence[Example]) -> tuple[Floats, Floats]:
    """Features (examples, features) and labels (examples,), 1 for supported."""
    x = np.array([list(example.features.values()) for example in examples])
    return x, np.array([float(example.supported) for example in examples])


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


def fit_verifier(examples: Sequence[Example]) -> VerifierWeights:
    """The verifier's weights, fitted on all examples."""
    x, y = as_arrays(examples)
    names = list(examples[0].features)
    bias, weights = fit_rounded(names, x, y, weigh_examples(examples, y))
    return VerifierWeights(bias=bias, weights=weights)


def odds_out_of_fold(x: Floats, y: Floats, examples: Sequence[Example]) -> Floats:
    """The log odds of every example under weights that were fitted without its group."""
    odds, importance = np.zeros(len(y)), weigh_examples(examples, y)
    for train, test in split_groups(x, [example.group for example in examples]):
        bias, weights = fit(x[train], y[train], importance[train])
        odds[test] = x[test] @ weights + bias
    return odds


def split_groups(x: Floats, groups: Sequence[str]) -> Iterator[tuple[Rows, Rows]]:
    """Rows for training and testing, five times; no group is on both sides."""
    splits: Iterator[tuple[Rows, Rows]]
    splits = GroupKFold(FOLDS, shuffle=True, random_state=SEED).split(x, groups=groups)
    return splits


def report(examples: Sequence[Example], y: Floats, scores: Floats) -> dict[str, dict[str, float]]:
    """Balanced accuracy, F1 of false, AUROC, calibration and cascades on ChatGPT's facts."""
    figures = {}
    for evidence in ("google", "gold"):
        for has_question in (True, False):
            rows = chatgpt_rows(examples, evidence, has_question=has_question)
            true, score = y[rows], scores[rows]
            name = f"{evidence} page, {'with' if has_question else 'without'} the question"
            figures[name] = {
                "facts": len(true),
                "balanced_accuracy": round(balanced_accuracy_score(true, score >= SUPPORTED), 3),
                "f1_false": round(f1_score(true, score >= SUPPORTED, pos_label=0), 3),
                "auroc": round(roc_auc_score(true, score), 3),
                "calibration_error": round(calibration_error(true, score), 3),
                **measure_cascades(true, score),
            }
    return figures


def chatgpt_rows(examples: Sequence[Example], evidence: str, *, has_question: bool) -> list[bool]:
    """Which examples are facts of ChatGPT's drafts with one evidence."""
    key = (evidence, has_question, "chatgpt")
    return [(e.evidence, e.has_question, e.generator) == key for e in examples]


def measure_cascades(true: Floats, score: Floats) -> dict[str, float]:
    """The share that a cascade escalates to a model, and the verifier's accuracy on the rest."""
    figures = {}
    for low in CASCADES:
        is_sure = (score < low) | (score > 1 - low)
        is_right = (score >= SUPPORTED) == true
        figures[f"escalated_{low}_{1 - low}"] = round(1 - float(is_sure.mean()), 3)
        figures[f"accuracy_of_the_rest_{low}_{1 - low}"] = round(float(is_right[is_sure].mean()), 3)
    return figures


def lowest_confidence(true: Floats, score: Floats) -> float:
    """The lowest confidence at which labels are right often enough, both labels weighing alike."""
    weights, confidence = balance_weights(true), np.maximum(score, 1 - score)
    is_right = (score >= SUPPORTED) == true
    for low, high in zip(CONFIDENCES, (*CONFIDENCES[1:], 1.0), strict=True):
        inside = (confidence >= low) & (confidence < high)
        if inside.any() and np.average(is_right[inside], weights=weights[inside]) >= MIN_ACCURACY:
            return low
    return CONFIDENCES[-1]


def choose_sure(examples: Sequence[Example], y: Floats, scores: Floats) -> float:
    """The lowest probability from which on labels are right, and few false claims supported."""
    facts = np.array([example.source == FACTSCORE for example in examples])
    lowest = lowest_confidence(y[facts], scores[facts])
    false = [
        s for e, s in zip(examples, scores, strict=True) if e.source == WRITTEN and is_refuted(e)
    ]
    return max(lowest, round(float(np.quantile(false, 1 - MAX_BORNE_OUT)), 2)) if false else lowest


def choose_refuting(examples: Sequence[Example]) -> float | None:
    """The lowest probability from which on refutations are precise enough, all sets weighing alike.

    None if there is none. Precision is that on sets of three labels; true claims, FActScore's also,
    must be spared.
    """
    sets: dict[str, list[Example]] = {}
    for example in examples:
        sets.setdefault(example.source, []).append(example)
    facts = sets.pop(FACTSCORE)
    sets.pop(RULES, None)
    told = [own for own in sets.values() if len(own) >= LEAST and any(map(is_refuted, own))]
    fitting = [t for t in REFUTING if _is_precise(told, t) and _harm([facts], t) <= MAX_HARMED]
    return min(fitting, default=None)


def is_refuted(example: Example) -> bool:
    """Whether people called a claim refuted, and not only unsupported."""
    return example.labels == REFUTED


def _is_precise(sets: Sequence[Sequence[Example]], threshold: float) -> bool:
    """Whether refutations from a threshold on are right often enough, and spare true claims."""
    right = wrong = 0.0
    for own in sets:
        refuted = [e for e in own if e.refuted >= threshold]
        right += sum("refuted" in e.labels for e in refuted) / len(own)
        wrong += sum("refuted" not in e.labels for e in refuted) / len(own)
    return right >= MIN_PRECISION * (right + wrong) > 0 and _harm(sets, threshold) <= MAX_HARMED


def _harm(sets: Sequence[Sequence[Example]], threshold: float) -> float:
    """The mean share of the sets' supported claims that are refuted."""
    true = [[e for e in own if e.supported] for own in sets]
    shares = [sum(e.refuted >= threshold for e in own) / len(own) for own in true if own]
    return sum(shares) / len(shares)


def fit_all(examples: Sequence[Example], encoder: str = "") -> tuple[VerifierWeights, Floats]:
    """The verifier's weights with all thresholds, and the examples' probabilities out of fold.

    An example's probability is by weights fitted without its group.
    """
    x, y = as_arrays(examples)
    scores = 1 / (1 + np.exp(-odds_out_of_fold(x, y, examples)))
    weights = replace(
        fit_verifier(examples),
        sure=choose_sure(examples, y, scores),
        refuting=choose_refuting(examples) if encoder else None,
        cross_encoder=encoder,
    )
    return weights, scores


def main(data: str, target: str, encoder: str = "", plots: str = "", every: str = "1") -> None:
    """Fit the verifier, write its weights, and print its figures."""
    examples = list(read_examples(Path(data), load_encoder(encoder), int(every)))
    weights, scores = fit_all(examples, encoder)
    y = as_arrays(examples)[1]
    figures = report(examples, y, scores)
    about = {
        "about": "P(supported) by logistic regression; made by errata.training.verifier",
        "trained_on": sorted({example.source for example in examples}),
        "out_of_fold": figures,
    }
    Path(target).write_text(json.dumps(about | asdict(weights), indent=1) + "\n")
    sys.stdout.write(json.dumps(figures, indent=1) + "\n")
    if plots:
        draw_figures(examples, y, scores, Path(plots))


def draw_figures(examples: Sequence[Example], y: Floats, scores: Floats, folder: Path) -> None:
    """Plot reliability and coverage of both evidences on ChatGPT's facts."""
    chosen = {
        f"{name} page": chatgpt_rows(examples, name, has_question=True)
        for name in ("google", "gold")
    }
    rows = {name: (y[here], scores[here]) for name, here in chosen.items()}
    reliability = {name: reliability_curve(*row) for name, row in rows.items()}
    draw_reliability(reliability, folder / "reliability.svg")
    coverage = {name: coverage_curve(*row) for name, row in rows.items()}
    draw_coverage(coverage, folder / "coverage.svg")


if __name__ == "__main__":
    main(*sys.argv[1:])
