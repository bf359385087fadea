"""How relevant a text is to a question: the local evaluator, a published checkpoint, or a T5."""

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Protocol, runtime_checkable

from langchain_core.language_models import BaseChatModel

from errata.core.errors import SettingError
from errata.core.limits import check_time
from errata.tools.judges.cross_encoder import MODEL, load_cross_encoder
from errata.tools.judges.entailment import NOTHING, read_relevance
from errata.tools.judges.hub_verifier import CheckpointVerifier, Form, form_of
from errata.tools.judges.logistic import Features, Weights, read_weights
from errata.tools.judges.subjects import (
    OPENING,
    UNSURE,
    asked_stems,
    find_asked_subject,
)
from errata.tools.text.entities import find_entities
from errata.tools.text.sentences import STRIP_WORDS, first_strips, split_sentences
from errata.tools.text.words import PREFIX, split_stems, split_words, stem_prefixes

Text = tuple[str, str]
"""A title, possibly empty, and a text."""
FEATURES = ("read", "words", "introduced")
"""The log odds that the cross-encoder reads, the share of the question's words that a text has, or
words with the same beginning, and whether its opening says what the things are that the question
names."""
READ = 40
"""Of more texts those with most of a question's words are read by the cross-encoder."""
_DEFINITION = re.compile(r"\b(?:is|was|are|were) (?:an?|the|one)\b")
QUESTION_AND_TEXT = Form(premise="{claim}", hypothesis="{document}")
"""What rerankers read."""
T5 = Form(head="value", premise="{claim} [SEP] {document}", hypothesis="")
"""What the paper's T5 reads (CRAG, appendix B.3)."""


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
class LocalEvaluator(Weights):
    """A logistic regression over FEATURES; `errata.training.evaluator` fits it."""

    upper: float
    lower: float
    floor: float

    def score(self, question: str, texts: Sequence[Text]) -> list[float]:
        """A score in [-1, 1] for each titled text; -1 for an empty one."""
        filled = list(dict.fromkeys(text for text in texts if text[1].strip()))
        subject, scores = find_asked_subject(question), dict[Text, float]()
        for text, features in zip(filled, relevance_features(question, filled), strict=True):
            # A strip without a title may speak of its subject by a pronoun.
            is_named = text[0] or len(split_words(text[1])) > STRIP_WORDS
            relation = subject.relation(*text) if subject and is_named else None
            shift = subject.shift(relation) if subject and relation else 0.0
            # The probability of relevance, rescaled: tanh(x / 2) is 2 * sigmoid(x) - 1.
            score = round(math.tanh((self.logit(features) + shift) / 2), 4)
            scores[text] = min(score, self.upper) if relation in UNSURE else score
        return [scores.get(text, -1.0) for text in texts]


def relevance_features(question: str, texts: Sequence[Text]) -> list[Features]:
    """The FEATURES of a question beside each titled text."""
    asked = asked_stems(question)
    entities = (e.text for e in find_entities(question) if e.kind == "name")
    names = frozenset(split_stems(" ".join(entities))).intersection(asked)
    rows = [_compare_words(asked, names, text) for _, text in texts]
    best = sorted(range(len(rows)), key=lambda n: -rows[n]["words"])[:READ]
    read = read_relevance(question, [texts[n] for n in best], load_cross_encoder(MODEL))
    found = dict(zip(best, read, strict=True))
    return [{"read": found.get(n, NOTHING), **row} for n, row in enumerate(rows)]


def _compare_words(asked: Sequence[str], names: frozenset[str], text: str) -> Features:
    """The features of a question's stems, and those of its names, beside a text."""
    check_time()
    sentences = first_strips(split_sentences(text))
    bag = frozenset(split_stems(text[: sentences[-1][1]] if sentences else text))
    opening = text[:OPENING]
    introduces = names and names <= {*split_stems(opening)} and _DEFINITION.search(opening)
    beginnings = stem_prefixes(bag)
    share = sum(s in bag or s[:PREFIX] in beginnings for s in asked) / (len(asked) or 1)
    return {"words": share, "introduced": float(bool(introduces))}


@cache
def load_local_evaluator(path: str = "") -> LocalEvaluator:
    """The local evaluator with the shipped weights, or those of a file from training.

    Raises InputError if the file cannot be read or was fitted on other features.
    """
    return read_weights(LocalEvaluator, "evaluator", path, FEATURES)


@dataclass(frozen=True)
class HubEvaluator:
    """An evaluator that asks a published checkpoint: a reranker, or any that verifies claims.

    Raises AccessError from `score` if the checkpoint cannot be read.
    """

    source: str
    """A folder, an ONNX file, a YAML file, or an id on the Hugging Face hub."""
    upper: float = 0.5
    lower: float = -0.5
    floor: float = -0.5
    form: Form = QUESTION_AND_TEXT

    def score(self, question: str, texts: Sequence[Text]) -> list[float]:
        """A score in [-1, 1] for each titled text: its probability of being relevant, rescaled."""
        pairs = [(" ".join(text).strip(), question) for text in texts]
        reader = CheckpointVerifier(form_of(self.source, self.form))
        return [2 * support.supported - 1 for support in reader.read(pairs)]


@dataclass(frozen=True)
class T5Evaluator(HubEvaluator):
    """Scores by a T5 with a regression head, in the paper's input form (CRAG appendix B.3)."""

    upper: float = 0.59
    lower: float = -0.99
    form: Form = T5


_KINDS: dict[str, Callable[[str], Evaluator]] = {
    "local": load_local_evaluator,
    "t5": T5Evaluator,
    "hub": HubEvaluator,
}
"""What opens each kind of evaluator."""


def is_evaluator(spec: object) -> bool:
    """Whether a spec is an evaluator or names one; a chat model is none."""
    if isinstance(spec, str):
        return spec.partition(":")[0] in _KINDS
    return isinstance(spec, Evaluator) and not isinstance(spec, BaseChatModel)


def evaluator_for(spec: object) -> Evaluator:
    """The evaluator that a spec such as `t5:FOLDER` names; an object is returned as it is.

    Raises SettingError if no model is named.
    """
    if not isinstance(spec, str):
        return spec  # type: ignore[return-value]
    kind, _, source = spec.partition(":")
    if kind != "local" and not source:
        raise SettingError(f"{spec!r} names no model; say {kind}:FOLDER_OR_ID")
    return _KINDS[kind](source)
