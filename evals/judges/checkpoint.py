"""An entailment checkpoint as a judge: a classifier whose labels name the three relations."""

from asyncio import to_thread
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib.util import find_spec
from typing import Any

from errata.core.errors import AccessError, SettingError
from errata.core.records import Document
from errata.evals.judges.judge import Relation, Relations

PACKAGES = ("transformers", "torch")
MAX_TOKENS = 512
OVERLAP = 64
"""How many tokens neighbouring windows of a long text share."""
BATCH = 16
_MARKS: Mapping[str, Relation] = {
    "entail": "supported",
    "contradict": "refuted",
    "neutral": "not_mentioned",
}


@dataclass(frozen=True)
class CheckpointJudge:
    """Judges by a sequence classifier of text pairs, read when it is first needed.

    A text longer than the model takes is read in windows: one that entails a statement supports
    it; else one that contradicts it refutes it.
    """

    source: str
    """A folder, or an id on the Hugging Face hub."""

    @property
    def name(self) -> str:
        """`entailment:` and the source."""
        return f"entailment:{self.source}"

    async def judge(
        self,
        question: str,  # noqa: ARG002  a premise and a hypothesis stand alone
        statements: Sequence[str],
        documents: Sequence[Document],
    ) -> Relations:
        """The likeliest relation of each statement.

        Raises SettingError if a package is missing or the model's labels are no entailment labels,
        AccessError if no model can be read.
        """
        return await to_thread(self._judge, statements, [page.text for page in documents])

    def _judge(self, statements: Sequence[str], texts: Sequence[str]) -> Relations:
        seen: list[set[Relation]] = [set() for _ in statements]
        for text in texts:
            for place, relation in self._read(text, statements):
                seen[place].add(relation)
        return tuple(_strongest(relations) for relations in seen)

    def _read(self, text: str, statements: Sequence[str]) -> list[tuple[int, Relation]]:
        """The relation of each window of a text to each statement, by the statement's place."""
        tokenizer, model, labels = self._model
        import torch

        tokens = tokenizer(
            [text] * len(statements),
            list(statements),
            truncation="only_first",
            max_length=MAX_TOKENS,
            stride=OVERLAP,
            return_overflowing_tokens=True,
            padding=True,
            return_tensors="pt",
        )
        places = tokens.pop("overflow_to_sample_mapping").tolist()
        chosen = list[int]()
        for first in range(0, len(places), BATCH):
            batch = {name: rows[first : first + BATCH] for name, rows in tokens.items()}
            with torch.inference_mode():
                chosen += model(**batch).logits.argmax(-1).tolist()
        return [(place, labels[best]) for place, best in zip(places, chosen, strict=True)]

    @cached_property
    def _model(self) -> tuple[Any, Any, Mapping[int, Relation]]:
        if missing := [name for name in PACKAGES if find_spec(name) is None]:
            raise SettingError(
                f"{self.name!r} needs {', '.join(missing)}: pip install 'errata[huggingface]'"
            )
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        try:
            model = AutoModelForSequenceClassification.from_pretrained(self.source)
            tokenizer = AutoTokenizer.from_pretrained(self.source)
        except (OSError, ValueError) as error:
            fault = f"no entailment model can be read from {self.source!r}: {error}"
            raise AccessError(fault) from error
        return tokenizer, model.eval(), read_labels(self.source, model.config.id2label)


def read_labels(source: str, names: Mapping[int, str]) -> Mapping[int, Relation]:
    """The relation that each of a model's labels names; "not" before "entail" is neutral.

    Raises SettingError unless one label is entailment and each is one of the three.

    >>> read_labels("m", {0: "ENTAILMENT", 1: "not_entailment"})
    {0: 'supported', 1: 'not_mentioned'}
    """
    found = {number: _relation(name.lower()) for number, name in names.items()}
    known = {number: relation for number, relation in found.items() if relation}
    if len(known) < len(found) or "supported" not in known.values():
        raise SettingError(
            f"the labels of {source!r} are {list(names.values())}; an entailment model calls them "
            "entailment, neutral and contradiction"
        )
    return known


def _relation(label: str) -> Relation | None:
    if label.startswith(("not", "non")):
        return "not_mentioned"
    return next((relation for mark, relation in _MARKS.items() if mark in label), None)


def _strongest(relations: set[Relation]) -> Relation | None:
    order: tuple[Relation, ...] = ("supported", "refuted", "not_mentioned")
    return next((relation for relation in order if relation in relations), None)
