"""Evaluators by name: the local one, a published checkpoint, or a T5 as in the paper."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from langchain_core.language_models import BaseChatModel

from errata.core.errors import SettingError
from errata.tools.judges.evaluator import Evaluator, Text, load_local_evaluator
from errata.tools.judges.hub_verifier import HubVerifier
from errata.tools.judges.published import Form, form_of

QUESTION_AND_TEXT = Form(premise="{claim}", hypothesis="{document}")
"""What rerankers read."""
T5 = Form(head="value", premise="{claim} [SEP] {document}", hypothesis="")
"""What the paper's T5 reads (CRAG, appendix B.3)."""


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
        return [2 * support.supported - 1 for support in self._reader.read(pairs)]

    @cached_property
    def _reader(self) -> HubVerifier:
        return HubVerifier(form_of(self.source, self.form))


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
    return _open(spec) if isinstance(spec, str) else spec  # type: ignore[return-value]


@cache
def _open(spec: str) -> Evaluator:
    kind, _, source = spec.partition(":")
    if kind != "local" and not source:
        raise SettingError(f"{spec!r} names no model; say {kind}:FOLDER_OR_ID")
    return _KINDS[kind](source)
