"""Verify claims by a published checkpoint, named `hub:ID_OR_FOLDER` or `hub:FILE.yaml`.

How published verifiers are asked, and what their answers mean, are facts of their model cards.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any, Literal, get_args

import yaml
from pydantic import ConfigDict, ValidationError
from pydantic.dataclasses import dataclass as validated

from errata.core.errors import ErrataError, SettingError
from errata.core.jsonable import describe_faults
from errata.core.limits import check_time
from errata.core.records import Claim, Document, Verdict
from errata.tools.judges.hub import (
    Checkpoint,
    Heads,
    Logits,
    cached_folders,
    open_checkpoint,
    read_classes,
)
from errata.tools.text.sentences import split_strips
from errata.tools.text.words import split_words

Meaning = Literal["supported", "refuted", "not_mentioned"]
MARKS: Mapping[str, Meaning] = {
    "entail": "supported",
    "contradict": "refuted",
    "neutral": "not_mentioned",
    "unsupported": "not_mentioned",
    "supported": "supported",
    "hallucinat": "not_mentioned",
    "consistent": "supported",
    "relevant": "supported",
}
"""What a label means that has such a word in its name; the first that fits counts."""
BINARY = ("not_mentioned", "supported")
BATCH = 16
BY_PAIR = 2
"""How many dimensions the logits have where each pair has its own."""


@validated(frozen=True, kw_only=True, config=ConfigDict(extra="forbid", coerce_numbers_to_str=True))
class Form:
    """How a verifier is asked.

    `premise` and `hypothesis` are what it reads, with `{document}` and `{claim}` (and `{eos}`, the
    mark that ends a text); without a hypothesis both stand in the premise.
    """

    model: str = ""
    """A folder, an ONNX file, or an id on a hub."""
    head: Heads = "classes"
    premise: str = "{document}"
    hypothesis: str = "{claim}"
    labels: tuple[str, ...] = ()
    """What the classes mean, in order; for `words` the words for false and for true; empty: by the
    names in the checkpoint's config."""
    chunk: int = 400
    """The most tokens of a document that are read at once."""
    threshold: float = 0.5
    """The probability from which on a label is given."""


PAIR = Form()
"""A document beside a claim, as entailment models read them."""
_HHEM = Form(
    premise=(
        "<pad> Determine if the hypothesis is true given the premise?\n\nPremise: {document}\n\n"
        "Hypothesis: {claim}"
    ),
    hypothesis="",
    labels=BINARY,
    chunk=2000,
)
_FACTCG = (
    '{document}\n\nChoose your answer: based on the paragraph above can we conclude that "{claim}"?'
    "\n\nOPTIONS:\n- Yes\n- No\nI think the answer is "
)
_LETTUCE = "Summarize the following text:\n{document}\noutput:"
PUBLISHED: Mapping[str, Form] = {
    "minicheck-flan-t5": Form(
        head="words",
        premise="predict: {document}{eos}{claim}",
        hypothesis="",
        labels=("0", "1"),
        chunk=500,
    ),
    "minicheck": Form(premise="{document}{eos}{claim}", hypothesis="", labels=BINARY),
    "hallucination_evaluation_model": _HHEM,
    "hhem": _HHEM,
    "factcg": Form(premise=_FACTCG, hypothesis="", labels=BINARY, chunk=550),
    "lettuce": Form(head="tokens", premise=_LETTUCE, labels=("supported", "not_mentioned")),
}
"""The forms of published verifiers by a part of their names; others are pairs of texts."""


def form_of(source: str, usual: Form = PAIR) -> Form:
    """How a checkpoint is asked: by its YAML file, by its name, or as is usual.

    Raises SettingError if the file cannot be read.
    """
    if not source.endswith((".yaml", ".yml")):
        known = (form for part, form in PUBLISHED.items() if part in source.lower())
        return replace(next(known, usual), model=source)
    try:
        form = replace(usual, **yaml.safe_load(Path(source).read_text(encoding="utf-8")))
    except ValidationError as error:
        raise SettingError(f"{source!r}: {describe_faults(error)}") from error
    except (OSError, TypeError, yaml.YAMLError) as error:
        raise SettingError(f"no verifier can be read from {source!r}: {error}") from error
    if not form.model:
        raise SettingError(f"{source!r} must name a `model`")
    return form


def meanings(source: str, names: Mapping[int, str], form: Form) -> list[Meaning | None]:
    """What each of a checkpoint's classes means.

    A single one is how well the document supports the claim. Raises SettingError unless one of
    them means that it does.

    >>> meanings("m", {0: "ENTAILMENT", 1: "not_entailment"}, Form())
    ['supported', 'not_mentioned']
    """
    named = list[Meaning | None]()
    for _, name in sorted(names.items()):
        found = (meaning for mark, meaning in MARKS.items() if mark in name.lower())
        denies = name.lower().startswith(("not", "non", "in", "ir"))
        named.append("not_mentioned" if denies else next(found, None))
    labels = form.labels or (["supported"] if len(names) == 1 else named)
    if len(labels) != len(names) or "supported" not in labels:
        raise SettingError(
            f"the labels of {source!r} are {list(names.values())}; say what they mean in a YAML "
            "file (labels: [refuted, not_mentioned, supported]) and name that: hub:FILE.yaml"
        )
    return [label if label in get_args(Meaning) else None for label in labels]  # type: ignore[misc]


def find_cached() -> list[tuple[str, str]]:
    """The verifiers that the hub's cache has exported: each one's ID@REVISION and its folder."""
    found = []
    for folder in cached_folders():
        name = "/".join(folder.parts[-3].split("--")[1:])
        with suppress(ErrataError):
            classes = read_classes(folder / "config.json")
            # A single class without a form of its own may be any score, such as a reranker's.
            if len(classes) > 1 and "supported" in meanings(name, classes, form_of(name)):
                found.append((f"{name}@{folder.name}", str(folder)))
    return found


@dataclass(frozen=True)
class Support:
    """What a checkpoint makes of a claim beside the documents, each in [0, 1]."""

    supported: float = 0.0
    refuted: float = 0.0
    doubted: tuple[str, ...] = ()
    """The claim's words that the checkpoint finds unsupported, if it marks words."""


def verify_by_hub(
    source: str, claims: Sequence[Claim], documents: Sequence[Document]
) -> list[Verdict]:
    """A verdict on each claim; `score` is the checkpoint's probability that it is supported.

    A claim is supported if a chunk of a document supports it; else refuted, if the checkpoint can
    tell and a chunk does. Raises SettingError if a package is missing or the checkpoint's labels
    are not known, AccessError if it cannot be read.
    """
    verifier = CheckpointVerifier(form_of(source))
    chunks = [chunk for document in documents for chunk in verifier.chunks(document)]
    read = verifier.read([(chunk, claim.text) for claim in claims for chunk in chunks])
    return [verifier.verdict(claim, [*islice(read, len(chunks))]) for claim in claims]


@dataclass(frozen=True)
class CheckpointVerifier:
    """A checkpoint and how it is asked."""

    form: Form

    def verdict(self, claim: Claim, supports: Sequence[Support]) -> Verdict:
        """A claim's verdict by what each chunk makes of it; a label from the threshold on."""
        best = max(supports, key=lambda one: one.supported, default=Support())
        score = round(best.supported, 4)
        verdict = Verdict(claim=claim.id, label="supported", score=score, doubted=best.doubted)
        if score >= self.form.threshold:
            return verdict
        if any(round(one.refuted, 4) >= self.form.threshold for one in supports):
            return replace(verdict, label="refuted")
        return replace(verdict, label="not_mentioned", reason="not_understood")

    def read(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Support]:
        """What the checkpoint makes of each pair of a text and a claim."""
        for start in range(0, len(pairs), BATCH):
            check_time()
            yield from self._read_batch(pairs[start : start + BATCH])

    def chunks(self, document: Document) -> Iterator[str]:
        """A document's sentences, as many together as the checkpoint reads at once."""
        some, size = list[str](), 0
        for strip in split_strips(document):
            length = len(self._checkpoint.ids(strip.text))
            if some and size + length > self.form.chunk:
                yield " ".join(some)
                some, size = [], 0
            some.append(strip.text)
            size += length
        if some:
            yield " ".join(some)

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        return open_checkpoint(self.form.model, self.form.head)

    @cached_property
    def _labels(self) -> list[Meaning | None]:
        return meanings(self.form.model, self._checkpoint.classes, self.form)

    def _read_batch(self, pairs: Sequence[tuple[str, str]]) -> list[Support]:
        eos = self._checkpoint.eos
        first, second = (
            [form.format(document=text, claim=claim, eos=eos) for text, claim in pairs]
            for form in (self.form.premise, self.form.hypothesis)
        )
        tokens, logits = self._checkpoint.read(first, second if self.form.hypothesis else None)
        if self.form.head == "value":
            return [Support((value + 1) / 2) for value in logits[:, 0].clip(-1, 1).tolist()]
        if self.form.head == "words":
            places = [self._checkpoint.ids(word)[0] for word in self.form.labels]
            return [Support(true) for _, true in probabilities(logits[:, places]).tolist()]
        if self.form.head == "tokens":
            return self._by_tokens(pairs, tokens, logits)
        if logits.ndim > BY_PAIR:  # HHEM reads the label off the first token
            logits = logits[:, 0]
        rows = (zip(self._labels, row, strict=True) for row in probabilities(logits).tolist())
        by_label = ({label: value for label, value in row if label} for row in rows)
        return [Support(row["supported"], row.get("refuted", 0.0)) for row in by_label]

    def _by_tokens(
        self, pairs: Sequence[tuple[str, str]], tokens: Sequence[Any], logits: Logits
    ) -> list[Support]:
        """By whether any token of the claim is marked as unsupported."""
        marked = 1 - probabilities(logits)[..., self._labels.index("supported")]
        found = []
        for shares, (_, claim), read in zip(marked.tolist(), pairs, tokens, strict=True):
            own = zip(shares, read.offsets, read.sequence_ids, strict=True)
            of_claim = [(share, span) for share, span, of in own if of == 1]
            spans = [span for share, span in of_claim if share >= self.form.threshold]
            words = tuple(
                word.text
                for word in split_words(claim)
                if any(start < word.end and word.start < end for start, end in spans)
            )
            worst = max((share for share, _ in of_claim), default=1.0)
            found.append(Support(supported=1 - worst, doubted=words))
        return found


def probabilities(logits: Logits) -> Logits:
    """The softmax over the last axis; of a single class the sigmoid."""
    import numpy as np

    if logits.shape[-1] == 1:
        share: Logits = 1 / (1 + np.exp(-logits.clip(-30, 30)))
        return share
    powers: Logits = np.exp(logits - logits.max(-1, keepdims=True))
    shares: Logits = powers / powers.sum(-1, keepdims=True)
    return shares
