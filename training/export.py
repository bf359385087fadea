"""Export a trained cross-encoder to ONNX: float, and int8 for shipping; needs torch.

python -m errata.training.export WEIGHTS.pt ENCODER [LAYERS]

ENCODER and LAYERS are those that the weights were trained with (all). Writes `WEIGHTS.onnx`
and, beside it, the int8 model, as it ships: `cross_encoder.onnx` and its embeddings in a file of
their own; and the vocabulary of each.
"""

import math
import sys
from pathlib import Path
from typing import Any

import onnx
import torch
from onnx import external_data_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn

from errata.tools.judges.cross_encoder import MAX_TOKENS, MODEL, OUTPUTS, vocabulary_of
from errata.training.cross_encoder import TrainableCrossEncoder, read_tokenizer


class OnePair(nn.Module):  # type: ignore[misc,unused-ignore]  # untyped without torch
    """A trained cross-encoder as it reads one pair: without padding, so without masks."""

    def __init__(self, trained: TrainableCrossEncoder) -> None:
        """Take its weights; what depends on places alone is computed once."""
        super().__init__()
        self.trained, bert = trained.eval(), trained.bert
        first = bert.embeddings.padding_idx + 1
        self.places = torch.arange(first, first + MAX_TOKENS).unsqueeze(0)
        bias = bert.encoder.compute_position_bias(torch.zeros(1, MAX_TOKENS, 1))
        self.bias = bias.detach().expand(-1, -1, MAX_TOKENS, MAX_TOKENS)

    def forward(self, ids: Any) -> Any:
        """Logits (1, 4), edges (1, tokens, 2) and tags (1, tokens) of ids (1, tokens)."""
        bert, count = self.trained.bert, ids.shape[1]
        read = bert.embeddings(input_ids=ids, position_ids=self.places[:, :count])
        for layer in bert.encoder.layer:
            read = self._read(layer, read, self.bias[:, :, :count, :count])
        tags = self.trained.tags(read).squeeze(-1)
        return self.trained.head(read.mean(1)), self.trained.edges(read), tags

    def _read(self, layer: Any, x: Any, bias: Any) -> Any:
        """What one layer makes of (1, tokens, width)."""
        own, norm = layer.attention.attn, layer.attention.LayerNorm
        heads, width = self.trained.bert.config.num_attention_heads, x.shape[-1]
        inputs = (f(x).reshape(1, -1, heads, width // heads) for f in (own.q, own.k, own.v))
        q, k, v = (each.transpose(1, 2) for each in inputs)
        scores = q @ k.transpose(-1, -2) / math.sqrt(width // heads) + bias
        seen = (scores.softmax(-1) @ v).transpose(1, 2).reshape(1, -1, width)
        x = norm(own.o(seen) + x)
        return layer.output(layer.intermediate(x), x)


def export(weights: Path, base: Path, layers: int) -> Path:
    """Write the float ONNX model next to its torch weights; its path."""
    trained = TrainableCrossEncoder(base, layers)
    trained.load_state_dict(torch.load(weights, map_location="cpu"))
    target = weights.with_suffix(".onnx")
    torch.onnx.export(
        OnePair(trained),
        (torch.ones(1, 8, dtype=torch.long),),
        str(target),
        input_names=["ids"],
        output_names=list(OUTPUTS),
        dynamic_axes={name: {1: "tokens"} for name in ("ids", *OUTPUTS[1:])},
        dynamo=False,
    )
    return target


def quantize(model: Path) -> Path:
    """Write the int8 model next to the float one, with one scale for each channel; its path.

    Weights have 7 bits: products of 8 overflow where a processor has no VNNI.
    """
    target = model.with_name(MODEL)
    quantize_dynamic(
        model, target, per_channel=True, reduce_range=True, weight_type=QuantType.QInt8
    )
    whole = onnx.load(target)
    largest = max(whole.graph.initializer, key=lambda tensor: len(tensor.raw_data))
    external_data_helper.set_external_data(largest, target.with_suffix(".bin").name)
    onnx.save(whole, target)
    return target


def main(weights: str, encoder: str, layers: str = "0") -> None:
    """Export some weights, and the vocabulary."""
    base = Path(encoder)
    model = export(Path(weights), base, int(layers))
    for written in (model, quantize(model)):
        read_tokenizer(base).save(str(vocabulary_of(written)), pretty=False)
        sys.stdout.write(f"{written}: {written.stat().st_size / 1e6:.1f} MB\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
