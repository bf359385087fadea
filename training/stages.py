"""Train the cross-encoder on plans, so that a killed run goes on where it was; needs torch.

python -m errata.training.stages FOLDER RATE PLAN [--start WEIGHTS] [--base ENCODER]
    [--layers N] [--epochs N] [--minutes N] [--tokens N]

Writes `last.pt` (model, optimiser, place) every half an hour into FOLDER, with a line in
`log.jsonl`; the same command goes on from there. At the end it writes `final.pt`. With MINUTES the
learning rate falls to zero within that time, and the rest of the plan is left out. ENCODER is the
folder of a pretrained encoder other than MiniLM, of which the model has N layers. WEIGHTS is a file
of `errata.training.packed`, or a `final.pt`, which may have more layers. A GPU is used where there
is one.
"""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from random import Random
from typing import Any

import torch

from errata.training.cross_encoder import (
    ANSWER,
    LABELS,
    Tokens,
    TrainableCrossEncoder,
    answer_losses,
    label_losses,
    pad_batch,
    tag_losses,
    tokenize,
)
from errata.training.encoders import small_encoder
from errata.training.packed import unpack
from errata.training.pairs import Pair
from errata.training.plans import draw_watched, is_watched, order_batches, read_plan

SEED = 0
WARM_UP = 0.06
"""The share of a stage in which the learning rate rises."""
WEIGHT_DECAY = 0.01
BATCH_TOKENS = 3072
"""How many tokens a step reads, padding included."""
SAVE_SECONDS = 1800
"""How often the state is saved."""
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SAID = 200
"""On a GPU the loss is printed every so many steps."""


@dataclass
class Progress:
    """How far a stage is."""

    step: int = 0
    pairs: int = 0
    seconds: float = 0.0


class Stage:
    """One stage of training: its pairs in batches, the model, and how far it is."""

    def __init__(self, options: Namespace) -> None:
        """Read the plan; the batches are the same in every run with the folder's name."""
        pairs, folder = read_plan(options.plan), options.folder
        self.folder, self.rate, self.minutes = folder, options.rate, options.minutes
        self.base = options.base
        self.watched = draw_watched(p for p in pairs if p.labels or p.answer is not None)
        learned = [pair for pair in pairs if not is_watched(pair.group)]
        self.tokens = tokenize(learned, self.base)
        self.acceptable = as_targets(learned).to(DEVICE)
        edges = zip(*(self.tokens[edge] for edge in ANSWER), strict=True)
        self.answers = torch.tensor([[*start, *end] for start, end in edges]).to(DEVICE)
        random = Random(f"{SEED}|{folder.name}")
        lengths = [len(ids) for ids in self.tokens["ids"]]
        bundles = [pair.bundle for pair in learned]
        self.batches = [
            batch
            for _ in range(options.epochs)
            for batch in order_batches(bundles, lengths, options.tokens, random)
        ]
        self.model = TrainableCrossEncoder(self.base, options.layers).to(DEVICE)
        self.progress = Progress()
        self.weights = list(self.model.parameters())
        self.optimiser = torch.optim.AdamW(
            self.weights, lr=self.rate, weight_decay=WEIGHT_DECAY, fused=True
        )

    def restore(self, start: Path | None) -> None:
        """Go on from the last saved state, or begin with the weights of an earlier stage."""
        last = self.folder / "last.pt"
        if last.exists():
            state = torch.load(last, map_location=DEVICE)
            self.model.load_state_dict(state["model"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.progress = Progress(**state["progress"])
        elif start and start.suffix == ".npz":
            self.model.load_state_dict(unpack(start, self.model.state_dict()))
        elif start:
            given = torch.load(start, map_location=DEVICE)
            self.model.load_state_dict({name: given[name] for name in self.model.state_dict()})

    def run(self) -> None:
        """Train to the end of the plan or of the time, then write the weights."""
        self.model.train()
        saved, losses = time.monotonic(), list[Any]()
        while (done := self.share_done()) < 1:
            began = time.monotonic()
            losses.append(self.learn(self.batches[self.progress.step], done))
            self.progress.seconds += time.monotonic() - began
            if time.monotonic() - saved > SAVE_SECONDS:
                self.save(losses)
                saved, losses = time.monotonic(), []
            if DEVICE == "cuda" and self.progress.step % SAID == 0:
                recent = mean_of(losses[-SAID:])
                sys.stdout.write(f"{self.progress.step}/{len(self.batches)} {recent:.4f}\n")
                sys.stdout.flush()
        self.save(losses)
        torch.save(self.model.state_dict(), self.folder / "final.pt")

    def share_done(self) -> float:
        """The share of the plan or of the time that is over, the larger of the two."""
        of_time = self.progress.seconds / (60 * self.minutes) if self.minutes else 0.0
        return max(self.progress.step / len(self.batches), of_time)

    def learn(self, batch: Sequence[int], done: float) -> Any:
        """One step; its loss."""
        rate = self.rate * min(1.0, (done + 1e-4) / WARM_UP, (1 - done) / (1 - WARM_UP))
        self.optimiser.param_groups[0]["lr"] = rate
        self.optimiser.zero_grad()
        loss = self.loss(batch)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.weights, 1.0)
        self.optimiser.step()
        self.progress.step += 1
        self.progress.pairs += len(batch)
        return loss.detach()

    def loss(self, batch: Sequence[int]) -> Any:
        """The mean loss of some pairs."""
        *inputs, wrong = pad_batch(self.tokens, batch, DEVICE)
        with torch.autocast(DEVICE, torch.bfloat16):
            logits, edges, tags = self.model(*inputs)
        labelled = label_losses(logits.float(), self.acceptable[batch])
        answered = answer_losses(edges.float(), inputs[1], self.answers[batch])
        tagged = tag_losses(tags.float(), wrong)
        return (labelled + answered + tagged).mean()

    def save(self, losses: Sequence[Any]) -> None:
        """Save the state, and log the loss and the accuracy by source."""
        state = {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict()}
        temporary = self.folder / "last.tmp"
        torch.save(state | {"progress": asdict(self.progress)}, temporary)
        temporary.replace(self.folder / "last.pt")
        self._log(losses)

    def _log(self, losses: Sequence[Any]) -> None:
        row = {
            "step": self.progress.step,
            "of": len(self.batches),
            "pairs": self.progress.pairs,
            "minutes": round(self.progress.seconds / 60, 1),
            "loss": round(mean_of(losses), 4),
            "accuracy": accuracy_by_source(self.model, self.base, self.watched),
        }
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")


def mean_of(losses: Sequence[Any]) -> float:
    """The mean of some losses; 0 without any."""
    return float(torch.stack(list(losses)).mean()) if losses else 0.0


def as_targets(pairs: Sequence[Pair]) -> Any:
    """Which labels are acceptable, (pairs, 5), in the order of LABELS."""
    return torch.tensor([[label in pair.labels for label in LABELS] for pair in pairs])


def read_pairs(
    model: TrainableCrossEncoder, tokens: Tokens, rows: Sequence[int]
) -> tuple[Any, Any]:
    """The logits of some pairs, and the likeliest first and last tokens of their answers."""
    ids, mask, types, _ = pad_batch(tokens, rows, DEVICE)
    with torch.inference_mode(), torch.autocast(DEVICE, torch.bfloat16):
        logits, edges, _ = model(ids, mask, types)
    return logits.float(), edges.float().masked_fill(~mask.bool().unsqueeze(-1), -1e9).argmax(1)


def accuracy_by_source(
    model: TrainableCrossEncoder, base: Path, pairs: Sequence[Pair]
) -> dict[str, float]:
    """The share of each source's pairs whose likeliest label is acceptable, or answer is right."""
    tokens, right = tokenize(pairs, base), defaultdict[str, list[bool]](list)
    model.eval()
    for start in range(0, len(pairs), 32):
        rows = range(start, min(start + 32, len(pairs)))
        logits, places = (values.tolist() for values in read_pairs(model, tokens, rows))
        for row, verdict, place in zip(rows, logits, places, strict=True):
            pair, answer = pairs[row], [tokens[edge][row][0] for edge in ANSWER]
            is_right = likeliest(verdict, pair) in pair.labels
            right[pair.source].append(is_right if pair.labels else place == answer)
    model.train()
    return {source: round(sum(own) / len(own), 3) for source, own in sorted(right.items())}


def likeliest(logits: Sequence[float], pair: Pair) -> str:
    """The likeliest label of a claim, or of a question."""
    if "relevant" in pair.labels or "irrelevant" in pair.labels:
        return "relevant" if logits[3] > 0 else "irrelevant"
    return LABELS[max(range(3), key=logits.__getitem__)]


def read_options() -> Namespace:
    """The options of the command."""
    parser = ArgumentParser(prog="python -m errata.training.stages")
    parser.add_argument("folder", type=Path)
    parser.add_argument("rate", type=float)
    parser.add_argument("plan", type=Path)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--base", type=Path)
    parser.add_argument("--layers", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--tokens", type=int, default=BATCH_TOKENS)
    options = parser.parse_args()
    options.base = options.base or small_encoder()
    return options


def main() -> None:
    """Train one stage."""
    options = read_options()
    torch.manual_seed(SEED)
    options.folder.mkdir(parents=True, exist_ok=True)
    stage = Stage(options)
    stage.restore(options.start)
    stage.run()


if __name__ == "__main__":
    main()
