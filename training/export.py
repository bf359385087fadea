"""Export a trained cross-encoder to ONNX: float, and int8 for shipping; needs torch.

python -m errata.training.export WEIGHTS.pt ENCODER [LAYERS]

ENCODER and LAYERS are those that the weights were trained with (all). Writes `WEIGHTS.onnx`,
`WEIGHTS.int8.onnx` and, beside each, its vocabulary.
"""

import math
import sys
from pathlib import Path
from typing import Any

import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from torch import nn

from errata.tools.judges.cross_encoder import MAX_TOKENS, vocabulary_of
from errata.training.cross_encoder import TrainableCrossEncoder, read_tokenizer


class OnePair(nn.Module):  # type: ignore[misc,unused-ignore]  # untyped without torch
    """A trained cross-encoder as it reads one pair: without padding, so without masks."""

    def __init__(self, trained: TrainableCrossEncoder) -> None:
        """Take its weights; what depends on places alone is computed once."""
        super().__init__()
        self.trained, bert = trained.eval(), trained.bert
        self.has_types = hasattr(bert.config, "type_vocab_size")
        first = 0 if self.has_types else bert.embeddings.padding_idx + 1
        self.places = torch.arange(first, first + MAX_TOKENS).unsqueeze(0)
        nothing = torch.zeros(1, MAX_TOKENS, 1)
        has_bias = hasattr(bert.encoder, "compute_position_bias")
        bias = bert.encoder.compute_position_bias(nothing) if has_bias else torch.zeros(1, 1, 1, 1)
        self.bias = bias.detach().expand(-1, -1, MAX_TOKENS, MAX_TOKENS)

    def forward(self, ids: Any, types: Any = None) -> Any:
        """Logits (1, 4), edges (1, tokens, 2) and tags (1, tokens) of ids (1, tokens)."""
        bert, count = self.trained.bert, ids.shape[1]
        kinds = {"token_type_ids": types} if self.has_types else {}
        read = bert.embeddings(input_ids=ids, position_ids=self.places[:, :count], **kinds)
        for layer in bert.encoder.layer:
            read = self._read(layer, read, self.bias[:, :, :count, :count])
        tags = self.trained.tags(read).squeeze(-1)
        return self.trained.head(read.mean(1)), self.trained.edges(read), tags

    def _read(self, layer: Any, x: Any, bias: Any) -> Any:
        """What one layer makes of (1, tokens, width)."""
        if self.has_types:
            own, out = layer.attention.self, layer.attention.output
            inputs, joined, norm = (own.query, own.key, own.value), out.dense, out.LayerNorm
        else:
            own, norm = layer.attention.attn, layer.attention.LayerNorm
            inputs, joined = (own.q, own.k, own.v), own.o
        heads, width = self.trained.bert.config.num_attention_heads, x.shape[-1]
        q, k, v = (f(x).reshape(1, -1, heads, width // heads).transpose(1, 2) for f in inputs)
        scores = q @ k.transpose(-1, -2) / math.sqrt(width // heads) + bias
        seen = (scores.softmax(-1) @ v).transpose(1, 2).reshape(1, -1, width)
        x = norm(joined(seen) + x)
        return layer.output(layer.intermediate(x), x)


def export(weights: Path, base: Path, layers: int) -> Path:
    """Write the float ONNX model next to its torch weights; its path."""
    trained = TrainableCrossEncoder(base, layers)
    trained.load_state_dict(torch.load(weights, map_location="cpu"))
    one, target = OnePair(trained), weights.with_suffix(".onnx")
    names = ["ids", "types"] if one.has_types else ["ids"]
    outputs = ["logits", "edges", "tags"]
    torch.onnx.export(
        one,
        tuple(torch.ones(1, 8, dtype=torch.long) for _ in names),
        str(target),
        input_names=names,
        output_names=outputs,
        dynamic_axes={name: {1: "tokens"} for name in (*names, *outputs[1:])},
        dynamo=False,
    )
    return target


def quantize(model: Path) -> Path:
    """Write the int8 model next to the float one, with one scale for each channel; its path."""
    target = model.with_suffix(".int8.onnx")
    quantize_dynamic(model, target, per_channel=True, weight_type=QuantType.QInt8)
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
