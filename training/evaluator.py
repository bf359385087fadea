"""Fit the local evaluator, choose its thresholds, and measure it on test sets.

python -m errata.training.evaluator DATA WEIGHTS.json [lexical]

Without `lexical` the shipped cross-encoder adds features.
"""

import json
import math
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from itertools import groupby
from pathlib import Path

import numpy as np
from sklearn.metrics import accuracy_score, balanced_accuracy_score, roc_auc_score

from errata.evals.datasets.relevance import (
    RelevancePair,
    read_biography_pairs,
    read_search_pairs,
    read_selqa_pairs,
    read_squad_pairs,
    read_subject_pairs,
)
from errata.tools.judges.entailment import ANSWER_FEATURES
from errata.tools.judges.evaluator import (
    MAX_IDF,
    LocalEvaluator,
    Question,
    load_local_evaluator,
    relevance_features,
)
from errata.tools.judges.logistic import LEXICAL, Features
from errata.tools.text.words import split_words
from errata.training.logistic import fit_rounded
from errata.training.reliability import Floats, balance_weights
from errata.training.splits import draw_number, is_reserved
from errata.training.thresholds import best_by_question, choose_thresholds

STEMS = 6000
"""How many stems the table of inverse document frequencies has."""
SEARCHES = ("nq", "triviaqa")
PASSAGES = {"nq": 1.0, "triviaqa": 1.0, "squad": 0.3}
"""How much each set weighs for passages: what a search finds is on the subject, but often has no
answer, while SQuAD's other paragraphs share few words with the question."""
STRIPS = {"nq": 1.0, "triviaqa": 1.0, "squad": 1.0, "selqa": 1.0}
"""How much each set weighs for strips."""
FLOOR = -0.25
"""The lowest score of a strip that is kept."""
VALIDATION = 5
"""One in so many groups is for validation."""
Sets = Mapping[str, Sequence[RelevancePair]]


def read_training_sets(data: Path) -> dict[str, list[RelevancePair]]:
    """The sets to fit on: only texts that the cross-encoder was not trained on."""
    searches, squad = data / "retrieval-e5", data / "squad"
    files = squad / "train_questions.jsonl.gz", squad / "train_paragraphs.jsonl.gz"
    sets = {
        "nq": read_search_pairs(searches / "nq.jsonl.gz"),
        "triviaqa": read_search_pairs(searches / "triviaqa.jsonl.gz"),
        "squad": (pair for pair in read_squad_pairs(*files) if is_reserved(pair.group)),
        "selqa": (
            pair
            for pair in read_selqa_pairs(data / "selqa" / "dev.jsonl.gz")
            if is_reserved(pair.group)
        ),
    }
    return {name: list(pairs) for name, pairs in sets.items()}


def read_test_sets(data: Path) -> dict[str, list[RelevancePair]]:
    """The sets to measure on; nothing is fitted on them."""
    dev = (data / "squad" / "dev_questions.jsonl.gz", data / "squad" / "dev_paragraphs.jsonl.gz")
    popqa = data / "retrieval-e5" / "popqa.jsonl.gz"
    return {
        "squad/dev, same article": list(read_squad_pairs(*dev, others=0)),
        "selqa/test": list(read_selqa_pairs(data / "selqa" / "test.jsonl.gz")),
        "retrieval-e5/popqa": list(read_search_pairs(popqa)),
        "retrieval-e5/popqa, subject's page": list(read_subject_pairs(popqa)),
        "bio-contriever": list(read_biography_pairs(data / "bio-contriever" / "bio.jsonl.gz")),
    }


def is_validation(pair: RelevancePair) -> bool:
    """Whether a pair's group is for validation."""
    return draw_number(pair.group) % VALIDATION == 0


def measure_idf(sets: Sets) -> dict[str, float]:
    """The inverse document frequencies of the commonest stems in the texts to fit on."""
    texts = {pair.text for pairs in sets.values() for pair in pairs if not is_validation(pair)}
    counts = Counter(s for text in sorted(texts) for s in {word.stem for word in split_words(text)})
    top = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:STEMS]
    return {stem: round(min(MAX_IDF, math.log(len(texts) / count)), 1) for stem, count in top}


def zero_weights(idf: dict[str, float], *, neural: bool) -> LocalEvaluator:
    """Weights of zero, to compute features with."""
    names = [*relevance_features(Question("x", {}), "", "x"), *(ANSWER_FEATURES if neural else ())]
    weights = dict.fromkeys(names, 0.0)
    strips = {"bias": 0.0, **weights}
    return LocalEvaluator(
        bias=0.0, weights=weights, strips=strips, idf=idf, upper=1.0, lower=-1.0, floor=FLOOR
    )


def as_arrays(pairs: Sequence[RelevancePair], evaluator: LocalEvaluator) -> tuple[Floats, Floats]:
    """Features (pairs, features) and labels (pairs,), 1 for relevant."""
    rows = [
        list(features.values())
        for question, own in groupby(pairs, lambda pair: pair.question)
        for features in evaluator.features(question, [(pair.title, pair.text) for pair in own])
    ]
    return np.array(rows), np.array([float(pair.relevant) for pair in pairs])


def fit_evaluator(sets: Sets, zero: LocalEvaluator) -> LocalEvaluator:
    """Weights for passages and weights for strips."""
    arrays = {name: as_arrays(pairs, zero) for name, pairs in sets.items()}
    bias, weights = _fit(arrays, PASSAGES, zero)
    strip_bias, strip_weights = _fit(arrays, STRIPS, zero)
    return replace(zero, bias=bias, weights=weights, strips={"bias": strip_bias, **strip_weights})


def _fit(
    arrays: Mapping[str, tuple[Floats, Floats]], shares: Mapping[str, float], zero: LocalEvaluator
) -> tuple[float, Features]:
    """Bias and weights; sets weigh as their shares say, and both labels of a set alike."""
    chosen = [(*arrays[name], share) for name, share in shares.items()]
    x, y = np.vstack([x for x, _, _ in chosen]), np.hstack([y for _, y, _ in chosen])
    weight = np.hstack([share * balance_weights(y) for _, y, share in chosen])
    return fit_rounded(list(zero.weights), x, y, weight * len(y) / weight.sum())


def set_thresholds(weights: LocalEvaluator, pairs: Sequence[RelevancePair]) -> LocalEvaluator:
    """Weights with the thresholds that the questions of some pairs suggest."""
    scores = score_pairs(weights, pairs)
    upper, lower = choose_thresholds(*best_by_question(pairs, scores))
    return replace(weights, upper=upper, lower=lower)


def score_pairs(evaluator: LocalEvaluator, pairs: Sequence[RelevancePair]) -> list[float]:
    """The score of every pair; all texts of a question are scored together."""
    return [
        score
        for question, own in groupby(pairs, lambda pair: pair.question)
        for score in evaluator.score(question, [(pair.title, pair.text) for pair in own])
    ]


def report(evaluator: LocalEvaluator, sets: Sets) -> dict[str, dict[str, float]]:
    """For each set: accuracy and balanced accuracy at score 0, AUROC, mean reciprocal rank."""
    figures = {}
    for name, pairs in sets.items():
        scores = score_pairs(evaluator, pairs)
        true = [pair.relevant for pair in pairs]
        predicted = [score > 0 for score in scores]
        figures[name] = {
            "pairs": len(pairs),
            "accuracy": round(accuracy_score(true, predicted), 3),
            "balanced_accuracy": round(balanced_accuracy_score(true, predicted), 3),
            "auroc": round(roc_auc_score(true, scores), 3),
            "mrr": round(reciprocal_rank(pairs, scores), 3),
        }
    return figures


def reciprocal_rank(pairs: Sequence[RelevancePair], scores: Sequence[float]) -> float:
    """The mean reciprocal rank of the first relevant text, over questions with texts of both kinds.

    Among texts with equal scores, irrelevant ones rank first.
    """
    by_question: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for pair, score in zip(pairs, scores, strict=True):
        by_question[pair.question].append((-score, pair.relevant))
    ranked = [[relevant for _, relevant in sorted(texts)] for texts in by_question.values()]
    mixed = [labels for labels in ranked if any(labels) and not all(labels)]
    return sum(1 / (labels.index(True) + 1) for labels in mixed) / len(mixed)


def main(data: str, target: str, form: str = "") -> None:
    """Fit the evaluator, write its weights, and print its figures."""
    neural = form != LEXICAL
    sets = read_training_sets(Path(data))
    idf = load_local_evaluator(LEXICAL).idf if neural else measure_idf(sets)
    found = {name: sets[name] for name in SEARCHES}
    learned = {n: [pair for pair in own if not is_validation(pair)] for n, own in found.items()}
    weights = fit_evaluator(sets | learned, zero_weights(idf, neural=neural))
    tests = read_test_sets(Path(data))
    searched = [*found.values(), tests["retrieval-e5/popqa"]]
    weights = set_thresholds(weights, [pair for own in searched for pair in own])
    validation = {
        f"{name}, validation": [pair for pair in own if is_validation(pair)]
        for name, own in found.items()
    }
    figures = report(weights, validation | tests)
    write_weights(Path(target), weights, figures)
    thresholds = {"upper": weights.upper, "lower": weights.lower}
    sys.stdout.write(json.dumps(thresholds | figures, indent=1) + "\n")


def write_weights(
    target: Path, weights: LocalEvaluator, figures: Mapping[str, Mapping[str, float]]
) -> None:
    """Write the weights, with their training data and figures."""
    about = {
        "about": "P(relevant) by logistic regression; made by errata.training.evaluator",
        "reads": "lexical features and the cross-encoder" if weights.neural else "lexical features",
        "trained_on": "searches for NQ and TriviaQA questions, SQuADShifts new_wiki, SelQA dev",
        "figures": figures,
    }
    text = json.dumps(about | asdict(weights), ensure_ascii=False)
    target.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
