"""Turn trained weights into ONNX files: float, and int8 for shipping.

python -m errata.training.export FOLDER
"""

import sys
from pathlib import Path

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from tokenizers import Tokenizer

from errata.training.cross_encoder import CrossEncoder, base

AXES = {0: "batch", 1: "tokens"}


def export(weights: Path) -> Path:
    """Write the float model of one file of weights beside it."""
    model = CrossEncoder()
    model.load_state_dict(torch.load(weights))
    target = weights.with_suffix(".onnx")
    names = ["ids", "mask", "types"]
    example = tuple(torch.ones(2, 8, dtype=torch.long) for _ in names)
    torch.onnx.export(
        model.eval(),
        example,
        str(target),
        input_names=names,
        output_names=["logits"],
        dynamic_axes=dict.fromkeys(names, AXES),
        dynamo=False,
    )
    return target


def quantised(model: Path) -> Path:
    """Write the int8 model of a float one beside it, one scale a channel."""
    target = model.with_suffix(".int8.onnx")
    quantize_dynamic(model, target, per_channel=True, weight_type=QuantType.QInt8)
    return target


def main(folder: str) -> None:
    """Export every file of weights in a folder, and the vocabulary."""
    tokenizer = Tokenizer.from_file(str(base() / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    tokenizer.save(str(Path(folder) / "tokens.json"), pretty=False)
    for weights in sorted(Path(folder).glob("*.pt")):
        float_model = export(weights)
        small = quantised(float_model)
        sys.stdout.write(f"{small}: {small.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
