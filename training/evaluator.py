"""Fit the local evaluator, choose its thresholds, and measure it on test sets.

python -m errata.training.evaluator DATA WEIGHTS.json
"""

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby, islice
from pathlib import Path

import numpy as np
from sklearn.metrics import balanced_accuracy_score, roc_auc_score

from errata.evals.datasets.relevance import (
    RelevancePair,
    read_search_pairs,
    read_selqa_pairs,
    read_squad_pairs,
)
from errata.tools.judges.evaluator import FEATURES, LocalEvaluator, relevance_features
from errata.training.fits import (
    Floats,
    balance_weights,
    best_by_question,
    choose_thresholds,
    fit_rounded,
)
from errata.training.pairs import is_reserved

MEASURED = 3000
"""How many pairs of a set are measured on at most, the first ones."""
SEARCHES = ("nq", "triviaqa")
SHARES = {"nq": 1.0, "triviaqa": 1.0, "squad": 0.3, "selqa": 0.5}
"""How much each set weighs: what a search finds is on the subject, but often has no answer, while
SQuAD's other paragraphs share few words with the question."""
FLOOR = -0.25
"""The lowest score of a strip that is kept."""
Sets = Mapping[str, Sequence[RelevancePair]]


def read_training_sets(data: Path) -> dict[str, list[RelevancePair]]:
    """The sets to fit on: only texts that the cross-encoder was not trained on."""
    searches, squad = data / "retrieval-e5", data / "squad"
    files = squad / "train_questions.jsonl.gz", squad / "train_paragraphs.jsonl.gz"
    selqa = read_selqa_pairs(data / "selqa" / "dev.jsonl.gz")
    return {
        "nq": list(read_search_pairs(searches / "nq.jsonl.gz")),
        "triviaqa": list(read_search_pairs(searches / "triviaqa.jsonl.gz")),
        "squad": [pair for pair in read_squad_pairs(*files) if is_reserved(pair.group)],
        "selqa": [pair for pair in selqa if is_reserved(pair.group)],
    }


def read_test_sets(data: Path) -> dict[str, list[RelevancePair]]:
    """The sets to measure on; nothing is fitted on them."""
    dev = (data / "squad" / "dev_questions.jsonl.gz", data / "squad" / "dev_paragraphs.jsonl.gz")
    popqa = data / "retrieval-e5" / "popqa.jsonl.gz"
    return {
        "squad/dev, same article": list(islice(read_squad_pairs(*dev, others=0), MEASURED)),
        "selqa/test": list(islice(read_selqa_pairs(data / "selqa" / "test.jsonl.gz"), MEASURED)),
        "retrieval-e5/popqa": list(read_search_pairs(popqa)),
    }


def fit_evaluator(sets: Sets) -> LocalEvaluator:
    """The weights, without thresholds; sets weigh as SHARES says, and both labels of one alike."""
    rows, relevant, importance = list[list[float]](), list[float](), list[Floats]()
    for name, share in SHARES.items():
        for question, texts in by_question(sets[name]):
            rows += [[*features.values()] for features in relevance_features(question, texts)]
        own = np.array([float(pair.relevant) for pair in sets[name]])
        relevant += own.tolist()
        importance.append(share * balance_weights(own))
    weight = np.hstack(importance)
    y = np.array(relevant)
    bias, weights = fit_rounded(FEATURES, np.array(rows), y, weight * len(y) / weight.sum())
    return LocalEvaluator(bias=bias, weights=weights, upper=1.0, lower=-1.0, floor=FLOOR)


def by_question(pairs: Iterable[RelevancePair]) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Each question with all its titled texts, which are scored together."""
    for question, own in groupby(pairs, lambda pair: pair.question):
        yield question, [(pair.title, pair.text) for pair in own]


def score_pairs(evaluator: LocalEvaluator, pairs: Sequence[RelevancePair]) -> list[float]:
    """The score of every pair."""
    return [s for question, own in by_question(pairs) for s in evaluator.score(question, own)]


def report(evaluator: LocalEvaluator, sets: Sets) -> dict[str, dict[str, float]]:
    """For each set: balanced accuracy at score 0, AUROC."""
    figures = {}
    for name, pairs in sets.items():
        scores = score_pairs(evaluator, pairs)
        true = [pair.relevant for pair in pairs]
        figures[name] = {
            "pairs": len(pairs),
            "balanced_accuracy": round(balanced_accuracy_score(true, [s > 0 for s in scores]), 3),
            "auroc": round(roc_auc_score(true, scores), 3),
        }
    return figures


def main(data: str, target: str) -> None:
    """Fit the evaluator, write its weights, and print its figures."""
    sets, tests = read_training_sets(Path(data)), read_test_sets(Path(data))
    weights = fit_evaluator(sets)
    found = (*(sets[name] for name in SEARCHES), tests["retrieval-e5/popqa"])
    searched = [pair for own in found for pair in own]
    upper, lower = choose_thresholds(*best_by_question(searched, score_pairs(weights, searched)))
    weights = replace(weights, upper=upper, lower=lower)
    figures = report(weights, tests)
    about = {
        "about": "P(relevant) by logistic regression; made by errata.training.evaluator",
        "trained_on": "searches for NQ and TriviaQA questions, SQuADShifts new_wiki, SelQA dev",
        "figures": figures,
    }
    Path(target).write_text(json.dumps(about | asdict(weights), indent=1) + "\n", encoding="utf-8")
    sys.stdout.write(json.dumps({"upper": upper, "lower": lower} | figures, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
