"""Verify claims by a published checkpoint, named `hub:ID_OR_FOLDER` or `hub:FILE.yaml`.

What transformers reads needs `errata[huggingface]`.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from errata.core.errors import AccessError, SettingError
from errata.core.limits import check_time
from errata.core.records import Claim, Document, Verdict
from errata.tools.judges.published import Form, Meaning, form_of, meanings
from errata.tools.text.strips import split_strips
from errata.tools.text.words import split_words

PACKAGES = ("transformers", "torch")
BATCH = 16
BY_PAIR = 2
"""How many dimensions the logits have where each pair has its own."""
MAX_TOKENS = 2048
"""The longest input, where a checkpoint does not say what it takes."""


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
    verifier = open_verifier(source)
    supports = verifier.judge([claim.text for claim in claims], documents)
    least = verifier.form.threshold
    return [
        Verdict(
            claim=claim.id,
            label=_label(support, least),
            reason=None if max(support.supported, support.refuted) >= least else "not_understood",
            score=round(support.supported, 4),
            doubted=support.doubted,
        )
        for claim, support in zip(claims, supports, strict=True)
    ]


def _label(support: Support, least: float) -> Meaning:
    if support.supported >= least:
        return "supported"
    return "refuted" if support.refuted >= least else "not_mentioned"


@lru_cache(maxsize=2)
def open_verifier(source: str) -> "HubVerifier":
    """The verifier of a checkpoint, whose weights are read when it is first asked."""
    form = form_of(source)
    return HubVerifier(form.model or source, form)


@dataclass(frozen=True)
class HubVerifier:
    """A checkpoint and how it is asked."""

    source: str
    form: Form

    def judge(self, claims: Sequence[str], documents: Sequence[Document]) -> list[Support]:
        """What the checkpoint makes of each claim: its best chunk's word."""
        chunks = [chunk for document in documents for chunk in self._chunks(document)]
        read = iter(self._read([(chunk, claim) for claim in claims for chunk in chunks]))
        return [_best([next(read) for _ in chunks]) for _ in claims]

    def _chunks(self, document: Document) -> Iterator[str]:
        """A document's sentences, as many together as the checkpoint reads at once."""
        tokenizer, _, _ = self._loaded
        some, size = list[str](), 0
        for strip in split_strips(document):
            length = len(tokenizer(strip.text, add_special_tokens=False)["input_ids"])
            if some and size + length > self.form.chunk:
                yield " ".join(some)
                some, size = [], 0
            some.append(strip.text)
            size += length
        if some:
            yield " ".join(some)

    def _read(self, pairs: Sequence[tuple[str, str]]) -> Iterator[Support]:
        import torch

        for start in range(0, len(pairs), BATCH):
            check_time()
            some = pairs[start : start + BATCH]
            with torch.inference_mode():
                yield from self._read_batch(some)

    def _read_batch(self, pairs: Sequence[tuple[str, str]]) -> list[Support]:
        tokenizer, model, labels = self._loaded
        eos = tokenizer.eos_token or tokenizer.sep_token or ""
        first, second = (
            [form.format(document=document, claim=claim, eos=eos) for document, claim in pairs]
            for form in (self.form.premise, self.form.hypothesis)
        )
        limit = min(tokenizer.model_max_length, MAX_TOKENS)
        tokens = tokenizer(
            first,
            second if self.form.hypothesis else None,
            truncation="only_first" if self.form.hypothesis else True,
            max_length=limit,
            padding=True,
            return_tensors="pt",
        )
        if self.form.head == "words":
            return self._by_first_word(tokens)
        logits = model(**tokens).logits
        if self.form.head == "tokens":
            return self._by_tokens(pairs, tokens, logits)
        if logits.dim() > BY_PAIR:  # HHEM reads the label off the first token
            logits = logits[:, 0]
        return [_support(row, labels) for row in logits.softmax(-1).tolist()]

    def _by_first_word(self, tokens: Any) -> list[Support]:
        """By whether the first word would be that for true or that for false."""
        import torch

        tokenizer, model, _ = self._loaded
        start = torch.full((len(tokens["input_ids"]), 1), model.config.decoder_start_token_id)
        logits = model(**tokens, decoder_input_ids=start).logits[:, 0]
        words = [
            tokenizer(word, add_special_tokens=False)["input_ids"] for word in self.form.labels
        ]
        chosen = logits[:, [ids[0] for ids in words]].softmax(-1)
        return [Support(supported=true) for _, true in chosen.tolist()]

    def _by_tokens(
        self, pairs: Sequence[tuple[str, str]], tokens: Any, logits: Any
    ) -> list[Support]:
        """By whether any token of the claim is marked as unsupported."""
        _, _, labels = self._loaded
        marked = 1 - logits.softmax(-1)[..., labels.index("supported")]
        found = []
        for row, (_, claim) in enumerate(pairs):
            own = [place for place, of in enumerate(tokens.sequence_ids(row)) if of == 1]
            worst = max((float(marked[row, place]) for place in own), default=1.0)
            places = [
                tokens.token_to_chars(row, place)
                for place in own
                if marked[row, place] >= self.form.threshold
            ]
            words = tuple(
                word.text
                for word in split_words(claim)
                if any(span.start < word.end and word.start < span.end for span in places)
            )
            found.append(Support(supported=1 - worst, doubted=words))
        return found

    @cached_property
    def _loaded(self) -> tuple[Any, Any, list[Meaning | None]]:
        """The tokenizer, the model, and what its classes mean."""
        if missing := [name for name in PACKAGES if find_spec(name) is None]:
            raise SettingError(
                f"'hub:{self.source}' needs {', '.join(missing)}: pip install 'errata[huggingface]'"
            )
        from transformers import AutoTokenizer

        try:
            tokenizer, model = AutoTokenizer.from_pretrained(self.source), self._load()
        except (OSError, ValueError) as error:
            fault = f"no verifier can be read from {self.source!r}: {error}"
            raise AccessError(fault) from error
        names = {} if self.form.head == "words" else model.config.id2label
        labels = meanings(self.source, names, self.form) if names else []
        return tokenizer, model.eval(), labels

    def _load(self) -> Any:
        import transformers as hub

        if foundation := _foundation(self.source):
            return _load_on(foundation, self.source)
        kinds = {
            "classes": hub.AutoModelForSequenceClassification,
            "words": hub.AutoModelForSeq2SeqLM,
            "tokens": hub.AutoModelForTokenClassification,
        }
        return kinds[self.form.head].from_pretrained(self.source)


def _support(row: Sequence[float], labels: Sequence[Meaning | None]) -> Support:
    by_label = {label: value for label, value in zip(labels, row, strict=True) if label}
    return Support(by_label["supported"], by_label.get("refuted", 0.0))


def _best(read: Sequence[Support]) -> Support:
    """The word of the chunk that supports a claim most; refuted as by the one most against it."""
    if not read:
        return Support()
    best = max(read, key=lambda support: support.supported)
    return replace(best, refuted=max(support.refuted for support in read))


def _foundation(source: str) -> str:
    """What HHEM's config names as the T5 that it is built on; empty for any other checkpoint."""
    from transformers.utils.hub import cached_file

    path = cached_file(source, "config.json")
    config = json.loads(Path(str(path)).read_text(encoding="utf-8"))
    return str(config.get("foundation", ""))


def _load_on(foundation: str, source: str) -> Any:
    """HHEM's weights in a T5 that labels tokens, without running the checkpoint's own code."""
    import transformers as hub
    from safetensors.torch import load_file
    from transformers.utils.hub import cached_file

    kind: Any = hub.AutoModelForTokenClassification
    config = hub.AutoConfig.from_pretrained(foundation, num_labels=2)
    model = kind.from_config(config)
    state = load_file(str(cached_file(source, "model.safetensors")))
    model.load_state_dict(
        {name.removeprefix("t5."): value for name, value in state.items()}, strict=False
    )
    return model
