"""Export the trained cross-encoders to ONNX: float, and int8 for shipping; needs torch.

python -m errata.training.export FOLDER
"""

import sys
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

from errata.training.cross_encoder import TrainableCrossEncoder
from errata.training.encoders import small_encoder
from errata.training.slim import slim

AXES = {0: "batch", 1: "tokens"}


def export(weights: Path) -> Path:
    """Write the float ONNX model next to its torch weights; its path."""
    model = TrainableCrossEncoder(small_encoder())
    model.load_state_dict(torch.load(weights))
    target = weights.with_suffix(".onnx")
    names = ["ids", "mask", "types"]
    example = tuple(torch.ones(2, 8, dtype=torch.long) for _ in names)
    torch.onnx.export(
        model.eval(),
        example,
        str(target),
        input_names=names,
        output_names=["logits", "edges", "tags"],
        dynamic_axes=dict.fromkeys([*names, "edges", "tags"], AXES) | {"logits": {0: "batch"}},
        dynamo=False,
    )
    return target


def quantize(model: Path) -> Path:
    """Write the int8 model next to the float one, with one scale for each channel; its path.

    It reads one pair at a time.
    """
    target = model.with_suffix(".int8.onnx")
    quantize_dynamic(model, target, per_channel=True, weight_type=QuantType.QInt8)
    slim(target)
    return target


def main(folder: str) -> None:
    """Export all weights in a folder, and the vocabulary."""
    tokenizer = Tokenizer.from_file(str(small_encoder() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.save(str(Path(folder) / "tokens.json"), pretty=False)
    for weights in sorted(Path(folder).glob("*.pt")):
        int8_model = quantize(export(weights))
        sys.stdout.write(f"{int8_model}: {int8_model.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
