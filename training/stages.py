"""Train the cross-encoder on plans, so that a killed run goes on where it was; needs torch.

python -m errata.training.stages FOLDER RATE PLAN --base ENCODER [--layers N] [--start WEIGHTS]
    [--epochs N] [--tokens N] [--minutes N] [--frozen N]

Writes `last.pt` (model, optimiser, place) every half an hour into FOLDER, with a line in
`log.jsonl`; the same command goes on from there. At the end it writes `final.pt`. ENCODER is the
folder of a pretrained encoder, of which the model has N layers. WEIGHTS is a file of
`errata.training.packed`, or a `final.pt`, which may have more layers. With --minutes the stage ends
after so many, however far it is, and the rate falls to that end; with --frozen the embeddings and
so many of the lowest layers stay as they are. A GPU is used where there is one.
"""

import json
import sys
import time
from argparse import ArgumentParser, Namespace
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import torch

from errata.training.cross_encoder import (
    ANSWER,
    LABELS,
    TrainableCrossEncoder,
    answer_losses,
    label_losses,
    pad_batch,
    round_up,
    tag_losses,
    tokenize,
)
from errata.training.packed import unpack
from errata.training.pairs import Batch, Pair, draw_watched, is_watched, order_batches, read_plan

SEED = 0
WARM_UP = 0.06
"""The share of a stage in which the learning rate rises."""
WEIGHT_DECAY = 0.01
BATCH_TOKENS = 3072
"""How many tokens a step reads, padding included."""
SAVE_SECONDS = 1800
"""How often the state is saved."""
SAID = 200
"""The loss is printed every so many steps."""
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
# On other CPUs bfloat16 is slower than float32; with AVX-512's own it takes a third of the time.
FAST = ("amx_tile", "avx512_bf16")
HAS_BFLOAT16 = DEVICE == "cuda" or any(map(torch.cpu.get_capabilities().get, FAST))


class Stage:
    """One stage of training: its pairs in batches, the model, and how far it is."""

    def __init__(self, options: Namespace) -> None:
        """Read the plan; the batches are the same in every run with the folder's name."""
        self.options, pairs = options, list(read_plan(options.plan))
        self.watched = draw_watched(p for p in pairs if p.labels or p.answer is not None)
        learned = [pair for pair in pairs if not is_watched(pair.group)]
        self.tokens = tokenize(learned, options.base)
        acceptable = [[label in pair.labels for label in LABELS] for pair in learned]
        self.acceptable = torch.tensor(acceptable, device=DEVICE)
        edges = zip(*(self.tokens[edge] for edge in ANSWER), strict=True)
        self.answers = torch.tensor([[*start, *end] for start, end in edges], device=DEVICE)
        random = Random(f"{SEED}|{options.folder.name}")
        lengths = [round_up(len(ids)) for ids in self.tokens["ids"]]
        bundles = [pair.bundle for pair in learned]
        self.batches = [
            batch
            for _ in range(options.epochs)
            for batch in order_batches(bundles, lengths, options.tokens, random)
        ]
        self.model = TrainableCrossEncoder(options.base, options.layers).to(DEVICE)
        if options.frozen is not None:
            lowest = self.model.bert.encoder.layer[: options.frozen]
            for frozen in (self.model.bert.embeddings, *lowest):
                frozen.requires_grad_(False)
        self.step, self.pairs, self.seconds = 0, 0, 0.0
        self.optimiser = torch.optim.AdamW(
            [weights for weights in self.model.parameters() if weights.requires_grad],
            lr=options.rate,
            weight_decay=WEIGHT_DECAY,
            fused=True,
        )

    def restore(self) -> None:
        """Go on from the last saved state, or begin with the weights of an earlier stage."""
        last, start = self.options.folder / "last.pt", self.options.start
        if last.exists():
            state = torch.load(last, map_location=DEVICE)
            self.model.load_state_dict(state["model"])
            self.optimiser.load_state_dict(state["optimiser"])
            self.step, self.pairs, self.seconds = state["progress"]
        elif start:
            own = self.model.state_dict()
            packed = start.suffix == ".npz"
            given = unpack(start, own) if packed else torch.load(start, map_location=DEVICE)
            self.model.load_state_dict({name: given[name] for name in own})

    @property
    def done(self) -> float:
        """How much of the plan, or of the time, has passed: 1 at the end."""
        limit = 60 * self.options.minutes
        passed = self.seconds / limit if limit else 0.0
        return max(passed, self.step / len(self.batches))

    def run(self) -> None:
        """Train to the end of the plan, or of the time, then write the weights."""
        self.model.train()
        saved, losses = time.monotonic(), list[Any]()
        while (done := self.done) < 1:
            began = time.monotonic()
            losses.append(self.learn(self.batches[self.step], done))
            self.seconds += time.monotonic() - began
            if self.step % SAID == 0:
                recent = float(torch.stack(losses[-SAID:]).mean())
                sys.stdout.write(f"{self.step}/{len(self.batches)} {recent:.4f}\n")
                sys.stdout.flush()
            if time.monotonic() - saved > SAVE_SECONDS:
                self.save(losses)
                saved, losses = time.monotonic(), []
        self.save(losses)
        torch.save(self.model.state_dict(), self.options.folder / "final.pt")

    def learn(self, batch: Batch, done: float) -> Any:
        """One step of the optimiser; the mean loss of its pairs before."""
        rise, fall = (done + 1e-4) / WARM_UP, (1 - done) / (1 - WARM_UP)
        self.optimiser.param_groups[0]["lr"] = self.options.rate * min(1.0, rise, fall)
        self.optimiser.zero_grad()
        rows = self.fill(batch)
        *inputs, wrong = pad_batch(self.tokens, rows, DEVICE)
        with torch.autocast(DEVICE, torch.bfloat16, enabled=HAS_BFLOAT16):
            logits, edges, tags = self.model(*inputs)
        labelled = label_losses(logits.float(), self.acceptable[rows])
        answered = answer_losses(edges.float(), inputs[1], self.answers[rows])
        losses = labelled + answered + tag_losses(tags.float(), wrong)
        loss = losses[: len(batch)].mean()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
        self.optimiser.step()
        self.step += 1
        self.pairs += len(batch)
        return loss.detach()

    def fill(self, batch: Batch) -> Batch:
        """The rows of a batch, the first again until as many tokens are read as in others.

        A CPU takes seconds for each shape that it has not met.
        """
        longest = round_up(max(len(self.tokens["ids"][row]) for row in batch))
        spare: int = self.options.tokens // longest - len(batch)
        return batch + batch[:1] * spare

    def save(self, losses: Sequence[Any]) -> None:
        """Save the state, and log the loss and the accuracy by source."""
        state = {"model": self.model.state_dict(), "optimiser": self.optimiser.state_dict()}
        temporary = self.options.folder / "last.tmp"
        torch.save(state | {"progress": (self.step, self.pairs, self.seconds)}, temporary)
        temporary.replace(self.options.folder / "last.pt")
        row = {
            "step": self.step,
            "of": len(self.batches),
            "pairs": self.pairs,
            "minutes": round(self.seconds / 60, 1),
            "loss": round(float(torch.stack(list(losses)).mean()), 4) if losses else 0.0,
            "accuracy": accuracy_by_source(self.model, self.options.base, self.watched),
        }
        with (self.options.folder / "log.jsonl").open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(row) + "\n")


def accuracy_by_source(
    model: TrainableCrossEncoder, base: Path, pairs: Sequence[Pair]
) -> dict[str, float]:
    """The share of each source's pairs whose likeliest label is acceptable, or answer is right."""
    tokens, right = tokenize(pairs, base), defaultdict[str, list[bool]](list)
    model.eval()
    for start in range(0, len(pairs), 32):
        rows = range(start, min(start + 32, len(pairs)))
        ids, mask, _ = pad_batch(tokens, rows, DEVICE)
        with (
            torch.inference_mode(),
            torch.autocast(DEVICE, torch.bfloat16, enabled=HAS_BFLOAT16),
        ):
            logits, edges, _ = model(ids, mask)
        places = edges.float().masked_fill(~mask.bool().unsqueeze(-1), -1e9).argmax(1)
        for row, verdict, place in zip(rows, logits.tolist(), places.tolist(), strict=True):
            pair, answer = pairs[row], [tokens[edge][row][0] for edge in ANSWER]
            is_right = likeliest(verdict, pair) in pair.labels if pair.labels else place == answer
            right[pair.source].append(is_right)
    model.train()
    return {source: round(sum(own) / len(own), 3) for source, own in sorted(right.items())}


def likeliest(logits: Sequence[float], pair: Pair) -> str:
    """The likeliest label of a claim, or of a question."""
    if "relevant" in pair.labels or "irrelevant" in pair.labels:
        return "relevant" if logits[3] > 0 else "irrelevant"
    return LABELS[max(range(3), key=logits.__getitem__)]


def main(*arguments: str) -> None:
    """Train one stage."""
    parser = ArgumentParser(prog="python -m errata.training.stages")
    parser.add_argument("folder", type=Path)
    parser.add_argument("rate", type=float)
    parser.add_argument("plan", type=Path)
    parser.add_argument("--start", type=Path)
    parser.add_argument("--base", type=Path, required=True)
    parser.add_argument("--layers", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--tokens", type=int, default=BATCH_TOKENS)
    parser.add_argument("--minutes", type=float, default=0.0)
    parser.add_argument("--frozen", type=int)
    options = parser.parse_args(arguments)
    options.folder.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(SEED)
    stage = Stage(options)
    stage.restore()
    stage.run()


if __name__ == "__main__":
    main(*sys.argv[1:])
