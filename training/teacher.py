"""Write what a cross-encoder makes of pairs, for a smaller one to learn; needs torch.

python -m errata.training.teacher ENCODER WEIGHTS.pt PLAN TAUGHT [LAYERS]

ENCODER is the folder of the pretrained encoder that WEIGHTS.pt of `errata.training.stages --base`
started from, with so many LAYERS (all). TAUGHT becomes a folder of files, to be used as a plan;
killed, the same command goes on where it was.
"""

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import torch

from errata.training.cross_encoder import TrainableCrossEncoder, tokenize
from errata.training.pairs import Pair
from errata.training.plans import read_plan, write_plan
from errata.training.stages import DEVICE, read_pairs

CHUNK = 65536
"""How many pairs are written at once."""
BATCH = 128


def teach(model: TrainableCrossEncoder, base: Path, pairs: Sequence[Pair]) -> Iterator[Pair]:
    """The pairs with the model's logits; questions and claims with a gap as they are."""
    tokens = tokenize(pairs, base)
    asked = [row for row, pair in enumerate(pairs) if is_claim(pair)]
    by_length = sorted(asked, key=lambda row: len(tokens["ids"][row]))
    logits: dict[int, tuple[float, ...]] = {}
    for start in range(0, len(by_length), BATCH):
        rows = by_length[start : start + BATCH]
        values, _ = read_pairs(model, tokens, rows)
        logits |= zip(rows, (tuple(round(x, 3) for x in v) for v in values.tolist()), strict=True)
    return (replace(pair, taught=logits.get(row, ())) for row, pair in enumerate(pairs))


def is_claim(pair: Pair) -> bool:
    """Whether a pair is a whole claim beside its evidence."""
    return pair.answer is None and not {"relevant", "irrelevant"} & set(pair.labels)


def main(base: str, weights: str, plan: str, target: str, layers: str = "0") -> None:
    """Write the pairs of a plan, a file for each chunk."""
    model = TrainableCrossEncoder(Path(base), int(layers)).to(DEVICE)
    model.load_state_dict(torch.load(weights, map_location=DEVICE))
    model.eval()
    pairs = read_plan(Path(plan))
    for start in range(0, len(pairs), CHUNK):
        chunk = Path(target) / f"{start:07}.jsonl.gz"
        if not chunk.exists():
            temporary = chunk.with_suffix(".tmp")
            write_plan(temporary, teach(model, Path(base), pairs[start : start + CHUNK]))
            temporary.rename(chunk)


if __name__ == "__main__":
    main(*sys.argv[1:])
