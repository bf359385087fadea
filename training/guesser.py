"""How well labels can be guessed from claims alone, without any evidence.

python -m errata.training.guesser PLAN

Prints, for each source of a plan and in all, the accuracy of a regression over the claims' words,
each group of claims guessed by weights that were fitted without it. A source where it is far above
the share of its commonest label teaches wording in place of reading.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import GroupKFold

from errata.training.pairs import Pair, read_plan

VERDICTS = ("supported", "refuted", "not_mentioned")
FOLDS = 3
SEED = 0


def read_verdicts(plan: Path) -> list[Pair]:
    """The plan's claims with a single verdict."""
    return [p for p in read_plan(plan) if len(p.labels) == 1 and p.labels[0] in VERDICTS]


def guess(pairs: Sequence[Pair]) -> list[str]:
    """A label for each claim by its words and pairs of words, out of fold."""
    words = HashingVectorizer(ngram_range=(1, 2), n_features=2**18)
    x = words.transform([pair.first for pair in pairs])
    y, guessed = np.array([pair.labels[0] for pair in pairs]), np.empty(len(pairs), dtype=object)
    groups = [pair.group for pair in pairs]
    for train, test in GroupKFold(FOLDS, shuffle=True, random_state=SEED).split(x, groups=groups):
        model = SGDClassifier(
            loss="log_loss", alpha=1e-6, class_weight="balanced", random_state=SEED
        )
        guessed[test] = model.fit(x[train], y[train]).predict(x[test])
    return list(guessed)


def measure(pairs: Sequence[Pair], guessed: Sequence[str]) -> dict[str, dict[str, float]]:
    """For each source, and `all`: rows, accuracy, and the share of the commonest label."""
    by_source = defaultdict[str, list[tuple[str, str]]](list)
    for pair, label in zip(pairs, guessed, strict=True):
        for source in (pair.source, "all"):
            by_source[source].append((pair.labels[0], label))
    return {
        source: {
            "rows": len(rows),
            "guessed": round(sum(a == b for a, b in rows) / len(rows), 3),
            "commonest": round(Counter(a for a, _ in rows).most_common(1)[0][1] / len(rows), 3),
        }
        for source, rows in sorted(by_source.items())
    }


if __name__ == "__main__":
    claims = read_verdicts(Path(sys.argv[1]))
    sys.stdout.write(json.dumps(measure(claims, guess(claims)), indent=1) + "\n")
