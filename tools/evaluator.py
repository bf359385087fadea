"""How relevant a text is to a question: the local evaluator, and what every evaluator offers."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Protocol, runtime_checkable

from errata.errors import InputError
from errata.records import from_json
from errata.tools.files import json_row, read_text
from errata.tools.relevance import Question, relevance

Text = tuple[str, str]
"""A title, perhaps empty, and a text."""


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
    """Hold the fitted model, as `errata.evals.train_evaluator` writes it."""

    bias: float
    weights: dict[str, float]
    idf: dict[str, float]
    """How rare a stem is; what is not in it is rarer still."""
    upper: float
    lower: float
    floor: float


@dataclass(frozen=True)
class LocalEvaluator:
    """Score by logistic regression over what question and text have in common."""

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
        asked = Question(question, self.weights.idf)
        return [self._score(asked, title, text) for title, text in texts]

    def _score(self, asked: Question, title: str, text: str) -> float:
        if not text.strip():
            return -1.0
        values = relevance(asked, title, text)
        logit = self.weights.bias + sum(w * values[n] for n, w in self.weights.weights.items())
        return round(math.tanh(logit / 2), 4)


@cache
def local_evaluator(path: str = "") -> LocalEvaluator:
    """Read fitted weights: the shipped ones, or a file that the training script wrote.

    Raises InputError where the file is missing or fits other features than ours.
    """
    file = Path(path) if path else files("errata.tools").joinpath("evaluator.json")
    model = from_json(Weights, json_row(read_text(file), f"{path!r}"))
    if set(model.weights) != set(relevance(Question("x", {}), "", "x")):
        raise InputError(f"{path!r} was fitted on other features; train it again")
    return LocalEvaluator(model)
