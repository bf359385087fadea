"""How relevant a text is to a question: the local evaluator, and what every evaluator offers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, runtime_checkable

from errata.errors import InputError
from errata.records import from_json
from errata.tools.judges.cross_encoder import cross_encoder, weights_file
from errata.tools.judges.entailment import answer_odds
from errata.tools.judges.relevance import Question, relevance
from errata.tools.text.files import parse_json_row, read_text

Text = tuple[str, str]
"""A title, perhaps empty, and a text."""
READ = "read"
"""The feature that the cross-encoder gives."""


@runtime_checkable
class Evaluator(Protocol):
    """Judge retrieval, not truth (CRAG section 4.2)."""

    @property
    def upper(self) -> float:
        """Give the threshold above which one document makes the retrieval correct."""

    @property
    def lower(self) -> float:
        """Give the threshold below which all documents make it incorrect."""

    @property
    def floor(self) -> float:
        """Give the score that a strip needs to be kept."""

    def score(self, question: str, texts: Sequence[Text]) -> list[float]:
        """Give a score in [-1, 1] for each titled text."""


@dataclass(frozen=True, kw_only=True)
class Weights:
    """Hold the fitted model, as `errata.training.evaluator` writes it."""

    bias: float
    weights: dict[str, float]
    idf: dict[str, float]
    """How rare a stem is; what is not in it is rarer still."""
    upper: float
    lower: float
    floor: float

    @property
    def neural(self) -> bool:
        """Tell whether it needs the cross-encoder."""
        return READ in self.weights


@dataclass(frozen=True)
class LocalEvaluator:
    """Score by logistic regression over what is seen of question and text."""

    weights: Weights

    @property
    def upper(self) -> float:
        """Give the threshold of the correct action, chosen on validation questions."""
        return self.weights.upper

    @property
    def lower(self) -> float:
        """Give the threshold of the incorrect action, chosen on validation questions."""
        return self.weights.lower

    @property
    def floor(self) -> float:
        """Give the score that a strip needs, chosen on validation questions."""
        return self.weights.floor

    def score(self, question: str, texts: Sequence[Text]) -> list[float]:
        """Give a score in [-1, 1] for each titled text; one without a word gets -1."""
        told = [text for text in texts if text[1].strip()]
        scores = dict(zip(told, self._scores(question, told), strict=True))
        return [scores.get(text, -1.0) for text in texts]

    def _scores(self, question: str, texts: Sequence[Text]) -> list[float]:
        return [self._score(values) for values in self.described(question, texts)]

    def described(self, question: str, texts: Sequence[Text]) -> list[dict[str, float]]:
        """Describe titled texts beside a question, as named numbers."""
        asked = Question(question, self.weights.idf)
        lexical = [relevance(asked, title, text) for title, text in texts]
        if not self.weights.neural:
            return lexical
        read = answer_odds(question, texts, cross_encoder())
        return [values | {READ: value} for values, value in zip(lexical, read, strict=True)]

    def _score(self, values: dict[str, float]) -> float:
        logit = self.weights.bias + sum(w * values[n] for n, w in self.weights.weights.items())
        return round(math.tanh(logit / 2), 4)


@cache
def local_evaluator(path: str = "") -> LocalEvaluator:
    """Read fitted weights: the shipped ones, `lexical`, or a file that the training script wrote.

    Raises InputError where the file is missing or fits other features than ours.
    """
    model = from_json(
        Weights, parse_json_row(read_text(weights_file("evaluator", path)), f"{path!r}")
    )
    names = set(relevance(Question("x", {}), "", "x")) | ({READ} if model.neural else set())
    if set(model.weights) != names:
        raise InputError(f"{path!r} was fitted on other features; train it again")
    return LocalEvaluator(model)
