"""A cross-encoder as a torch module, its inputs and its losses; needs torch."""

import json
from array import array
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import torch
from tokenizers import Encoding, Tokenizer
from torch import nn
from transformers import AutoModel

from errata.tools.judges.cross_encoder import GAP, encode_pair
from errata.training.pairs import Pair

ANSWER = ("start", "end")
"""The first and the last token of the answer: 0 for none, -1 where none was asked for."""
EVEN = 16
"""Batches are padded to multiples of so many tokens."""
CHUNK = 8192
"""How many pairs are tokenized at once."""
Tokens = dict[str, list["array[int]"]]
"""For each pair its `ids` and `wrong`, and in ANSWER a row of one number."""
LABELS = ("supported", "refuted", "not_mentioned", "relevant", "irrelevant")
OUTPUTS = 4
"""Logits of the three verdicts and of relevance; irrelevant is its negation."""
UNKNOWN = -1
"""In `wrong`, a token of which it is not known whether it is wrong."""


class TrainableCrossEncoder(nn.Module):  # type: ignore[misc,unused-ignore]  # untyped without torch
    """The cross-encoder as a torch module: verdicts, relevance, wrong words, and answers."""

    def __init__(self, base: Path, layers: int = 0) -> None:
        """Start from the pretrained encoder in a folder, with so many of its lowest layers.

        0 layers: all of them.
        """
        super().__init__()
        # No pair is seen often enough to need dropout, which takes a seventh of the time.
        rates = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        self.bert = AutoModel.from_pretrained(base, add_pooling_layer=False, **rates)
        self.head = nn.Linear(self.bert.config.hidden_size, OUTPUTS)
        self.edges = nn.Linear(self.bert.config.hidden_size, len(ANSWER))
        self.tags = nn.Linear(self.bert.config.hidden_size, 1)
        if layers:  # Sajjad and others, 2020
            self.bert.encoder.layer = self.bert.encoder.layer[:layers]
            self.bert.config.num_hidden_layers = layers

    def forward(self, ids: Any, mask: Any) -> Any:
        """Logits (pairs, 4) from the mean of the tokens; edges (pairs, tokens, 2); tags alike, 1.

        The edges are those of an answer, the tags say which tokens are wrong.
        """
        last = self.bert(ids, attention_mask=mask).last_hidden_state
        weights = mask.unsqueeze(-1).to(last.dtype)
        mean = (last * weights).sum(1) / weights.sum(1)
        return self.head(mean), self.edges(last), self.tags(last).squeeze(-1)


def read_tokenizer(base: Path) -> Tokenizer:
    """The tokenizer of an encoder, in which GAP is what stands for words that are left out."""
    rules = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))
    masks = ("[MASK]", "<mask>")
    for token in rules["added_tokens"]:
        token["content"] = GAP if token["content"] in masks else token["content"]
    words = rules["model"]["vocab"]
    rules["model"]["vocab"] = {GAP if word in masks else word: n for word, n in words.items()}
    tokenizer = Tokenizer.from_str(json.dumps(rules))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def tokenize(pairs: Sequence[Pair], base: Path) -> Tokens:
    """The tokens of pairs for an encoder; the longer text of a pair is cut."""
    tokenizer = read_tokenizer(base)
    marks = tokenizer.encode("", "").ids
    tokens: Tokens = {name: [] for name in ("ids", "wrong", *ANSWER)}
    for start in range(0, len(pairs), CHUNK):
        chunk = pairs[start : start + CHUNK]
        both = (
            tokenizer.encode_batch(texts, add_special_tokens=False)
            for texts in ([p.first for p in chunk], [p.second for p in chunk])
        )
        for pair, first, second in zip(chunk, *both, strict=True):
            ids, second_at = encode_pair(marks, first.ids, second.ids)
            start_at, end_at = _find_answer(pair, second, second_at, len(ids) - 1)
            tags = _tag(pair, first, second_at - 1)
            wrong = [UNKNOWN, *tags, *[UNKNOWN] * (len(ids) - len(tags) - 1)]
            row = (ids, wrong, [start_at], [end_at])
            for name, values in zip(tokens, row, strict=True):
                tokens[name].append(array("i", values))
    return tokens


def _find_answer(pair: Pair, second: Encoding, first: int, end: int) -> tuple[int, int]:
    """The first and the last token of the answer in the second text, which has those from first."""
    if pair.answer is None:
        return -1, -1
    place = pair.second.find(pair.answer)
    if place < 0 or not pair.answer:
        return 0, 0
    at = [second.char_to_token(c) for c in (place, place + len(pair.answer) - 1)]
    edges = [first + token if token is not None else 0 for token in at]
    return (0, 0) if 0 in edges or edges[1] >= end else (edges[0], edges[1])


def _tag(pair: Pair, first: Encoding, shown: int) -> list[int]:
    """For each of the claim's tokens 1 if it is wrong, 0 if not; empty where that is not known."""
    if (spans := pair.wrong) is None:
        return []
    return [
        int(any(start < b and a < end for a, b in spans)) for start, end in first.offsets[:shown]
    ]


def round_up(length: int) -> int:
    """How many tokens a batch is padded to, so that there are few lengths."""
    return -(-length // EVEN) * EVEN


def pad_batch(tokens: Tokens, chosen: Sequence[int], device: str = "cpu") -> tuple[Any, ...]:
    """Ids, masks and wrong tokens of some rows, each (rows, tokens of the longest)."""
    longest = round_up(max(len(tokens["ids"][i]) for i in chosen))

    def pad(rows: Iterable[Sequence[int]], by: int) -> Any:
        padded = [[*row, *[by] * (longest - len(row))] for row in rows]
        return torch.tensor(padded).to(device, non_blocking=True)

    ids, wrong = ([tokens[name][i] for i in chosen] for name in ("ids", "wrong"))
    return pad(ids, 0), pad([[1] * len(row) for row in ids], 0), pad(wrong, UNKNOWN)


def label_losses(logits: Any, acceptable: Any) -> Any:
    """The values of -log P(any acceptable label), (pairs,); 0 for pairs without a label.

    `acceptable` is (pairs, 5) in the order of LABELS.
    """
    verdicts = torch.log_softmax(logits[:, :3], -1)
    relevance = nn.functional.logsigmoid(torch.stack([logits[:, 3], -logits[:, 3]], -1))
    allowed = torch.cat([verdicts, relevance], -1).masked_fill(~acceptable, -1e9)
    return -torch.logsumexp(allowed, -1) * acceptable.any(-1)


def answer_losses(edges: Any, mask: Any, answers: Any) -> Any:
    """The mean values of -log P(start) and -log P(end), (pairs,); 0 where no answer was asked for.

    `edges` is (pairs, tokens, 2), `answers` (pairs, 2) with token numbers, -1 where not asked for.
    """
    places = torch.log_softmax(edges.masked_fill(~mask.bool().unsqueeze(-1), -1e9), 1)
    right = places.gather(1, answers.clamp(min=0).unsqueeze(1)).squeeze(1)
    return -right.mean(-1) * (answers >= 0).all(-1)


def tag_losses(tags: Any, wrong: Any) -> Any:
    """The mean of -log P(a token is wrong, or is not), (pairs,); 0 where none is known."""
    is_known = wrong != UNKNOWN
    losses = nn.functional.binary_cross_entropy_with_logits(
        tags, wrong.clamp(min=0).to(tags.dtype), reduction="none"
    )
    return (losses * is_known).sum(-1) / is_known.sum(-1).clamp(min=1)
