"""Evaluators by name: local code, a T5 as in the paper, a cross-encoder, or an object."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.util import find_spec
from typing import Any, TypeVar

from langchain_core.language_models import BaseChatModel

from errata.errors import AccessError, SettingError
from errata.tools.judges.evaluator import Evaluator, Text, local_evaluator

BATCH = 16
MAX_TOKENS = 512
Read = TypeVar("Read")


@dataclass(frozen=True)
class T5Evaluator:
    """Score by a T5 with a regression head, in the paper's input form (appendix B.3)."""

    source: str
    """A folder, or an id on the Hugging Face hub."""
    upper: float = 0.59
    lower: float = -0.99
    floor: float = -0.5

    @cached_property
    def _parts(self) -> tuple[Any, Any]:
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        def read() -> tuple[Any, Any]:
            model = AutoModelForSequenceClassification.from_pretrained(self.source)
            return AutoTokenizer.from_pretrained(self.source), model.eval()

        return _read(self.source, read)

    def score(self, question: str, texts: Sequence[Text]) -> list[float]:
        """Give a score in [-1, 1] for each titled text."""
        import torch

        tokenizer, model = self._parts
        rows = [f"{question} [SEP] {' '.join(text).strip()}" for text in texts]
        scores: list[float] = []
        for batch in (rows[i : i + BATCH] for i in range(0, len(rows), BATCH)):
            given = tokenizer(
                batch, padding=True, truncation=True, max_length=MAX_TOKENS, return_tensors="pt"
            )
            with torch.inference_mode():
                scores += model(**given).logits[:, 0].clamp(-1, 1).tolist()
        return scores


@dataclass(frozen=True)
class CrossEncoderEvaluator:
    """Score by a sentence-transformers cross-encoder, its probability spread over [-1, 1]."""

    source: str
    """A folder, or an id on the Hugging Face hub."""
    upper: float = 0.5
    lower: float = -0.5
    floor: float = -0.5

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import CrossEncoder

        return _read(self.source, lambda: CrossEncoder(self.source, max_length=MAX_TOKENS))

    def score(self, question: str, texts: Sequence[Text]) -> list[float]:
        """Give a score in [-1, 1] for each titled text."""
        import torch

        pairs = [(question, " ".join(text).strip()) for text in texts]
        if not pairs:
            return []
        found = self._model.predict(pairs, activation_fn=torch.nn.Sigmoid(), batch_size=BATCH)
        return [2 * float(value) - 1 for value in found]


_MADE: dict[str, tuple[Callable[[str], Evaluator], tuple[str, ...]]] = {
    "local": (local_evaluator, ()),
    "t5": (T5Evaluator, ("transformers", "torch")),
    "cross-encoder": (CrossEncoderEvaluator, ("sentence_transformers", "torch")),
}


def is_evaluator(spec: object) -> bool:
    """Tell whether a spec names an evaluator or is one; a chat model is none."""
    if isinstance(spec, str):
        return spec.partition(":")[0] in _MADE
    return isinstance(spec, Evaluator) and not isinstance(spec, BaseChatModel)


def evaluator_for(spec: object) -> Evaluator:
    """Give the evaluator that a spec names, or the object itself.

    Raises SettingError where a package is missing or no model is named.
    """
    return _named(spec) if isinstance(spec, str) else spec  # type: ignore[return-value]


@cache
def _named(spec: str) -> Evaluator:
    kind, _, rest = spec.partition(":")
    make, packages = _MADE[kind]
    missing = [name for name in packages if find_spec(name) is None]
    if missing:
        raise SettingError(
            f"{spec!r} needs {', '.join(missing)}: pip install 'errata[huggingface]'"
        )
    if packages and not rest:
        raise SettingError(f"{spec!r} names no model; say {kind}:FOLDER_OR_ID")
    return make(rest)


def _read(source: str, read: Callable[[], Read]) -> Read:
    """Read weights; say so where neither a folder nor the hub has them."""
    try:
        return read()
    except (OSError, ValueError) as error:
        raise AccessError(f"no evaluator can be read from {source!r}: {error}") from error
