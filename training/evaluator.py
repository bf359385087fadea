"""Fit the local evaluator, choose its thresholds on validation questions, report test sets.

python -m errata.training.evaluator DATA WEIGHTS.json [lexical]

Without `lexical` the shipped cross-encoder's reading is one feature more; of what it has read
itself, nothing is fitted on.
"""

import json
import math
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, balanced_accuracy_score, roc_auc_score
from sklearn.preprocessing import StandardScaler

from errata.evals.datasets import (
    RelevancePair,
    read_biography_pairs,
    read_search_pairs,
    read_selqa_pairs,
    read_squad_pairs,
    read_subject_pairs,
)
from errata.tools.judges.cross_encoder import LEXICAL
from errata.tools.judges.evaluator import READ, LocalEvaluator, Weights, local_evaluator
from errata.tools.judges.relevance import RARE, Question, relevance
from errata.tools.text.words import split_words
from errata.training.pairs import kept_back, lot
from errata.training.reliability import Floats, balanced

STEMS = 6000
"""How many stems the table of frequencies holds."""
SQUAD_PAIRS = 12000
SURE = 0.8
"""What share of questions above the upper threshold must be answerable."""
HOPELESS = 0.45
"""What share of questions below the lower threshold may be answerable."""
FLOOR = -0.25
"""The score that a strip needs."""
FOLDS = 5
SEED = 0
Sets = Mapping[str, Sequence[RelevancePair]]


@dataclass(frozen=True)
class Described:
    """Hold the pairs of one set as features and labels."""

    x: Floats
    y: Floats


def train_sets(data: Path, *, neural: bool) -> dict[str, list[RelevancePair]]:
    """Read what the evaluator may learn from; of articles that the cross-encoder read, nothing."""
    squad, e5 = data / "squad", data / "retrieval-e5"
    many = list(
        read_squad_pairs(squad / "train_questions.jsonl.gz", squad / "train_paragraphs.jsonl.gz")
    )
    sections = list(read_selqa_pairs(data / "selqa" / "dev.jsonl.gz"))
    if neural:
        many, sections = ([p for p in pairs if kept_back(p.group)] for pairs in (many, sections))
    return {
        "squad": random.Random(SEED).sample(many, min(SQUAD_PAIRS, len(many))),
        "selqa": sections,
        "nq": list(read_search_pairs(e5 / "nq.jsonl.gz")),
        "triviaqa": list(read_search_pairs(e5 / "triviaqa.jsonl.gz")),
    }


def test_sets(data: Path) -> dict[str, list[RelevancePair]]:
    """Read what it is judged on; nothing of it is learnt from."""
    dev = (data / "squad" / "dev_questions.jsonl.gz", data / "squad" / "dev_paragraphs.jsonl.gz")
    return {
        "squad/dev, same article": list(read_squad_pairs(*dev, others=0)),
        "selqa/test": list(read_selqa_pairs(data / "selqa" / "test.jsonl.gz")),
        "retrieval-e5/popqa": list(read_search_pairs(data / "retrieval-e5" / "popqa.jsonl.gz")),
        "retrieval-e5/popqa, subject's page": list(
            read_subject_pairs(data / "retrieval-e5" / "popqa.jsonl.gz")
        ),
        "bio-contriever": list(read_biography_pairs(data / "bio-contriever" / "bio.jsonl.gz")),
    }


def validation(pair: RelevancePair) -> bool:
    """Tell whether a pair's group is kept back from fitting."""
    return lot(pair.group) % FOLDS == 0


def reciprocal_rank(pairs: Sequence[RelevancePair], scores: Sequence[float]) -> float:
    """Give the mean of 1 / the place of the first relevant text, where a question has both kinds.

    Of texts that score alike the irrelevant ones come first.
    """
    by_question: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    for pair, score in zip(pairs, scores, strict=True):
        by_question[pair.question].append((-score, pair.relevant))
    ranked = [[relevant for _, relevant in sorted(found)] for found in by_question.values()]
    mixed = [found for found in ranked if any(found) and not all(found)]
    return sum(1 / (found.index(True) + 1) for found in mixed) / len(mixed)


def frequencies(sets: Sets) -> dict[str, float]:
    """Count how rare stems are in the texts to learn from."""
    texts = {pair.text for pairs in sets.values() for pair in pairs if not validation(pair)}
    counts = Counter(s for text in sorted(texts) for s in {word.stem for word in split_words(text)})
    top = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:STEMS]
    return {stem: round(min(RARE, math.log(len(texts) / count)), 1) for stem, count in top}


def described(pairs: Sequence[RelevancePair], evaluator: LocalEvaluator) -> Described:
    """Turn pairs into features, a question's texts at once."""
    rows = [
        list(values.values())
        for question, own in groupby(pairs, lambda pair: pair.question)
        for values in evaluator.described(question, [(pair.title, pair.text) for pair in own])
    ]
    return Described(np.array(rows), np.array([float(p.relevant) for p in pairs]))


def blank(idf: dict[str, float], *, neural: bool) -> Weights:
    """Give weights of zero, for describing pairs with."""
    names = [*relevance(Question("x", {}), "", "x"), *([READ] if neural else [])]
    weights = dict.fromkeys(names, 0.0)
    return Weights(bias=0.0, weights=weights, idf=idf, upper=1.0, lower=-1.0, floor=FLOOR)


def fitted(sets: Sequence[Described], plain: Weights) -> Weights:
    """Fit on all sets alike, both labels of a set alike; thresholds are still to be chosen."""
    x = np.vstack([found.x for found in sets])
    y = np.hstack([found.y for found in sets])
    weight = np.hstack([balanced(found.y) for found in sets])
    scaler = StandardScaler().fit(x)
    model = LogisticRegression(C=0.3, max_iter=5000)
    model.fit(scaler.transform(x), y, sample_weight=weight * len(y) / weight.sum())
    raw = model.coef_[0] / scaler.scale_
    bias = round(float(model.intercept_[0] - raw @ scaler.mean_), 4)
    weights = {n: round(float(w), 4) for n, w in zip(plain.weights, raw, strict=True)}
    return replace(plain, bias=bias, weights=weights)


def best_by_question(
    pairs: Sequence[RelevancePair], scores: Sequence[float]
) -> tuple[Floats, Floats]:
    """Give each question's best score, and whether any of its texts is relevant."""
    best: dict[str, float] = defaultdict(lambda: -1.0)
    answerable: dict[str, float] = defaultdict(float)
    for pair, score in zip(pairs, scores, strict=True):
        best[pair.question] = max(best[pair.question], score)
        answerable[pair.question] = max(answerable[pair.question], float(pair.relevant))
    return np.array(list(best.values())), np.array([answerable[q] for q in best])


def thresholds(best: Floats, answerable: Floats) -> tuple[float, float]:
    """Choose the lowest upper and the highest lower threshold that keep to SURE and HOPELESS."""
    steps = np.arange(-0.95, 1.0, 0.05)
    sure = [t for t in steps if (best > t).any() and answerable[best > t].mean() >= SURE]
    hopeless = [t for t in steps if (best < t).any() and answerable[best < t].mean() <= HOPELESS]
    upper = min(sure, default=0.95)
    return round(float(upper), 2), round(float(min(max(hopeless, default=-0.95), upper)), 2)


def scored(model: LocalEvaluator, pairs: Sequence[RelevancePair]) -> list[float]:
    """Score pairs, a question's texts at once."""
    return [
        score
        for question, own in groupby(pairs, lambda pair: pair.question)
        for score in model.score(question, [(pair.title, pair.text) for pair in own])
    ]


def report(model: LocalEvaluator, sets: Sets) -> dict[str, dict[str, float]]:
    """Give accuracy at score 0, balanced accuracy and AUROC for each set."""
    figures = {}
    for name, pairs in sets.items():
        score = scored(model, pairs)
        true = [pair.relevant for pair in pairs]
        said = [value > 0 for value in score]
        figures[name] = {
            "pairs": len(pairs),
            "accuracy": round(accuracy_score(true, said), 3),
            "balanced_accuracy": round(balanced_accuracy_score(true, said), 3),
            "auroc": round(roc_auc_score(true, score), 3),
            "mrr": round(reciprocal_rank(pairs, score), 3),
        }
    return figures


def main(data: str, target: str, form: str = "") -> None:
    """Train, report on standard output, and write the weights."""
    neural = form != LEXICAL
    sets = train_sets(Path(data), neural=neural)
    idf = local_evaluator(LEXICAL).weights.idf if neural else frequencies(sets)
    plain = blank(idf, neural=neural)
    kept_whole = ("squad", "selqa") if neural else ()
    fit = (
        [p for p in pairs if name in kept_whole or not validation(p)]
        for name, pairs in sets.items()
    )
    weights = fitted([described(pairs, LocalEvaluator(plain)) for pairs in fit], plain)
    held = [p for name in ("nq", "triviaqa") for p in sets[name] if validation(p)]
    scores = scored(LocalEvaluator(weights), held)
    upper, lower = thresholds(*best_by_question(held, scores))
    chosen = replace(weights, upper=upper, lower=lower)
    unseen = {
        f"{name}, validation": [p for p in pairs if validation(p)]
        for name, pairs in sets.items()
        if name not in kept_whole
    }
    figures = report(LocalEvaluator(chosen), unseen | test_sets(Path(data)))
    about = {
        "about": "P(relevant) by logistic regression; made by errata.training.evaluator",
        "reads": "lexical features and the cross-encoder" if neural else "lexical features",
        "trained_on": "SQuADShifts new_wiki, SelQA dev, searches for NQ and TriviaQA questions",
        "figures": figures,
    }
    text = json.dumps(about | asdict(chosen), ensure_ascii=False)
    Path(target).write_text(text + "\n", encoding="utf-8")
    sys.stdout.write(json.dumps({"upper": upper, "lower": lower} | figures, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
