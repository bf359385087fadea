"""Verify claims by a published checkpoint, named `hub:ID_OR_FOLDER` or `hub:FILE.yaml`."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from errata.core.limits import check_time
from errata.core.records import Claim, Document, Verdict
from errata.tools.judges.hub import Checkpoint, Logits, open_checkpoint
from errata.tools.judges.published import Form, Meaning, form_of, meanings
from errata.tools.text.strips import split_strips
from errata.tools.text.words import split_words

BATCH = 16
BY_PAIR = 2
"""How many dimensions the logits have where each pair has its own."""


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
    verifier = HubVerifier(form_of(source))
    supports = verifier.judge([claim.text for claim in claims], documents)
    return [
        Verdict(
            claim=claim.id,
            label=(label := verifier.label(support)),
            reason="not_understood" if label == "not_mentioned" else None,
            score=support.supported,
            doubted=support.doubted,
        )
        for claim, support in zip(claims, supports, strict=True)
    ]


@dataclass(frozen=True)
class HubVerifier:
    """A checkpoint and how it is asked."""

    form: Form

    def judge(self, claims: Sequence[str], documents: Sequence[Document]) -> list[Support]:
        """What the checkpoint makes of each claim: its best chunk's word."""
        chunks = [chunk for document in documents for chunk in self._chunks(document)]
        read = iter(self.read([(chunk, claim) for claim in claims for chunk in chunks]))
        return [_best([next(read) for _ in chunks]) for _ in claims]

    def label(self, support: Support) -> Meaning:
        """Supported or refuted from the form's threshold on, else not mentioned."""
        if support.supported >= self.form.threshold:
            return "supported"
        return "refuted" if support.refuted >= self.form.threshold else "not_mentioned"

    def read(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Support]:
        """What the checkpoint makes of each pair of a text and a claim."""
        for start in range(0, len(pairs), BATCH):
            check_time()
            yield from self._read_batch(pairs[start : start + BATCH])

    def _chunks(self, document: Document) -> Iterator[str]:
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

    @property
    def _checkpoint(self) -> Checkpoint:
        return open_checkpoint(self.form.model, self.form.head)

    @cached_property
    def _labels(self) -> list[Meaning | None]:
        return meanings(self.form.model, self._checkpoint.classes, self.form)

    def _read_batch(self, pairs: Sequence[tuple[str, str]]) -> list[Support]:
        first, second = (
            [form.format(document=text, claim=claim, eos=self._checkpoint.eos)
             for text, claim in pairs]
            for form in (self.form.premise, self.form.hypothesis)
        )  # fmt: skip
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
        return [_support(row, self._labels) for row in probabilities(logits).tolist()]

    def _by_tokens(
        self, pairs: Sequence[tuple[str, str]], tokens: Sequence[Any], logits: Logits
    ) -> list[Support]:
        """By whether any token of the claim is marked as unsupported."""
        marked = 1 - probabilities(logits)[..., self._labels.index("supported")]
        found = []
        for row, ((_, claim), own_tokens) in enumerate(zip(pairs, tokens, strict=True)):
            own = [place for place, of in enumerate(own_tokens.sequence_ids) if of == 1]
            worst = max((float(marked[row, place]) for place in own), default=1.0)
            spans = [
                own_tokens.offsets[place]
                for place in own
                if marked[row, place] >= self.form.threshold
            ]
            words = tuple(
                word.text
                for word in split_words(claim)
                if any(start < word.end and word.start < end for start, end in spans)
            )
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


def _support(row: Sequence[float], labels: Sequence[Meaning | None]) -> Support:
    by_label = {label: value for label, value in zip(labels, row, strict=True) if label}
    return Support(by_label["supported"], by_label.get("refuted", 0.0))


def _best(read: Sequence[Support]) -> Support:
    """The word of the chunk that supports a claim most; refuted as by the one most against it."""
    if not read:
        return Support()
    best = max(read, key=lambda support: support.supported)
    refuted = max(support.refuted for support in read)
    return replace(best, supported=round(best.supported, 4), refuted=round(refuted, 4))
