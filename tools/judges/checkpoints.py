"""Evaluators by name: the local one, a T5 as in the paper, or a cross-encoder."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Any

from langchain_core.language_models import BaseChatModel

from errata.core.errors import AccessError, SettingError
from errata.tools.judges.evaluator import Evaluator, Text, load_local_evaluator

BATCH = 16
MAX_TOKENS = 512


@dataclass(frozen=True)
class Checkpoint(ABC):
    """An evaluator whose model is loaded when it is first needed.

    Raises AccessError from `score` if neither a folder nor the hub has the model.
    """

    source: str
    """A folder, or an id on the Hugging Face hub."""
    upper: float = 0.5
    lower: float = -0.5
    floor: float = -0.5

    def score(self, question: str, texts: Sequence[Text]) -> list[float]:
        """A score in [-1, 1] for each titled text."""
        joined = [" ".join(text).strip() for text in texts]
        return self._score(question, joined) if joined else []

    @cached_property
    def _model(self) -> Any:
        try:
            return self._load()
        except (OSError, ValueError) as error:
            raise AccessError(f"no evaluator can be read from {self.source!r}: {error}") from error

    @abstractmethod
    def _load(self) -> Any:
        """The model, with whatever else scoring needs."""

    @abstractmethod
    def _score(self, question: str, texts: Sequence[str]) -> list[float]:
        """A score in [-1, 1] for each of at least one text."""


def t5_input(question: str, text: str) -> str:
    """What a T5 evaluator reads of a question and a text under its title."""
    return f"{question} [SEP] {text}"


@dataclass(frozen=True)
class T5Evaluator(Checkpoint):
    """Scores by a T5 with a regression head, in the paper's input form (CRAG appendix B.3)."""

    upper: float = 0.59
    lower: float = -0.99

    def _load(self) -> tuple[Any, Any]:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        model = AutoModelForSequenceClassification.from_pretrained(self.source)
        return AutoTokenizer.from_pretrained(self.source), model.eval()

    def _score(self, question: str, texts: Sequence[str]) -> list[float]:
        import torch

        tokenizer, model = self._model
        rows = [t5_input(question, text) for text in texts]
        scores: list[float] = []
        for batch in (rows[i : i + BATCH] for i in range(0, len(rows), BATCH)):
            tokens = tokenizer(
                batch, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt"
            )
            with torch.inference_mode():
                scores += model(**tokens).logits[:, 0].clamp(-1, 1).tolist()
        return scores


@dataclass(frozen=True)
class CrossEncoderEvaluator(Checkpoint):
    """Scores by a sentence-transformers cross-encoder; its probability is rescaled to [-1, 1]."""

    def _load(self) -> Any:
        from sentence_transformers import CrossEncoder

        return CrossEncoder(self.source, max_length=MAX_TOKENS)

    def _score(self, question: str, texts: Sequence[str]) -> list[float]:
        import torch

        pairs = [(question, text) for text in texts]
        values = self._model.predict(pairs, activation_fn=torch.nn.Sigmoid(), batch_size=BATCH)
        return [2 * float(value) - 1 for value in values]


_KINDS: dict[str, tuple[Callable[[str], Evaluator], tuple[str, ...]]] = {
    "local": (load_local_evaluator, ()),
    "t5": (T5Evaluator, ("transformers", "torch")),
    "cross-encoder": (CrossEncoderEvaluator, ("sentence_transformers", "torch")),
}
"""What opens each kind of evaluator, and the packages that it needs."""


def is_evaluator(spec: object) -> bool:
    """Whether a spec is an evaluator or names one; a chat model is none."""
    if isinstance(spec, str):
        return spec.partition(":")[0] in _KINDS
    return isinstance(spec, Evaluator) and not isinstance(spec, BaseChatModel)


def evaluator_for(spec: object) -> Evaluator:
    """The evaluator that a spec such as `t5:FOLDER` names; an object is returned as it is.

    Raises SettingError if a package is missing or no model is named.
    """
    return _open(spec) if isinstance(spec, str) else spec  # type: ignore[return-value]


@cache
def _open(spec: str) -> Evaluator:
    kind, _, source = spec.partition(":")
    open_evaluator, packages = _KINDS[kind]
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise SettingError(
            f"{spec!r} needs {', '.join(missing)}: pip install 'errata[huggingface]'"
        )
    if packages and not source:
        raise SettingError(f"{spec!r} names no model; say {kind}:FOLDER_OR_ID")
    return open_evaluator(source)
