"""Train the cross-encoder on plans, so that a killed run goes on where it was; needs torch.

python -m errata.training.stages FOLDER RATE PLAN.jsonl.gz [START.pt [MINUTES]]

Writes `last.pt` (model, optimiser, place) and `weights-N.pt` every few minutes into FOLDER, and a
line for each into `log.jsonl`; the same command goes on from `last.pt`. With MINUTES the learning
rate falls to zero within that time, and the rest of the plan is left out.
"""

import json
import sys
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import torch

from errata.training.cross_encoder import (
    LABELS,
    TrainableCrossEncoder,
    average_states,
    label_loss,
    pad_batch,
    tokenize,
)
from errata.training.pairs import Pair
from errata.training.plans import draw_watched, is_watched, order_batches, read_plan

SEED = 0
WARM_UP = 0.06
"""The share of a stage in which the learning rate rises."""
WEIGHT_DECAY = 0.01
BATCH_TOKENS = 2560
"""How many tokens a step reads, padding included."""
SAVE_SECONDS = 360
"""How often the state is saved."""
THREADS = 2
AVERAGED = 3
"""How many of the last saved weights are averaged at the end."""


@dataclass
class Progress:
    """How far a stage is."""

    step: int = 0
    pairs: int = 0
    seconds: float = 0.0
    saved: list[str] = field(default_factory=list)


class Stage:
    """One stage of training: its pairs in batches, the model, and how far it is."""

    def __init__(self, folder: Path, rate: float, plan: Path, minutes: float) -> None:
        """Read the plan; the batches are the same in every run with the folder's name."""
        pairs = read_plan(plan)
        self.folder, self.rate, self.minutes = folder, rate, minutes
        self.watched = draw_watched(pairs)
        learned = [pair for pair in pairs if not is_watched(pair.group)]
        self.tokens = tokenize(learned)
        self.acceptable = as_targets(learned)
        lengths = [len(ids) for ids in self.tokens["input_ids"]]
        bundles = [pair.bundle for pair in learned]
        self.batches = order_batches(
            bundles, lengths, BATCH_TOKENS, Random(f"{SEED}|{folder.name}")
        )
        self.model, self.progress = TrainableCrossEncoder(), Progress()
        self.weights = [weight for weight in self.model.parameters() if weight.requires_grad]
        self.optimiser = torch.optim.AdamW(
            self.weights, lr=rate, weight_decay=WEIGHT_DECAY, fused=True
        )

    def restore(self, start: Path | None) -> None:
        """Go on from the last saved state, or begin with the weights of an earlier stage."""
        last = self.folder / "last.pt"
        if last.exists():
            state = torch.load(last)
            self.model.load_state_dict(state["model"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.progress = Progress(**state["progress"])
        elif start:
            self.model.load_state_dict(torch.load(start))

    def run(self) -> None:
        """Train to the end of the plan or of the time, then average the last weights."""
        self.model.train()
        saved, losses = time.monotonic(), list[float]()
        while (done := self.share_done()) < 1:
            began = time.monotonic()
            losses.append(self.learn(self.batches[self.progress.step], done))
            self.progress.seconds += time.monotonic() - began
            if time.monotonic() - saved > SAVE_SECONDS:
                self.save(losses)
                saved, losses = time.monotonic(), []
        self.save(losses)
        states = [torch.load(self.folder / name) for name in self.progress.saved[-AVERAGED:]]
        torch.save(average_states(states), self.folder / "average.pt")

    def share_done(self) -> float:
        """The share of the plan or of the time that is over, the larger of the two."""
        of_time = self.progress.seconds / (60 * self.minutes) if self.minutes else 0.0
        return max(self.progress.step / len(self.batches), of_time)

    def learn(self, batch: Sequence[int], done: float) -> float:
        """One step; its loss."""
        torch.set_num_threads(free_threads())
        rate = self.rate * min(1.0, (done + 1e-4) / WARM_UP, (1 - done) / (1 - WARM_UP))
        self.optimiser.param_groups[0]["lr"] = rate
        self.optimiser.zero_grad()
        with torch.autocast("cpu", torch.bfloat16):
            logits = self.model(*pad_batch(self.tokens, batch))
        loss = label_loss(logits.float(), self.acceptable[batch])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.weights, 1.0)
        self.optimiser.step()
        self.progress.step += 1
        self.progress.pairs += len(batch)
        return float(loss.detach())

    def save(self, losses: Sequence[float]) -> None:
        """Save the state and the weights, and log the loss and the accuracy by source."""
        name = f"weights-{self.progress.step}.pt"
        self.progress.saved = [*(old for old in self.progress.saved if old != name), name]
        torch.save(self.model.state_dict(), self.folder / name)
        state = {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict()}
        temporary = self.folder / "last.tmp"
        torch.save(state | {"progress": asdict(self.progress)}, temporary)
        temporary.replace(self.folder / "last.pt")
        for old in self.progress.saved[: -AVERAGED - 1]:
            (self.folder / old).unlink(missing_ok=True)
        self._log(losses)

    def _log(self, losses: Sequence[float]) -> None:
        row = {
            "step": self.progress.step,
            "of": len(self.batches),
            "pairs": self.progress.pairs,
            "minutes": round(self.progress.seconds / 60, 1),
            "loss": round(sum(losses) / max(1, len(losses)), 4),
            "accuracy": accuracy_by_source(self.model, self.watched),
        }
        with (self.folder / "log.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")


def free_threads() -> int:
    """Two threads, or one while other processes want a core: two would wait for each other."""
    running = int(Path("/proc/loadavg").read_text(encoding="ascii").split()[3].split("/")[0])
    return 1 if running > 1 else THREADS


def as_targets(pairs: Sequence[Pair]) -> Any:
    """Which labels are acceptable, (pairs, 5), in the order of LABELS."""
    return torch.tensor([[label in pair.labels for label in LABELS] for pair in pairs])


def accuracy_by_source(model: TrainableCrossEncoder, pairs: Sequence[Pair]) -> dict[str, float]:
    """The share of each source's pairs whose likeliest label is acceptable."""
    tokens, right = tokenize(pairs), defaultdict[str, list[bool]](list)
    model.eval()
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for start in range(0, len(pairs), 32):
            rows = range(start, min(start + 32, len(pairs)))
            for row, logits in zip(rows, model(*pad_batch(tokens, rows)).tolist(), strict=True):
                right[pairs[row].source].append(likeliest(logits, pairs[row]) in pairs[row].labels)
    model.train()
    return {source: round(sum(own) / len(own), 3) for source, own in sorted(right.items())}


def likeliest(logits: Sequence[float], pair: Pair) -> str:
    """The likeliest label of a claim, or of a question."""
    if "relevant" in pair.labels or "irrelevant" in pair.labels:
        return "relevant" if logits[3] > 0 else "irrelevant"
    return LABELS[max(range(3), key=logits.__getitem__)]


def main(folder: str, rate: str, plan: str, start: str = "", minutes: str = "0") -> None:
    """Train one stage."""
    torch.manual_seed(SEED)
    Path(folder).mkdir(parents=True, exist_ok=True)
    stage = Stage(Path(folder), float(rate), Path(plan), float(minutes))
    stage.restore(Path(start) if start else None)
    stage.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
