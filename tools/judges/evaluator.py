"""How relevant a text is to a question: the evaluator protocol and the local evaluator."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Protocol, runtime_checkable

from errata.bounds import check_time
from errata.tools.judges.cross_encoder import load_cross_encoder
from errata.tools.judges.entailment import ANSWER_FEATURES, read_answers
from errata.tools.judges.logistic import Features, Weights, check_features, read_weights
from errata.tools.judges.relevance import Question, relevance_features
from errata.tools.judges.subjects import UNSURE, Subject, find_subject
from errata.tools.text.strips import MAX_WORDS

Text = tuple[str, str]
"""A title, possibly empty, and a text."""


@runtime_checkable
class Evaluator(Protocol):
    """Scores how relevant texts are to a question, not whether they are true (CRAG section 4.2)."""

    @property
    def upper(self) -> float:
        """The threshold above which one document makes the retrieval correct."""

    @property
    def lower(self) -> float:
        """The threshold below which all documents together make the retrieval incorrect."""

    @property
    def floor(self) -> float:
        """The lowest score of a strip that is kept."""

    def score(self, question: str, texts: Sequence[Text]) -> list[float]:
        """A score in [-1, 1] for each titled text."""


@dataclass(frozen=True, kw_only=True)
class EvaluatorWeights(Weights):
    """The fitted evaluator, as `errata.training.evaluator` writes it."""

    CROSS_ENCODER_FEATURES: ClassVar[tuple[str, ...]] = ANSWER_FEATURES

    strips: Features
    """The weights for texts as short as a strip, and a `bias`; the others are for passages."""
    idf: dict[str, float]
    """Inverse document frequencies of the commonest stems."""
    upper: float
    lower: float
    floor: float

    def strip_logit(self, features: Features) -> float:
        """The log odds for a strip."""
        weighted = (features[name] * self.strips[name] for name in self.weights)
        return self.strips["bias"] + sum(weighted)


@dataclass(frozen=True)
class LocalEvaluator:
    """Scores by logistic regression over features of question and text."""

    weights: EvaluatorWeights

    @property
    def upper(self) -> float:
        """The threshold of the correct action, chosen on the questions it was fitted on."""
        return self.weights.upper

    @property
    def lower(self) -> float:
        """The threshold of the incorrect action, chosen on the questions it was fitted on."""
        return self.weights.lower

    @property
    def floor(self) -> float:
        """The lowest score of a strip that is kept, as set in training."""
        return self.weights.floor

    def score(self, question: str, texts: Sequence[Text]) -> list[float]:
        """A score in [-1, 1] for each titled text; -1 for an empty one."""
        filled = [text for text in texts if text[1].strip()]
        features = self.features(question, filled)
        subject = find_subject(question)
        scores = {
            text: self._score(row, subject, text)
            for text, row in zip(filled, features, strict=True)
        }
        return [scores.get(text, -1.0) for text in texts]

    def features(self, question: str, texts: Sequence[Text]) -> list[Features]:
        """The features of each titled text, by name."""
        parsed = Question(question, self.weights.idf)
        lexical = [_relevance(parsed, title, text) for title, text in texts]
        if not self.weights.neural:
            return lexical
        encoder = load_cross_encoder("")  # the same one as the verifier's
        neural = read_answers(question, texts, encoder)
        return [ours | theirs for ours, theirs in zip(lexical, neural, strict=True)]

    def _score(self, features: Features, subject: Subject | None, text: Text) -> float:
        """The probability of relevance, rescaled: tanh(x / 2) is 2 * sigmoid(x) - 1."""
        is_strip = features["length"] <= math.log1p(MAX_WORDS)
        logit = self.weights.strip_logit if is_strip else self.weights.logit
        # A strip without a title may speak of its subject by a pronoun.
        relation = subject.relation(*text) if subject and (text[0] or not is_strip) else None
        shift = subject.shift(relation) if subject and relation else 0.0
        score = round(math.tanh((logit(features) + shift) / 2), 4)
        return min(score, self.upper) if relation in UNSURE else score


def _relevance(question: Question, title: str, text: str) -> Features:
    check_time()
    return relevance_features(question, title, text)


@cache
def load_local_evaluator(path: str = "") -> LocalEvaluator:
    """The local evaluator with the shipped weights, `lexical`, or a file from training.

    Raises InputError if the file cannot be read or was fitted on other features.
    """
    lexical = relevance_features(Question("x", {}), "", "x")
    weights = read_weights(EvaluatorWeights, "evaluator", path, lexical)
    check_features(path, weights.strips, ["bias", *weights.weights])
    return LocalEvaluator(weights)
