"""How relevant a text is to a question: the local evaluator, a published checkpoint, or a T5."""

import math
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from typing import Protocol, runtime_checkable

from langchain_core.language_models import BaseChatModel

from errata.core.errors import SettingError
from errata.core.limits import check_time
from errata.tools.judges.cross_encoder import MODEL, load_cross_encoder
from errata.tools.judges.entailment import ANSWER_FEATURES, NOTHING, read_relevance
from errata.tools.judges.hub_verifier import CheckpointVerifier, Form, form_of
from errata.tools.judges.logistic import Features, Weights, check_features, read_weights
from errata.tools.judges.subjects import (
    OPENING,
    UNSURE,
    asked_stems,
    bare_title,
    find_asked_subject,
)
from errata.tools.text.entities import find_entities
from errata.tools.text.sentences import STRIP_WORDS, first_strips, split_sentences
from errata.tools.text.words import PREFIX, split_stems, split_words

Text = tuple[str, str]
"""A title, possibly empty, and a text."""
READ = 40
"""Of more texts those that match a question best by the other features are read."""
UNREAD = dict.fromkeys(ANSWER_FEATURES, NOTHING)
MAX_IDF = 7.0
"""The inverse document frequency of a stem that is not in the table."""
_ANSWER_KINDS = (
    (re.compile(r"\bhow (?:many|much|long|old|far|tall|big|large)\b", re.IGNORECASE), ("number",)),
    (re.compile(r"\bwhen\b|\b(?:what|which) (?:year|date|day)\b", re.IGNORECASE), ("year", "date")),
    (re.compile(r"\b(?:who|whom|whose|where)\b", re.IGNORECASE), ("name",)),
)
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


@dataclass(frozen=True)
class Question:
    """A question with its stems, its names and the kinds of entity that can answer it."""

    text: str
    idf_table: Mapping[str, float]

    @cached_property
    def idf(self) -> dict[str, float]:
        """The inverse document frequencies of its distinct content stems, in order."""
        return {stem: self.idf_table.get(stem, MAX_IDF) for stem in asked_stems(self.text)}

    @cached_property
    def name_stems(self) -> frozenset[str]:
        """The content stems that are part of a name."""
        names = (entity for entity in find_entities(self.text) if entity.kind == "name")
        return frozenset(self.idf).intersection(split_stems(" ".join(n.text for n in names)))

    @cached_property
    def answer_kinds(self) -> tuple[str, ...]:
        """The kinds of entity that can answer it; empty where any text can."""
        return next((kinds for pattern, kinds in _ANSWER_KINDS if pattern.search(self.text)), ())

    def coverage(self, stems: Collection[str], bag: frozenset[str], of_none: float = 0.0) -> float:
        """The share of the idf of some of its stems that a bag covers; `of_none` without stems."""
        if not stems:
            return of_none
        covered = sum(self.idf[stem] for stem in stems if stem in bag)
        return covered / (sum(self.idf[stem] for stem in stems) or 1)


def relevance_features(question: Question, title: str, text: str) -> Features:
    """The features of a question and a titled text, by name."""
    check_time()
    sentences = first_strips(split_sentences(text))
    text = text[: sentences[-1][1]] if sentences else text
    body, opening = split_stems(text), text[:OPENING]
    bag, head = frozenset(body), [w.stem for w in split_words(title) if w.is_content]
    bags = [frozenset(split_stems(text[a:b])) for a, b in sentences] or [frozenset[str]()]
    neighbours = [a | b for a, b in pairwise(bags)] or bags
    rest = [stem for stem in question.idf if stem not in question.name_stems]
    prefixes = {stem[:PREFIX] for stem in bag}
    pairs = set(pairwise(body))
    missing = [idf for stem, idf in question.idf.items() if stem not in bag]
    # What is asked of a thing mostly stands where it is introduced, often in other words.
    named = " ".join(split_stems(bare_title(title)))
    is_asked = named and f" {named} " in f" {' '.join(split_stems(question.text))} "
    introduces = is_asked and question.name_stems and _DEFINITION.search(opening)
    entities = find_entities(text) if question.answer_kinds else ()
    found = (e.text for e in entities if e.kind in question.answer_kinds)
    answers = any(not set(question.idf).intersection(split_stems(words)) for words in found)
    return {
        "cover": question.coverage(question.idf, bag | frozenset(head)),
        "cover_body": question.coverage(question.idf, bag),
        "cover_sentence": max(question.coverage(question.idf, b) for b in bags),
        "cover_pair": max(question.coverage(question.idf, b) for b in neighbours),
        "names": question.coverage(question.name_stems, bag, 0.5),
        "names_title": question.coverage(question.name_stems, frozenset(head), 0.5),
        "named": float(bool(question.name_stems)),
        "names_first": question.coverage(question.name_stems, bags[0], 0.5),
        "rest": question.coverage(rest, bag, 1.0),
        "rest_sentence": max(question.coverage(rest, b, 1.0) for b in bags),
        "rest_opening": _share([s[:PREFIX] in prefixes for s in rest]),
        "introduces": float(bool(introduces) and question.name_stems <= set(split_stems(opening))),
        "title_asked": _share([stem in question.idf for stem in head]),
        "pairs": _share([pair in pairs for pair in pairwise(question.idf)]),
        "answer": float(answers) if question.answer_kinds else 0.5,
        "missing": max(missing, default=0.0) / MAX_IDF,
        "length": math.log1p(len(body)),
        "asked": math.log1p(len(question.idf)),
    }


def _share(values: Sequence[bool]) -> float:
    """The share of true values; 0 of none."""
    return sum(values) / len(values) if values else 0.0


@dataclass(frozen=True, kw_only=True)
class LocalEvaluator(Weights):
    """A logistic regression over features of question and text; `errata.training` fits it."""

    strips: Features
    """The weights for texts as short as a strip, and a `bias`; the others are for passages."""
    idf: dict[str, float]
    """Inverse document frequencies of the commonest stems."""
    upper: float
    lower: float
    floor: float

    def score(self, question: str, texts: Sequence[Text]) -> list[float]:
        """A score in [-1, 1] for each titled text; -1 for an empty one."""
        filled = list(dict.fromkeys(text for text in texts if text[1].strip()))
        subject, scores = find_asked_subject(question), dict[Text, float]()
        for text, features in zip(filled, self.features(question, filled), strict=True):
            # A strip without a title may speak of its subject by a pronoun.
            is_named = text[0] or not _is_strip(features)
            relation = subject.relation(*text) if subject and is_named else None
            shift = subject.shift(relation) if subject and relation else 0.0
            # The probability of relevance, rescaled: tanh(x / 2) is 2 * sigmoid(x) - 1.
            score = round(math.tanh((self.logit(features) + shift) / 2), 4)
            scores[text] = min(score, self.upper) if relation in UNSURE else score
        return [scores.get(text, -1.0) for text in texts]

    def logit(self, features: Features) -> float:
        """The log odds, by the weights for texts of its length."""
        if not _is_strip(features):
            return super().logit(features)
        return self.strips["bias"] + sum(features[n] * self.strips[n] for n in self.weights)

    def features(self, question: str, texts: Sequence[Text]) -> list[Features]:
        """The features of each titled text, by name."""
        parsed = Question(question, self.idf)
        rows = [relevance_features(parsed, title, text) for title, text in texts]
        best = sorted(range(len(rows)), key=lambda i: -self.logit(rows[i] | UNREAD))[:READ]
        read = read_relevance(question, [texts[i] for i in best], load_cross_encoder(MODEL))
        found = dict(zip(best, read, strict=True))
        return [row | found.get(i, UNREAD) for i, row in enumerate(rows)]


def _is_strip(features: Features) -> bool:
    return features["length"] <= math.log1p(STRIP_WORDS)


@cache
def load_local_evaluator(path: str = "") -> LocalEvaluator:
    """The local evaluator with the shipped weights, or those of a file from training.

    Raises InputError if the file cannot be read or was fitted on other features.
    """
    names = {*relevance_features(Question("x", {}), "", "x"), *ANSWER_FEATURES}
    evaluator = read_weights(LocalEvaluator, "evaluator", path, names)
    check_features(path, evaluator.strips, ["bias", *evaluator.weights])
    return evaluator


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
