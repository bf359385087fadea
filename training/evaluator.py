"""Fit the local evaluator, choose its thresholds, and measure it on test sets.

python -m errata.training.evaluator DATA WEIGHTS.json
"""

import json
import math
import sys
from collections import Counter
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
from errata.tools.judges.entailment import ANSWER_FEATURES
from errata.tools.judges.evaluator import (
    MAX_IDF,
    LocalEvaluator,
    Question,
    relevance_features,
)
from errata.tools.text.words import split_words
from errata.training.fits import (
    balance_weights,
    best_by_question,
    choose_thresholds,
    fit_rounded,
)
from errata.training.pairs import is_reserved

STEMS = 6000
"""How many stems the table of inverse document frequencies has."""
MEASURED = 3000
"""How many pairs of a set are measured on at most, the first ones."""
SEARCHES = ("nq", "triviaqa")
PASSAGES = {"nq": 1.0, "triviaqa": 1.0, "squad": 0.3}
"""How much each set weighs for passages: what a search finds is on the subject, but often has no
answer, while SQuAD's other paragraphs share few words with the question."""
STRIPS = {"nq": 1.0, "triviaqa": 1.0, "squad": 1.0, "selqa": 1.0}
"""How much each set weighs for strips."""
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


def measure_idf(sets: Sets) -> dict[str, float]:
    """The inverse document frequencies of the commonest stems in the texts to fit on."""
    texts = {pair.text for pairs in sets.values() for pair in pairs}
    counts = Counter(s for text in sorted(texts) for s in {word.stem for word in split_words(text)})
    top = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:STEMS]
    return {stem: round(min(MAX_IDF, math.log(len(texts) / count)), 1) for stem, count in top}


def fit_evaluator(sets: Sets, idf: dict[str, float]) -> LocalEvaluator:
    """Weights for passages and weights for strips, without thresholds.

    Sets weigh as their shares say, and both labels of a set alike.
    """
    names = [*relevance_features(Question("x", {}), "", "x"), *ANSWER_FEATURES]
    zeros = dict.fromkeys(names, 0.0)
    evaluator = LocalEvaluator(
        bias=0.0,
        weights=zeros,
        strips={"bias": 0.0, **zeros},
        idf=idf,
        upper=1.0,
        lower=-1.0,
        floor=FLOOR,
    )
    arrays = {}
    for name, pairs in sets.items():
        rows = [
            list(features.values())
            for question, texts in by_question(pairs)
            for features in evaluator.features(question, texts)
        ]
        arrays[name] = np.array(rows), np.array([float(pair.relevant) for pair in pairs])
    fitted = []
    for shares in (PASSAGES, STRIPS):
        x, y = (np.concatenate([arrays[name][side] for name in shares]) for side in (0, 1))
        weight = np.hstack(
            [share * balance_weights(arrays[name][1]) for name, share in shares.items()]
        )
        fitted.append(fit_rounded(names, x, y, weight * len(y) / weight.sum()))
    (bias, weights), (strip_bias, strips) = fitted
    return replace(evaluator, bias=bias, weights=weights, strips={"bias": strip_bias, **strips})


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
    weights = fit_evaluator(sets, measure_idf(sets))
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
    text = json.dumps(about | asdict(weights), ensure_ascii=False)
    Path(target).write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(json.dumps({"upper": upper, "lower": lower} | figures, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
