"""Write what a larger cross-encoder makes of pairs, for a smaller one to learn; needs torch.

python -m errata.training.teacher ENCODER WEIGHTS.pt PLAN.jsonl.gz TAUGHT.jsonl

ENCODER is the folder of the pretrained encoder that WEIGHTS.pt of `errata.training.stages --base`
started from. Killed, it goes on where it was with the same command.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

import torch

from errata.training.cross_encoder import TrainableCrossEncoder, pad_batch, tokenize
from errata.training.pairs import Pair
from errata.training.plans import read_plan

CHUNK = 2048
"""How many pairs are written at once."""
BATCH = 32


def teach(model: TrainableCrossEncoder, base: Path, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs with the model's logits; questions and claims with a gap as they are."""
    tokens = tokenize(pairs, base)
    asked = [row for row, pair in enumerate(pairs) if is_claim(pair)]
    by_length = sorted(asked, key=lambda row: len(tokens["input_ids"][row]))
    logits: dict[int, tuple[float, ...]] = {}
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for start in range(0, len(by_length), BATCH):
            rows = by_length[start : start + BATCH]
            values, _ = model(*pad_batch(tokens, rows))
            logits |= zip(rows, map(tuple, values.tolist()), strict=True)
    return (replace(pair, taught=logits.get(row, ())) for row, pair in enumerate(pairs))


def is_claim(pair: Pair) -> bool:
    """Whether a pair is a whole claim beside its evidence."""
    return pair.answer is None and not {"relevant", "irrelevant"} & set(pair.labels)


def main(base: str, weights: str, plan: str, target: str) -> None:
    """Write the pairs of a plan in its order, a chunk at a time."""
    model = TrainableCrossEncoder(Path(base))
    model.load_state_dict(torch.load(weights), strict=False)
    model.eval()
    pairs, written = read_plan(Path(plan)), Path(target)
    done = sum(1 for _ in written.open(encoding="utf-8")) if written.exists() else 0
    with written.open("a", encoding="utf-8") as lines:
        for start in range(done, len(pairs), CHUNK):
            for pair in teach(model, Path(base), pairs[start : start + CHUNK]):
                lines.write(json.dumps(asdict(pair), ensure_ascii=False) + "\n")
            lines.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
