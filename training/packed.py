"""Keep a trained cross-encoder between runs as what it has learned, in a small file; needs torch.

python -m errata.training.packed WEIGHTS.pt PACKED.npz ENCODER [LAYERS]

A matrix is kept as the RANK largest components of its difference from the pretrained encoder's.
`errata.training.stages --start PACKED.npz` goes on from it.
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import torch

from errata.training.cross_encoder import TrainableCrossEncoder

RANK = 96
HEADS = ("head.", "edges.", "tags.")
"""What the pretrained encoder does not have."""
_LEFT, _RIGHT = "|left", "|right"
State = dict[str, Any]


def pack(state: State, pretrained: State) -> dict[str, Any]:
    """The differences of some weights from those of the pretrained encoder, as small arrays."""
    packed = {}
    for name, weights in state.items():
        learned = weights.float() - _known(name, pretrained)
        if learned.dim() > 1 and min(learned.shape) > RANK:
            left, sizes, right = torch.svd_lowrank(learned, q=2 * RANK, niter=4)
            packed[name + _LEFT] = left[:, :RANK] * sizes[:RANK]
            packed[name + _RIGHT] = right[:, :RANK].T
        else:
            packed[name] = learned
    return {name: values.numpy().astype(np.float16) for name, values in packed.items()}


def unpack(path: Path, pretrained: State) -> State:
    """The weights that a packed file stands for."""
    with np.load(path) as packed:
        arrays = {name: torch.from_numpy(packed[name].astype(np.float32)) for name in packed}
    weights = {}
    for name in pretrained:
        learned = arrays[name] if name in arrays else arrays[name + _LEFT] @ arrays[name + _RIGHT]
        weights[name] = _known(name, pretrained) + learned
    return weights


def _known(name: str, pretrained: State) -> Any:
    return 0.0 if name.startswith(HEADS) else pretrained[name].float().cpu()


def main(weights: str, target: str, base: str, layers: str = "0") -> None:
    """Pack the weights that training wrote."""
    pretrained = TrainableCrossEncoder(Path(base), int(layers)).state_dict()
    np.savez_compressed(target, **pack(torch.load(weights, map_location="cpu"), pretrained))


if __name__ == "__main__":
    main(*sys.argv[1:])
