"""A cross-encoder as a torch module, its inputs and its losses; needs torch."""

from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import AutoModel, AutoTokenizer

from errata.tools.judges.cross_encoder import MAX_TOKENS
from errata.training.pairs import Pair

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
ANSWER = ("start", "end")
"""The first and the last token of the answer: 0 for none, -1 where none was asked for."""
CHUNK = 4096
"""How many pairs are tokenized at once."""
Tokens = dict[str, list["array[int]"]]
"""For each of INPUTS the rows of all pairs, and in ANSWER a row of one number."""
FROZEN = 6
"""One in so many layers, the lowest ones, keeps its weights, as the word embeddings do."""
LABELS = ("supported", "refuted", "not_mentioned", "relevant", "irrelevant")
OUTPUTS = 4
"""Logits of the three verdicts and of relevance; irrelevant is its negation."""


class TrainableCrossEncoder(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """The cross-encoder as a torch module: verdicts, relevance, and where an answer stands."""

    def __init__(self, base: Path) -> None:
        """Start from the pretrained encoder in a folder; its lowest layers are frozen."""
        super().__init__()
        no_dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        self.bert = AutoModel.from_pretrained(base, add_pooling_layer=False, **no_dropout)
        self.head = nn.Linear(self.bert.config.hidden_size, OUTPUTS)
        self.edges = nn.Linear(self.bert.config.hidden_size, 2)
        layers = self.bert.encoder.layer
        for part in [self.bert.embeddings, *layers[: len(layers) // FROZEN]]:
            part.requires_grad_(False)

    def forward(self, ids: Any, mask: Any, types: Any) -> Any:
        """Logits (pairs, 4) from the mean of the tokens; answers' edges (pairs, tokens, 2)."""
        kinds = {"token_type_ids": types} if hasattr(self.bert.config, "type_vocab_size") else {}
        last = self.bert(ids, attention_mask=mask, **kinds).last_hidden_state
        weights = mask.unsqueeze(-1).to(last.dtype)
        return self.head((last * weights).sum(1) / weights.sum(1)), self.edges(last)


def tokenize(pairs: Sequence[Pair], base: Path) -> Tokens:
    """The tokens of pairs for an encoder; the longer text of a pair is cut."""
    tokenizer = AutoTokenizer.from_pretrained(base)
    tokens: Tokens = {name: [] for name in (*INPUTS, *ANSWER)}
    for start in range(0, len(pairs), CHUNK):
        chunk = pairs[start : start + CHUNK]
        first, second = [p.first for p in chunk], [p.second for p in chunk]
        rows = tokenizer(
            first,
            second,
            truncation="longest_first",
            max_length=MAX_TOKENS,
            return_token_type_ids=True,
        )
        for name in INPUTS:
            tokens[name] += [array("i", row) for row in rows[name]]
        for number, pair in enumerate(chunk):
            edges = _find_answer(pair, rows[number])
            for name, edge in zip(ANSWER, edges, strict=True):
                tokens[name].append(array("i", [edge]))
    return tokens


def _find_answer(pair: Pair, row: Any) -> tuple[int, int]:
    """The first and the last token of the answer in the second text."""
    if pair.answer is None:
        return -1, -1
    place = pair.second.find(pair.answer)
    if place < 0 or not pair.answer:
        return 0, 0
    edges = [row.char_to_token(at, 1) for at in (place, place + len(pair.answer) - 1)]
    return (0, 0) if None in edges else (edges[0], edges[1])


def pad_batch(tokens: Tokens, chosen: Sequence[int]) -> tuple[Any, Any, Any]:
    """Ids, masks and types of some rows, each (rows, tokens of the longest)."""
    longest = max(len(tokens["input_ids"][i]) for i in chosen)

    def pad(name: str) -> Any:
        rows = [tokens[name][i] for i in chosen]
        return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])

    ids, mask, types = map(pad, INPUTS)
    return ids, mask, types


def label_losses(logits: Any, acceptable: Any) -> Any:
    """The values of -log P(any acceptable label), (pairs,); 0 for pairs without a label.

    `acceptable` is (pairs, 5) in the order of LABELS.
    """
    allowed = _log_probabilities(logits).masked_fill(~acceptable, -1e9)
    return -torch.logsumexp(allowed, -1) * acceptable.any(-1)


def taught_losses(logits: Any, taught: Any, acceptable: Any) -> Any:
    """The cross-entropies with a teacher's probabilities, (pairs,); 0 for pairs without any.

    `taught` is (pairs, 4), nan without a teacher. A pair of a question and a text is one whose
    label is relevance; of the others, verdicts are learned.
    """
    is_taught = ~taught.isnan().any(-1)
    theirs = _log_probabilities(taught.nan_to_num()).exp()
    losses = -theirs * _log_probabilities(logits)
    is_question = acceptable[:, 3:].any(-1)
    return torch.where(is_question, losses[:, 3:].sum(-1), losses[:, :3].sum(-1)) * is_taught


def answer_losses(edges: Any, mask: Any, answers: Any) -> Any:
    """The mean values of -log P(start) and -log P(end), (pairs,); 0 where no answer was asked for.

    `edges` is (pairs, tokens, 2), `answers` (pairs, 2) with token numbers, -1 where not asked for.
    """
    places = torch.log_softmax(edges.masked_fill(~mask.bool().unsqueeze(-1), -1e9), 1)
    right = places.gather(1, answers.clamp(min=0).unsqueeze(1)).squeeze(1)
    return -right.mean(-1) * (answers >= 0).all(-1)


def _log_probabilities(logits: Any) -> Any:
    """Of the three verdicts, and of relevance and its negation, (pairs, 5)."""
    verdicts = torch.log_softmax(logits[:, :3], -1)
    relevance = nn.functional.logsigmoid(torch.stack([logits[:, 3], -logits[:, 3]], -1))
    return torch.cat([verdicts, relevance], -1)


def average_states(states: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The averaged weights of models that started from the same ones (model soup).

    They are as good as those of one model trained on everything (Wortsman and others, 2022).
    """
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}
